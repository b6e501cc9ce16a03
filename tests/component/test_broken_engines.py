"""Engines of speech that break while they compute, behind the real routes: what can go on goes on, and others notice
nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from sounds import speech, wav
from voice_asking import refused, said
from web_house import hear_hello, open_house, until

from firmware_bridge.app.voice import Engines
from firmware_bridge.lane import ComputeLane
from firmware_bridge.speech import Ears
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.samples import Samples
from firmware_bridge.speech.scripted import ScriptedEngines, ScriptedTranscriber, ToneSynthesiser

pytest.importorskip("av")


class BreakingVoice(ToneSynthesiser):
    def synthesise(self, text: str, *, soon: bool = False) -> Iterator[Samples]:
        raise RuntimeError("a native library gave up")


def breaking(samples: Samples, hints: Sequence[str]) -> Transcript:
    raise RuntimeError("a native library gave up")


async def test_a_reply_whose_voice_breaks_is_told_in_words(tmp_path: Path) -> None:
    def engines(lane: ComputeLane) -> Engines:
        return ScriptedEngines(lane, ScriptedTranscriber(hear_hello), BreakingVoice())

    async with open_house(tmp_path, engines=engines) as house:
        answer = await said(house, wav(speech()))

    assert (answer["text"], answer["audio_url"]) == ("You said hello there.", None)


async def test_what_the_recogniser_breaks_on_is_told_as_such(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=breaking) as house:
        assert await refused(house, wav(speech())) == (503, "speech_unusable")


class EarsThatBreakOnce(ScriptedEngines):
    def __init__(self, lane: ComputeLane) -> None:
        super().__init__(lane, ScriptedTranscriber(hear_hello), ToneSynthesiser())
        self.asked, self.left = asyncio.Event(), asyncio.Event()

    async def ears(self) -> Ears:
        if self.asked.is_set():
            return await super().ears()
        self.asked.set()
        await self.left.wait()
        raise RuntimeError("a library that is not installed as it should be")


async def test_a_recording_that_was_left_and_breaks_the_ears_ends_no_other_exchange(tmp_path: Path) -> None:
    made: list[EarsThatBreakOnce] = []

    def engines(lane: ComputeLane) -> Engines:
        made.append(EarsThatBreakOnce(lane))
        return made[0]

    async with open_house(tmp_path, engines=engines) as house:
        asking = asyncio.create_task(said(house, wav(speech())))
        await made[0].asked.wait()
        asking.cancel()
        await until(lambda: "who left" in {task.get_name() for task in asyncio.all_tasks()})
        made[0].left.set()
        await until(lambda: "who left" not in {task.get_name() for task in asyncio.all_tasks()})

        assert (await said(house, wav(speech())))["heard"] == "hello there"
