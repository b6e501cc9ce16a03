"""An utterance that ended early and goes on: its reply is given up, its turn counts for nothing, all of it is one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sounds import pcm16, silence, tone
from web_house import House, open_house, until
from xiaozhi_socket import connected

from edge_memory.store.records import Filter
from firmware_bridge.contracts import (
    AudioFormat,
    AudioKind,
    Heard,
    HeardOut,
    Hearing,
    Recording,
    ReplySound,
    Said,
    TakenBack,
    VoiceEvent,
)
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech.protocols import Transcript

Samples = NDArray[np.float32]
FIRST, ALL = "My cat's name is Biscuit.", "My cat's name is Biscuit. And my dog's name is Waffles."
PATIENT = SpeechSettings(trailing_seconds=5, go_on_seconds=1)  # only what sounds whole ends in these tests


def by_length(samples: Samples, hints: Sequence[str]) -> Transcript:
    return Transcript(FIRST if len(samples) < 16_000 else ALL, -0.1)


async def as_spoken(*sounds: Samples) -> AsyncIterator[bytes]:
    samples = np.concatenate(sounds)
    for start in range(0, len(samples), 320):
        await asyncio.sleep(0.02)
        yield pcm16(samples[start : start + 320])


async def until_heard(happened: Callable[[], object]) -> AsyncIterator[bytes]:
    """Silence, in real time, until something happens."""
    while not happened():
        async for piece in as_spoken(silence(0.02)):
            yield piece


async def converse(house: House, *, goes_on: bool, speaks_on: bool, turn_id: str | None = None) -> list[VoiceEvent]:
    events: list[VoiceEvent] = []

    def replied() -> bool:
        return any(isinstance(event, ReplySound) for event in events)

    async def pieces() -> AsyncIterator[bytes]:
        for sound in (as_spoken(silence(0.2), tone(0.5)), until_heard(replied)):
            async for piece in sound:
                yield piece
        async for piece in as_spoken(tone(0.6) if speaks_on else silence(0.6), silence(2.0)):
            yield piece

    recording = Recording(pieces(), AudioFormat(AudioKind.PCM16), live=True, goes_on=goes_on)
    async for event in house.companion.voice.converse(Heard("", "kitchen", turn_id=turn_id), recording):
        events.append(event)
    return events


async def digested(house: House) -> list[str]:
    await house.memory.prepare()
    while await house.memory.digest_once():
        pass
    found, _ = await house.memory.select(Filter(), limit=100)
    return sorted(record.text for record in found)


@pytest.mark.parametrize("turn_id", [None, "of-the-device"])
async def test_who_goes_on_is_heard_as_one_and_what_was_replied_counts_for_nothing(
    tmp_path: Path, turn_id: str | None
) -> None:
    async with open_house(tmp_path, hear=by_length, speech=PATIENT) as house:
        events = await converse(house, goes_on=True, speaks_on=True, turn_id=turn_id)

        hearings = [event for event in events if isinstance(event, Hearing)]
        assert [one.text for one in hearings] == [FIRST, ALL]
        place = next(number for number, event in enumerate(events) if isinstance(event, TakenBack))
        assert place < events.index(hearings[1])
        said = [event for event in events if isinstance(event, Said)][-1]
        assert "Waffles" in said.text
        assert [(turn["heard"], turn["said"]) for turn in await house.memory.turns("kitchen", 10)] == [(ALL, said.text)]
        assert turn_id in (None, said.turn_id)
        history = [message.content for message in await house.memory.history("kitchen")]
        assert history == [ALL, said.text]
        assert await digested(house) == ["The user's cat's name is Biscuit", "The user's dog's name is Waffles"]


async def test_who_has_said_all_is_answered_as_ever_and_then_digested(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length, speech=PATIENT) as house:
        events = await converse(house, goes_on=True, speaks_on=False)

        assert [event.text for event in events if isinstance(event, Hearing)] == [FIRST]
        assert not any(isinstance(event, TakenBack) for event in events)
        assert [turn["heard"] for turn in await house.memory.turns("kitchen", 10)] == [FIRST]
        assert await digested(house) == ["The user's cat's name is Biscuit"]


async def test_that_nobody_goes_on_is_told_while_the_reply_is_written(tmp_path: Path) -> None:
    quick = PATIENT.model_copy(update={"go_on_seconds": 0.2})
    asks = Transcript("How far is the moon?", -0.1)
    async with open_house(tmp_path, lambda _: "It goes on and on. " * 5, 0.1, lambda *_: asks, quick) as house:
        events = await converse(house, goes_on=True, speaks_on=False)

        order = [type(event) for event in events if isinstance(event, HeardOut | Said)]
        assert order == [HeardOut, Said]


@pytest.mark.parametrize("never", [True, False])
async def test_where_nothing_more_can_be_heard_the_first_words_stand(tmp_path: Path, never: bool) -> None:
    settings = PATIENT.model_copy(update={"go_on_seconds": 0.0}) if never else PATIENT
    async with open_house(tmp_path, hear=by_length, speech=settings) as house:
        events = await converse(house, goes_on=never, speaks_on=True)

        assert [event.text for event in events if isinstance(event, Hearing)] == [FIRST]
        assert not any(isinstance(event, HeardOut | TakenBack) for event in events)


async def test_a_turn_that_did_something_is_not_taken_back(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        dialogue, memory = house.companion.dialogue, house.memory
        for turn_id, text in (("timer", "set a timer for five minutes"), ("told", "my cat's name is Biscuit")):
            with memory.undecided.hold():
                heard = Heard(text, "kitchen", turn_id=turn_id)
                _ = [event async for event in dialogue.talk(heard)]
                assert await dialogue.take_back(heard) is (turn_id == "told")
        assert await dialogue.take_back(Heard("", "kitchen", turn_id="never-heard"))

        assert [turn["turn_id"] for turn in await memory.turns("kitchen", 10)] == ["timer"]
        assert (await memory.turn("told")) is None
        assert await digested(house) == []
        assert len(await memory.search("Biscuit")) == 0


async def test_who_sends_no_more_sound_does_not_go_on_and_holds_nothing_up(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length, speech=PATIENT) as house:
        may_end, events = asyncio.Event(), list[VoiceEvent]()

        async def pieces() -> AsyncIterator[bytes]:
            for sound in (as_spoken(silence(0.2), tone(0.5)), until_heard(lambda: events)):
                async for piece in sound:
                    yield piece
            await may_end.wait()

        recording = Recording(pieces(), AudioFormat(AudioKind.PCM16), live=True, goes_on=True)
        async for event in house.companion.voice.converse(Heard("", "kitchen"), recording):
            events.append(event)
        assert await digested(house) == ["The user's cat's name is Biscuit"]


async def test_a_page_that_showed_the_turn_is_told_that_it_counts_for_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length, speech=PATIENT) as house:
        with house.companion.happenings.watch("owner") as watcher:
            await converse(house, goes_on=True, speaks_on=True)
            told = [await watcher.next() for _ in range(5)]
        assert [one.name for one in told] == ["begun", "said", "taken_back", "begun", "said"]
        assert told[2].data["turn_id"] == told[0].data["turn_id"]


async def test_over_http_the_sound_of_the_new_reply_follows_in_the_same_answer(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length, speech=PATIENT) as house:
        sounding = asyncio.Event()

        async def body() -> AsyncIterator[bytes]:
            for sound in (
                as_spoken(silence(0.2), tone(0.5)),
                until_heard(sounding.is_set),
                as_spoken(tone(0.6), silence(2.0)),
            ):
                async for piece in sound:
                    yield piece

        headers = {"Content-Type": "audio/pcm;rate=16000", "Accept": "audio/pcm"}
        url = f"{house.url}/chat/audio?goes_on=true&session_id=kitchen"
        async with house.session.post(url, data=body(), headers=headers) as got:
            await got.content.readexactly(1_000)
            sounding.set()
            rest = await got.read()
        assert len(rest) / 32_000 > 9 * 0.3, "all words of the second reply"
        assert [turn["heard"] for turn in await house.memory.turns("kitchen", 10)] == [ALL]


async def test_a_device_in_realtime_mode_falls_silent_and_is_told_anew(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=by_length, speech=PATIENT) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode="realtime")
        await device.say(np.concatenate([silence(0.2), tone(0.5)]), pace=0.06)
        while not any(message.get("state") == "sentence_start" for message in device.messages()):
            await device.say(silence(0.06), pace=0.06)
        await device.say(np.concatenate([tone(0.6), silence(2.0)]), pace=0.06)
        await until(lambda: len([one for one in device.messages() if one["type"] == "stt"]) == 2)
        assert [one["text"] for one in device.messages() if one["type"] == "stt"] == [FIRST, ALL]
        silent_at = next(
            at for at, one in enumerate(device.told) if isinstance(one, dict) and one.get("state") == "stop"
        )
        before = [frame for frame in device.told[:silent_at] if isinstance(frame, bytes)]
        assert len(before) * 0.06 < 1.8, "its first sentence takes longer"
        states = [one["state"] for one in device.messages() if one.get("state") in ("start", "stop")]
        assert states[:3] == ["start", "stop", "start"]
        while not [turn for turn in await house.memory.turns(None, 10) if turn["said"]]:
            pass
        assert [turn["heard"] for turn in await house.memory.turns(None, 10)] == [ALL]
