"""The conversation that `bench_turn.py` measures, and a companion to have it with."""

from __future__ import annotations

import json
import re
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "system"))

from companion_process import Companion

MEMORIES = (
    "The user has a meeting with the propulsion team on Friday",
    "The user is allergic to peanuts",
    "The user's sister Jana lives in Prague",
    "The user prefers Python for hardware projects",
    "The user's cat is called Pixel",
    "The user never drinks coffee after noon",
    "The user's dentist appointment is on the twelfth",
    "The user is learning the cello",
)
_UTTERANCES = (
    "what should I cook tonight",
    "when is my meeting",
    "tell me something about my sister's city",
    "how do I blink an LED from Python",
    "is the cat going to be fine alone",
    "should I have an espresso now",
    "what do I have on the twelfth",
    "give me a practice plan",
)
_PERSONA = (
    "You are Lo-Bug, a small friendly voice assistant living in an M5Stack device. Answer in one or two short spoken "
    "sentences. If the input is noise, answer IGNORE."
)
BASE_MEMORY = (
    "User Profile:\n- Name: Alex, works at NASA\nPreferences:\n- Prefers concise answers\n"
    "Ongoing Topics:\n- Robot with ESP32-S3\nKey History:\n- Building M5Stack voice assistant Lo-Bug"
)
POLL_S = 0.02


def utterance(number: int) -> str:
    return _UTTERANCES[number % len(_UTTERANCES)]


def readings(number: int) -> dict[str, str | int]:
    return {"orientation": "face_up", "battery": 90 - number, "temperature": 20 + number % 5}


def messages(layout: str, history: list[dict[str, str]], number: int) -> list[dict[str, str]]:
    """The prompt of a turn, in the seed's order or with the changing part last."""
    head = f"{_PERSONA}\n\n[Long-term memory]\n{BASE_MEMORY}\n"
    lines = "".join(f"- {MEMORIES[(number * 3 + shift) % len(MEMORIES)]}\n" for shift in range(4))
    state = "; ".join(f"{name} {value}" for name, value in readings(number).items())
    changing = f"[Relevant memories]\n{lines}[Current physical state: {state}]"
    if layout == "seed order":
        system, newest = f"{head}\n{changing}", utterance(number)
    else:
        system, newest = head, f"{changing}\n\n{utterance(number)}"
    return [{"role": "system", "content": system}, *history, {"role": "user", "content": newest}]


class CompanionTalk(Companion):
    """A running companion that is talked with as devices do: readings first, the reply as a stream, then idle time."""

    def __init__(self, data_dir: Path, profile: str, environment: Mapping[str, str]) -> None:
        super().__init__(data_dir, "--profile", profile, environment=environment)

    def __enter__(self) -> CompanionTalk:
        self.settle()
        return self

    def turn(self, number: int, device: str) -> dict[str, float]:
        """Tokens read and those of tail and words, and when the first token came, all as a client sees it."""
        self.post("/context/sensors", readings(number) | {"device_id": device})
        body = {"text": utterance(number), "session_id": device, "device_id": device, "stream": True}
        request = urllib.request.Request(
            f"{self.url}/chat/text", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        began, first, event = time.perf_counter(), 0.0, ""
        with urllib.request.urlopen(request, timeout=120) as stream:
            for line in stream:
                if line.startswith(b"event:"):
                    event = line[6:].strip().decode()
                elif line.startswith(b"data:") and event == "delta":
                    first = first or (time.perf_counter() - began) * 1e3
                elif line.startswith(b"data:") and event == "done":
                    timings = json.loads(line[5:])["timings"]
        self.settle()
        return {"read": timings["prompt_tokens_read"], "tail": timings["tail_tokens"], "first_token_ms": first}

    def settle(self) -> None:
        """Waits until models are ready, everything heard is digested, and the lane has nothing left to do."""
        while not _is_settled(self.health()):
            time.sleep(POLL_S)
        quiet = 0
        while quiet < 3:
            with urllib.request.urlopen(f"{self.url}/metrics", timeout=30) as page:
                work = sum(
                    float(found) for found in re.findall(r"^lobug_lane_work\{.*\} (\S+)$", page.read().decode(), re.M)
                )
            quiet = 0 if work else quiet + 1
            time.sleep(POLL_S)

    def peak_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024


def _is_settled(health: dict[str, Any]) -> bool:
    ready = all(model["state"] == "ready" for role, model in health["models"].items() if role in ("chat", "embedding"))
    return ready and health["memory"]["jobs_pending"] == 0
