"""A real llama.cpp server as a process: llama-cpp-python's own, or the llama-server that LLAMA_SERVER names."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "models"
_PATIENCE_SECONDS = 240.0


class LlamaServer:
    """Serves one GGUF file on a port of its own, which it keeps when it is started again. A context manager."""

    def __init__(self, log: Path, file: str, *, embedding: bool = False) -> None:
        self._log = log
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = _command(str(MODELS / file), str(self.port), embedding)
        self.start()

    def __enter__(self) -> LlamaServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Returns when it answers."""
        with self._log.open("a") as out:
            self._process = subprocess.Popen(
                self._command,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/v1/models", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise AssertionError(f"llama_cpp.server did not start:\n{self._log.read_text()[-2_000:]}")

    def answered(self) -> int:
        """How many prompts it has been given, over all its lives."""
        return len(re.findall(r"POST /v1/\S+ HTTP/1.1. 200|processing task", self._log.read_text()))

    def freeze(self) -> None:
        """It still takes connections, and says nothing any more."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def _command(model: str, port: str, embedding: bool) -> list[str]:
    if binary := os.environ.get("LLAMA_SERVER"):
        kind = ["--embedding"] if embedding else ["-c", "4096"]
        return [binary, "-m", model, "--port", port, "-t", "1", "-lv", "4", *kind]
    # Stock, it breaks one reply off when another is asked for.
    kind = ["--embedding", "True"] if embedding else ["--n_ctx", "4096", "--interrupt_requests", "False"]
    return [sys.executable, "-m", "llama_cpp.server", "--model", model, "--port", port, "--n_threads", "1", *kind]
