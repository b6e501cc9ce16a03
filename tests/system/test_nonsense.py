"""A model that returns nonsense for ever: the real companion keeps what it heard, gives the work up, and says so."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from companion_process import Companion

pytestmark = pytest.mark.weights  # the embedder

SAID = ("the stamp club meets at the bakery of the twins", "the stamp club meets at the bakery of the twins in Moss")


class _Nonsense(BaseHTTPRequestHandler):
    """Speaks OpenAI's protocol and says the same to everything, streamed where that is asked for."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        streamed = bool(asked.get("stream"))
        choice = {"index": 0, "finish_reason": "stop", "delta" if streamed else "message": {"content": "Banana."}}
        body = json.dumps({"choices": [choice]})
        sent = f"data: {body}\n\ndata: [DONE]\n\n" if streamed else body
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
        self.end_headers()
        self.wfile.write(sent.encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def nonsense() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Nonsense)
    thread = threading.Thread(target=server.serve_forever, name="nonsense")
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_nonsense_for_ever(tmp_path: Path) -> None:
    with nonsense() as url:
        patience = {"LOBUG_MEMORY__JOB_ATTEMPTS": "2", "LOBUG_MEMORY__JOB_BACKOFF_SECONDS": "0.1"}
        settings = {"LOBUG_MODEL__CHAT_URL": url, **patience}
        with Companion(tmp_path / "data", environment=settings) as companion:
            for said in SAID:
                assert companion.say(said)["text"] == "Banana."
            companion.wait_for(lambda health: health["memory"]["jobs_failed"] and not health["memory"]["jobs_pending"])
            health, (_, stats) = companion.health(), companion.get("/memory/stats")
            assert health["status"] == "degraded"
            assert any("memory jobs failed for good" in line for line in health["degraded"])
            failed = {job["key"].partition(":")[0]: job for job in stats["failed_jobs"]}
            assert set(failed) == {"audit", "extract"}
            assert all(job["attempts"] == 2 and "Banana" not in job["error"] for job in failed.values())
            _, listed = companion.get("/memory/records")
            assert {record["source_excerpt"] for record in listed["records"]} == set(SAID)
