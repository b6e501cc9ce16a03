"""A companion without the extra `speech`: everything but sound works, and each door says how to add it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sounds import speech, wav
from web_house import open_house

from firmware_bridge.app.engines import SpeechEngines
from firmware_bridge.errors import SpeechMissing
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.weights import Shelf, load_catalogue

LIBRARIES = ("av", "soxr", "ctranslate2", "faster_whisper", "onnxruntime", "piper", "num2words", "jellyfish")


def test_nothing_of_the_extra_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, firmware_bridge.app.serving, firmware_bridge.speech.engines, firmware_bridge.speech.mouth\n"
        f"print([name for name in {LIBRARIES!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.stdout.strip() == "[]", done.stderr


def test_missing_libraries_are_named_with_the_extra_that_brings_them() -> None:
    """In a process whose import system knows none of them."""
    code = f"""
import sys
from importlib.machinery import PathFinder
class WithoutTheExtra(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] in {LIBRARIES!r} else super().find_spec(name, path, target)
sys.meta_path[:] = [WithoutTheExtra if finder is PathFinder else finder for finder in sys.meta_path]
from firmware_bridge.errors import SpeechMissing
from firmware_bridge.speech.engines import require_libraries
for engine in ("whisper", "moonshine", "silero", "piper"):
    try:
        require_libraries(engine)
    except SpeechMissing as error:
        print(error.message, "-", error.hint)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    lines = done.stdout.splitlines()
    assert len(lines) == 4, done.stderr
    assert lines[0].startswith("whisper needs faster_whisper, ctranslate2")
    assert all("scripts/setup" in line for line in lines)


async def test_absent_weights_are_named_with_the_command_that_gets_them(tmp_path: Path) -> None:
    shelf = Shelf(load_catalogue(), tmp_path)
    async with ComputeLane() as lane:
        automatic = SpeechEngines(SpeechSettings(), shelf, lane)
        assert not automatic.enabled
        assert {state.state for state in automatic.shown()} == {"off"}
        wanted = SpeechEngines(SpeechSettings(enabled="on"), shelf, lane)
        assert {state.state for state in wanted.shown()} == {"missing"}
        with pytest.raises(SpeechMissing) as caught:
            await wanted.ears()
        assert caught.value.hint
        with pytest.raises(SpeechMissing, match="switched off"):
            await SpeechEngines(SpeechSettings(enabled="off"), shelf, lane).mouth()


async def test_the_doors_of_sound_say_so(tmp_path: Path) -> None:
    async with open_house(
        tmp_path, engines=lambda lane: SpeechEngines(SpeechSettings(), Shelf(load_catalogue(), tmp_path), lane)
    ) as house:
        for path, more in (
            ("/chat/audio", {"data": wav(speech()), "headers": {"Content-Type": "audio/wav"}}),
            ("/v1/audio/speech", {"json": {"input": "hello"}}),
            ("/v1/audio/transcriptions", {"data": wav(speech()), "headers": {"Content-Type": "audio/wav"}}),
        ):
            status, answer = await house.ask("POST", path, **more)
            assert (status, answer["error"]["code"]) == (503, "speech_missing"), path
            assert "lobug" in answer["error"]["hint"]
        assert (await house.ask("POST", "/chat/text", json={"text": "hello there"}))[0] == 200
