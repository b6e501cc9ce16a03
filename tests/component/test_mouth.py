"""The mouth, with a voice of tones: a first sound early, and all of it once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import numpy as np
import pytest

from firmware_bridge.contracts import Sound
from firmware_bridge.errors import SpeechUnusable
from firmware_bridge.lane import ComputeLane
from firmware_bridge.speech import Mouth
from firmware_bridge.speech.samples import Samples, from_pcm16
from firmware_bridge.speech.scripted import ToneSynthesiser

TEXT = "The boat leaves at noon from the old harbour. It is back by six."


async def sounds_of(mouth: Mouth, text: str, rate: int | None = None) -> list[Sound]:
    return [sound async for sound in mouth.read(text, rate)]


def samples_of(sounds: list[Sound]) -> np.ndarray:
    return from_pcm16(b"".join(sound.pcm for sound in sounds))


@pytest.mark.parametrize("rate", [None, 24_000])
async def test_a_clause_in_pieces_is_the_clause_without_a_seam(rate: int | None) -> None:
    async with ComputeLane() as lane:
        sounds = await sounds_of(Mouth(lane, ToneSynthesiser()), TEXT, rate)

    assert [sound.text for sound in sounds if sound.text] == [
        "The boat leaves at noon",
        "from the old harbour.",
        "It is back by six.",
    ]
    first = samples_of(sounds[: sounds.index(next(one for one in sounds if one.text.startswith("from")))])
    asked = rate or 16_000
    moments = np.arange(int(5 * 0.3 * asked)) / asked
    tone = 0.3 * np.sin(2 * np.pi * 220 * moments)
    inner = slice(asked // 50, len(tone) - asked // 50)  # a resampler rounds the edges of the whole
    assert np.abs(first[: len(tone)][inner] - tone[inner]).max() < 0.01


async def test_only_the_first_clause_comes_in_pieces() -> None:
    async with ComputeLane() as lane:
        sounds = await sounds_of(Mouth(lane, ToneSynthesiser()), TEXT)

    assert [bool(sound.text) for sound in sounds][-2:] == [True, True]
    assert len(sounds) > 3


async def test_what_was_prepared_is_told_at_once_and_made_once() -> None:
    voice = ToneSynthesiser()
    async with ComputeLane() as lane:
        mouth = Mouth(lane, voice)
        assert await mouth.prepare(TEXT)
        assert await mouth.prepare(TEXT)
        assert voice.texts == ["The boat leaves at noon,"]

        sounds = await sounds_of(mouth, TEXT)

    assert voice.texts[0] not in voice.texts[1:]
    fresh = ToneSynthesiser()
    async with ComputeLane() as lane:
        assert samples_of(sounds).tobytes() == samples_of(await sounds_of(Mouth(lane, fresh), TEXT)).tobytes()


async def test_who_asks_while_it_is_prepared_waits_for_no_other_sound() -> None:
    voice = ToneSynthesiser()

    async def written() -> AsyncIterator[str]:
        yield TEXT

    async with ComputeLane() as lane:
        mouth = Mouth(lane, voice)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(mouth.prepare(TEXT))
            await asyncio.sleep(0)
            sounds = [sound async for sound in mouth.follow(written())]

    assert voice.texts.count("The boat leaves at noon,") == 1
    assert sounds[0].text == "The boat leaves at noon"


async def test_what_has_no_words_makes_no_sound() -> None:
    async with ComputeLane() as lane:
        mouth = Mouth(lane, ToneSynthesiser())
        assert not await mouth.prepare("*** \U0001f600")
        assert await sounds_of(mouth, "*** \U0001f600") == []


class StumblingVoice(ToneSynthesiser):
    """Fails the first time."""

    def synthesise(self, text: str, *, soon: bool = False) -> Iterator[Samples]:
        sound = super().synthesise(text, soon=soon)
        if not self.asked.is_set():
            self.asked.set()
            raise SpeechUnusable("it stumbles", "let it")
        return sound


async def test_what_could_not_be_prepared_is_made_when_it_is_spoken() -> None:
    async with ComputeLane() as lane:
        mouth = Mouth(lane, StumblingVoice())
        with pytest.raises(SpeechUnusable):
            await mouth.prepare("Hello there.")
        assert [sound.text for sound in await sounds_of(mouth, "Hello there.") if sound.text] == ["Hello there."]
