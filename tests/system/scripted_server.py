"""A model server that replies with what was said and embeds by hash, so that whole companions need no weights."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from edge_memory.protocols import Purpose
from edge_memory.scripted import HashEmbedder


class ScriptedServer:
    """Speaks OpenAI's protocol at `url`, after `seconds` of thinking. Use as a context manager."""

    def __init__(self, seconds: float = 0.0) -> None:
        handler = type("Handler", (_Handler,), {"seconds": seconds})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="scripted server")
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a companion that chats with it and embeds nothing."""
        return {"LOBUG_MODEL__CHAT_URL": self.url, "LOBUG_MODEL__EMBEDDER": "/none.gguf"}

    @property
    def memory_settings(self) -> dict[str, str]:
        """The environment of a companion that has it for both models."""
        return {
            "LOBUG_MODEL__CHAT_URL": self.url,
            "LOBUG_MODEL__EMBEDDING_URL": self.url,
            "LOBUG_MODEL__EMBEDDING_URL_MODEL": "hash",
            "LOBUG_MODEL__FALLBACK": "false",
            "LOBUG_SERIAL__PORTS": "",
            "LOBUG_SPEECH__ENABLED": "off",
        }

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    seconds: float

    def do_GET(self) -> None:
        self._answer("application/json", json.dumps({"data": [{"id": "scripted"}]}).encode())

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            vectors = asyncio.run(HashEmbedder().embed(asked["input"], Purpose.DOCUMENT)).tolist()
            data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
            self._answer("application/json", json.dumps({"data": data}).encode())
            return
        words = f"You said {asked['messages'][-1]['content'].splitlines()[-1]}"
        if not asked.get("stream"):
            choice = {"message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}
            self._answer("application/json", json.dumps({"choices": [choice]}).encode())
            return
        time.sleep(self.seconds)
        deltas = [{"delta": {"content": f"{word} "}} for word in words.split()]
        events = [{"choices": [choice]} for choice in (*deltas, {"delta": {}, "finish_reason": "stop"})]
        lines = [*(f"data: {json.dumps(event)}\n\n" for event in events), "data: [DONE]\n\n"]
        self._answer("text/event-stream", "".join(lines).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as of its parent
        pass

    def _answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # the companion was killed meanwhile
            self.wfile.write(body)
