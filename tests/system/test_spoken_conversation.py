"""A spoken conversation with the real companion: its own voice asks, its ears understand, its voice answers."""

from __future__ import annotations

import difflib
import io
import re
import urllib.request
import wave
from pathlib import Path

import prove_cable
import pytest
from companion_process import Companion
from device_process import MICROPYTHON, start_device

pytestmark = [pytest.mark.weights, pytest.mark.speech, pytest.mark.small]


def clearly_spoken(companion: Companion, text: str) -> bytes:
    """The voice is never quite the same twice, and not each time understood."""
    for _ in range(5):
        sound = companion.spoken(text)
        if words(companion.understood(sound)) == words(text):
            return sound
    raise AssertionError(f"{text!r} was not understood once in five times")


def words(text: str) -> str:
    return " ".join(re.findall(r"[a-z']+", text.lower()))


def ask_by_device(companion: Companion, folder: Path, question: bytes) -> None:
    """The same question by the device's own code over HTTP; what its speaker played is understood."""
    if not Path(MICROPYTHON).exists():
        return  # MicroPython's unix port is built for x86_64 only
    asked, played = folder / "question.wav", folder / "played.pcm"
    asked.write_bytes(question)
    flash = prove_cable.install(folder / "flash")
    arguments = ("--url", companion.url, "--wav", str(asked), "--out", str(played), "--speed", "4", "--linger", "4000")
    told, _ = start_device(flash, *arguments).communicate(timeout=240)
    assert words(told).count("what is my sister's name") == 1, told
    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(played.read_bytes())
    assert "alice" in companion.understood(sound.getvalue()).lower(), told


def test_a_question_is_heard_answered_and_spoken(tmp_path: Path) -> None:
    with Companion(tmp_path / "data", "--profile", "small") as companion:
        question = clearly_spoken(companion, "My sister's name is Alice.")
        status, told = companion.ask("/chat/audio", question, {"Content-Type": "audio/wav"})
        assert status == 200, told
        assert words(told["heard"]) == "my sister's name is alice"
        assert told["action"] == "respond"
        assert {"endpoint_ms", "transcribe_ms", "first_clause_ms", "first_audio_ms"} <= set(told["timings"])
        companion.wait_until_digested()
        status, answer = companion.ask(
            "/chat/audio", clearly_spoken(companion, "What is my sister's name?"), {"Content-Type": "audio/wav"}
        )
        assert "Alice" in answer["text"]
        with urllib.request.urlopen(companion.url + answer["audio_url"], timeout=240) as response:
            sound = response.read()
        heard_back = words(companion.understood(sound)).split()
        assert difflib.SequenceMatcher(None, heard_back, words(answer["text"]).split()).ratio() > 0.7
        ask_by_device(companion, tmp_path, clearly_spoken(companion, "What is my sister's name?"))
        models = companion.health()["models"]
        assert {models[role]["state"] for role in ("hearing", "listening", "speaking")} == {"ready"}
