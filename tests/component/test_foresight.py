"""What is worked out in a pause: used when that was the end, dropped without a trace when it was not."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sounds import pcm16, silence, tone
from web_house import House, open_house, until

from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.contracts import (
    AudioFormat,
    AudioKind,
    Heard,
    Hearing,
    Recording,
    ReplySound,
    Said,
    VoiceEvent,
)
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech import Ears, EndpointRules
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.scripted import LoudnessDetector

FRAME = 320  # samples, 20 ms
Samples = NDArray[np.float32]


def by_length(samples: Samples, hints: Sequence[str]) -> Transcript:
    """The longer the sound, the more was said."""
    return Transcript("hello there" if len(samples) < 16_000 else "hello there and good morning", -0.1)


def long_reply(_: object) -> str:
    return "Well then, hello, to you as well. " + "It goes on and on. " * 3


async def as_spoken(samples: Samples, seconds: float = 0.02) -> AsyncIterator[bytes]:
    for start in range(0, len(samples), FRAME):
        await asyncio.sleep(seconds)
        yield pcm16(samples[start : start + FRAME])


async def converse(house: House, samples: Samples, *, live: bool = True, seconds: float = 0.02) -> list[VoiceEvent]:
    recording = Recording(as_spoken(samples, seconds), AudioFormat(AudioKind.PCM16), live)
    return [event async for event in house.companion.voice.converse(Heard("", "kitchen"), recording)]


async def converse_pausing(house: House, happened: Callable[[], object]) -> list[VoiceEvent]:
    """Speech with a pause of at least 0.6 s in it, in which something happens."""

    async def pieces() -> AsyncIterator[bytes]:
        async for piece in as_spoken(np.concatenate([silence(0.2), tone(0.5), silence(0.6)])):
            yield piece
        await until(happened)
        async for piece in as_spoken(np.concatenate([tone(0.5), silence(2)])):
            yield piece

    recording = Recording(pieces(), AudioFormat(AudioKind.PCM16), live=True)
    return [event async for event in house.companion.voice.converse(Heard("", "kitchen"), recording)]


def said_in(events: Sequence[VoiceEvent]) -> tuple[Hearing, Said]:
    return next(e for e in events if isinstance(e, Hearing)), next(e for e in events if isinstance(e, Said))


async def test_the_words_and_the_first_clause_are_there_when_the_end_is_found(tmp_path: Path) -> None:
    async with open_house(tmp_path, long_reply, 0.01, by_length) as house:
        events = await converse(house, np.concatenate([silence(0.2), tone(0.5), silence(2)]))

        hearing, said = said_in(events)
        assert hearing.text == "hello there"
        assert len(house.transcriber.calls) == 1, "the words were not recognised again"
        assert house.replies.drafted == house.replies.prompts, "the prompt was foreseen to the letter"
        assert house.synthesiser.texts.count("Well then, hello,") == 1, "nor was the sound made again"
        sounds = [event.sound for event in events if isinstance(event, ReplySound)]
        assert [sound.text for sound in sounds if sound.text][:2] == ["Well then, hello,", "to you as well."]
        assert said.timings["endpoint_ms"] >= 750, "the end is found no earlier than before"


async def test_who_only_paused_is_heard_as_a_whole_and_leaves_nothing_else(tmp_path: Path) -> None:
    async with open_house(tmp_path, long_reply, 0.01, by_length) as house:
        hearing, _ = said_in(await converse_pausing(house, lambda: house.replies.drafted))

        assert hearing.text == "hello there and good morning"
        assert len(house.transcriber.calls) == 2
        assert "hello there" in house.replies.drafted[0][-1].content
        turns = await house.memory.turns("kitchen", 10)
        assert [turn["heard"] for turn in turns] == ["hello there and good morning"]
        assert [prompt[-1].content for prompt in house.replies.prompts] == [house.replies.drafted[-1][-1].content]


async def heard_and_more(house: House) -> tuple[Hearing, bool]:
    """What was heard in speech and a pause of up to 4 s, and whether it was listened to all of that pause."""
    listened: list[bool] = []

    async def pieces() -> AsyncIterator[bytes]:
        async for piece in as_spoken(np.concatenate([silence(0.2), tone(0.5), silence(0.5)])):
            yield piece
        assert await asyncio.to_thread(house.synthesiser.asked.wait, 240)
        for _ in range(10):
            await asyncio.sleep(0.2)
            yield pcm16(silence(0.3))
        listened.append(True)

    recording = Recording(pieces(), AudioFormat(AudioKind.PCM16), live=True)
    events = [event async for event in house.companion.voice.converse(Heard("", "kitchen"), recording)]
    return said_in(events)[0], bool(listened)


@pytest.mark.parametrize(
    ("words", "waits"), [("where is the ladder?", False), ("I would like the", True), ("where is the", True)]
)
async def test_who_has_said_all_is_answered_as_soon_as_the_answer_is_there(
    tmp_path: Path, words: str, waits: bool
) -> None:
    patient = SpeechSettings(trailing_seconds=5)
    async with open_house(tmp_path, long_reply, hear=lambda *_: Transcript(words, -0.1), speech=patient) as house:
        hearing, listened_on = await heard_and_more(house)

        assert hearing.text == words
        assert listened_on is waits


async def test_a_draft_that_begins_with_the_users_own_words_goes_on_to_what_is_new(tmp_path: Path) -> None:
    def reply(_: object) -> str:
        return "You paint the fence. Mind the roses then. It is a long one."

    patient = SpeechSettings(trailing_seconds=5)
    told = Transcript("I paint the fence.", -0.1)
    async with open_house(tmp_path, reply, hear=lambda *_: told, speech=patient) as house:
        _, listened_on = await heard_and_more(house)

        assert not listened_on
        assert house.synthesiser.texts.count("You paint the fence.") == 1


async def test_a_reply_that_only_repeats_is_foreseen_as_it_will_be_told(tmp_path: Path) -> None:
    patient = SpeechSettings(trailing_seconds=5)
    told = Transcript("I paint the fence.", -0.1)
    async with open_house(tmp_path, lambda _: "You paint the fence.", hear=lambda *_: told, speech=patient) as house:
        _, listened_on = await heard_and_more(house)

        assert not listened_on
        assert house.synthesiser.texts == ["Okay.", "You paint the fence."]


async def test_a_held_button_is_foreseen_as_well(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length) as house:
        sound = np.concatenate([silence(0.2), tone(0.5), silence(0.5)])
        hearing, said = said_in(await converse(house, sound, live=False))

        assert (hearing.text, said.text) == ("hello there", "You said hello there.")
        assert len(house.transcriber.calls) == len(house.replies.drafted) == 1


async def test_what_comes_over_a_cable_is_foreseen_while_the_button_is_held(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length) as house:

        async def pieces() -> AsyncIterator[bytes]:
            async for piece in as_spoken(np.concatenate([silence(0.2), tone(0.5), silence(0.5)])):
                yield piece
            await until(lambda: house.replies.drafted)

        cable = CabledCompanion(house.companion, house.memory.devices)
        heard = Heard("", session_id="m5", device_id="m5", turn_id="t1")
        hearing, said = said_in([event async for event in cable.listen(heard, pieces(), 16_000)])

        assert (hearing.text, said.text) == ("hello there", "You said hello there.")
        assert len(house.transcriber.calls) == len(house.replies.drafted) == 1


async def test_the_pauses_of_a_finished_recording_are_no_ends(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length) as house:
        sound = np.concatenate([tone(0.5), silence(0.6), tone(0.5), silence(0.6), tone(0.5), silence(2)])
        await converse(house, sound, seconds=0)

        assert len(house.transcriber.calls) == 1
        assert not house.replies.drafted


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("set a timer for five minutes", SpeechSettings()),  # nothing is obeyed before it is said
        ("remember that the ladder is in the shed", SpeechSettings()),
        ("forget what I said about the ladder", SpeechSettings()),
        ("mm hmm", SpeechSettings()),
        ("hello there", SpeechSettings(wake_phrase="hey computer")),
        ("hello there", SpeechSettings(foresight=False)),
    ],
)
async def test_what_no_model_answers_is_not_drafted(tmp_path: Path, words: str, settings: SpeechSettings) -> None:
    async with open_house(tmp_path, hear=lambda *_: Transcript(words, -0.1), speech=settings) as house:
        await converse(house, np.concatenate([silence(0.2), tone(0.5), silence(2)]))

        assert not house.replies.drafted


async def test_a_recogniser_that_breaks_in_a_pause_breaks_nothing_else(tmp_path: Path) -> None:
    calls: list[int] = []

    def breaks_once(samples: Samples, hints: Sequence[str]) -> Transcript:
        calls.append(len(samples))
        if len(calls) == 1:
            raise RuntimeError("no memory left")
        return Transcript("hello there", -0.1)

    async with open_house(tmp_path, hear=breaks_once) as house:
        hearing, _ = said_in(await converse_pausing(house, lambda: calls))

        assert hearing.text == "hello there"


class HeldTranscriber:
    """Holds its first step until it may go on; `finished` counts the transcriptions that came to their end."""

    longest_seconds = 14.5

    def __init__(self) -> None:
        self.begun, self.may_go_on = threading.Event(), threading.Event()
        self.finished = 0

    def transcribe(self, samples: Samples, hints: Sequence[str]) -> Generator[None, None, Transcript]:
        self.begun.set()
        assert self.may_go_on.wait(240)
        yield
        self.finished += 1
        return Transcript("hello there", -0.1)


async def test_a_transcription_that_nobody_wants_any_more_ends_after_its_step() -> None:
    transcriber = HeldTranscriber()
    async with ComputeLane() as lane:
        ears = Ears(lane, transcriber, LoudnessDetector())
        listening = ears.listen(EndpointRules(), hold=False)
        await listening.feed(np.concatenate([tone(0.5), silence(0.3)]))
        catch = listening.caught()
        given_up = asyncio.create_task(ears.transcribe(catch, []))
        assert await asyncio.to_thread(transcriber.begun.wait, 240)
        given_up.cancel()
        for _ in range(10):
            await asyncio.sleep(0)  # it learns of that
        transcriber.may_go_on.set()

        assert (await ears.transcribe(catch, [])).text == "hello there"
        assert given_up.cancelled()
        assert transcriber.finished == 1
