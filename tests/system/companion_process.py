"""The real companion as a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LOBUG = str(Path(sys.executable).with_name("lobug"))
_PATIENCE_SECONDS = 240.0


class Client:
    """Of a companion at `url`."""

    url: str

    def __init__(self, url: str) -> None:
        self.url = url

    def post(self, path: str, body: Any, *, raw: bytes | None = None) -> tuple[int, Any]:
        data = raw if raw is not None else json.dumps(body).encode()
        return self._ask(urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}))

    def get(self, path: str) -> tuple[int, Any]:
        return self._ask(urllib.request.Request(self.url + path))

    def say(self, text: str, session_id: str = "default") -> dict[str, Any]:
        status, answer = self.post("/chat/text", {"text": text, "session_id": session_id})
        assert status == 200, answer
        return answer

    def ask(self, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, Any]:
        """Posts bytes of any kind."""
        return self._ask(urllib.request.Request(self.url + path, body, dict(headers)))

    def text(self, path: str) -> str:
        """What is not JSON."""
        with urllib.request.urlopen(self.url + path, timeout=_PATIENCE_SECONDS) as response:
            return str(response.read().decode())

    def spoken(self, text: str) -> bytes:
        """A WAV file of it in the companion's own voice."""
        body = json.dumps({"input": text, "response_format": "wav"}).encode()
        request = urllib.request.Request(self.url + "/v1/audio/speech", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=_PATIENCE_SECONDS) as response:
            return response.read()

    def understood(self, sound: bytes) -> str:
        """What its ears make of a WAV file."""
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
        body = head.encode() + sound + f"\r\n--{boundary}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        status, answer = self.ask("/v1/audio/transcriptions", body, kind)
        assert status == 200, answer
        return str(answer["text"])

    def _ask(self, request: urllib.request.Request) -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE_SECONDS) as response:
                content = response.read()
                return response.status, json.loads(content) if content else None
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.loads(error.read())


class Companion(Client):
    """Started on a free port; `stop` or `kill` ends it. Use as a context manager.

    What the smallest model goes on to say interests nobody: its replies are short; as shipped with `reply_tokens` None.
    """

    def __init__(
        self,
        data_dir: Path,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        reply_tokens: int | None = 24,
    ) -> None:
        self.data_dir = data_dir
        self._log = data_dir.parent / f"{data_dir.name}.log"
        self._out = self._log.open("w")
        brief = {} if reply_tokens is None else {"LOBUG_MODEL__MAX_REPLY_TOKENS": str(reply_tokens)}
        self.process = subprocess.Popen(
            [LOBUG, "serve", "--port", "0", "--data-dir", str(data_dir), "--profile", "tiny", *arguments],
            stdout=self._out,
            stderr=subprocess.STDOUT,
            # One thread: llama.cpp's threads spin, and whatever else runs beside the tests would stall them.
            env={**os.environ, "LOBUG_MODEL__THREADS": "1", **brief, **(environment or {})},
        )
        try:
            super().__init__(self._address())
        except BaseException:
            self.kill()
            self._out.close()
            raise

    def __enter__(self) -> Companion:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
        self._out.close()

    def log(self) -> str:
        return self._log.read_text()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=_PATIENCE_SECONDS)

    def health(self) -> dict[str, Any]:
        return self.get("/health")[1]

    def wait_until_digested(self, patience: float = _PATIENCE_SECONDS) -> None:
        self.wait_for(lambda health: health["memory"]["jobs_pending"] == 0, patience)

    def wait_for(self, condition: Any, patience: float = _PATIENCE_SECONDS) -> dict[str, Any]:
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            health = self.health()
            if condition(health):
                return health
            time.sleep(0.1)
        raise AssertionError(f"it never came true; health is {health}\n{self.log()}")

    def _address(self) -> str:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"answers at (http://\S+)", self.log())
            if found:
                return found[1]
            time.sleep(0.05)
        raise AssertionError(f"the companion did not start:\n{self.log()}")


def lobug(*arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """A verb of the command line, run to its end."""
    return subprocess.run(
        [LOBUG, *arguments],
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
        env={**os.environ, **(environment or {})},
    )
