#!/usr/bin/env -S .venv/bin/python
"""How evenly replies reach a XiaoZhi device: a client of its own at a running companion, measured where sound arrives.

usage: lobug serve, then scripts/bench_xiaozhi.py [--url URL] [--rounds N] [--version 1|2|3] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from dataclasses import dataclass, field

import aiohttp

FRAME_SECONDS = 0.06
TEXT = "Please tell me in two or three sentences what a rainbow is."
HELLO = {
    "type": "hello",
    "transport": "websocket",
    "audio_params": {"format": "opus", "sample_rate": 16_000, "channels": 1, "frame_duration": 60},
}


@dataclass
class Run:
    """What one device saw. Times are in seconds."""

    firsts: list[float] = field(default_factory=list)  # from the words to the first frame
    gaps: list[float] = field(default_factory=list)  # between two frames of a sentence
    most_queued: float = 0.0

    def figures(self) -> dict[str, float]:
        gaps = sorted(self.gaps)
        return {
            "frames": len(gaps),
            "gap_p50_ms": round(statistics.median(gaps) * 1e3, 1),
            "gap_p99_ms": round(gaps[len(gaps) * 99 // 100] * 1e3, 1),
            "gap_longest_ms": round(gaps[-1] * 1e3, 1),
            "gaps_over_120_ms": sum(gap > 0.12 for gap in gaps),
            "most_queued_s": round(self.most_queued, 3),
            "first_frame_s_p50": round(statistics.median(self.firsts), 2),
        }


async def listen_to_reply(socket: aiohttp.ClientWebSocketResponse, run: Run) -> None:
    """Says one text, and follows what comes until the reply is over."""
    asked = time.monotonic()
    await socket.send_json({"type": "listen", "state": "detect", "text": TEXT})
    first: float | None = None
    last: float | None = None
    queued, at = 0.0, asked
    async for message in socket:
        now = time.monotonic()
        if message.type is aiohttp.WSMsgType.BINARY:
            queued, at = max(0.0, queued - (now - at)) + FRAME_SECONDS, now
            run.most_queued = max(run.most_queued, queued)
            run.gaps += [] if last is None else [now - last]
            first, last = first or now, now
        elif message.type is aiohttp.WSMsgType.TEXT:
            told = json.loads(message.data)
            if told["type"] == "tts" and told["state"] != "start":
                last = None
            if told["type"] == "alert":
                raise SystemExit(told["message"])
            if told["type"] == "tts" and told["state"] == "stop":
                break
    if first is None:
        raise SystemExit("the companion has no voice: lobug doctor says why")
    run.firsts.append(first - asked)


async def measure(url: str, rounds: int, version: int) -> Run:
    run = Run()
    headers = {"Device-Id": "bench-xiaozhi", "Protocol-Version": str(version)}
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{url}/xiaozhi/v1/", headers=headers) as socket,
    ):
        await socket.send_json({**HELLO, "version": version})
        for _ in range(rounds):
            await listen_to_reply(socket, run)
    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8321")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--version", type=int, default=1, choices=(1, 2, 3))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = asyncio.run(measure(arguments.url, arguments.rounds, arguments.version)).figures()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:20} {value:g}")


if __name__ == "__main__":
    main()
