"""The engines on their real weights: what the voice says, the ears understand; what is no speech, they do not."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from sounds import Samples, silence, tone

from firmware_bridge.lane import ComputeLane
from firmware_bridge.speech import Catch, Ears, EndpointRules
from firmware_bridge.speech.endpointing import Ending
from firmware_bridge.speech.engines import ESPEAK, load_detector, load_synthesiser, load_transcriber
from firmware_bridge.speech.protocols import Synthesiser, Transcriber
from firmware_bridge.speech.samples import HEARING_RATE, resampled
from firmware_bridge.weights import Role, Shelf, load_catalogue, weights_dir

pytestmark = pytest.mark.speech
SHELF = Shelf(load_catalogue(), weights_dir(Path("unused")))


def model_file(role: Role) -> tuple[str, Path]:
    model = SHELF.catalogue.of_role(role)[0]
    return model.engine, SHELF.verify(model)


@pytest.fixture(scope="module")
def voice() -> Synthesiser:
    return load_synthesiser(*model_file(Role.SPEAKING), "en")


@pytest.fixture(scope="module")
def recogniser() -> Transcriber:
    return load_transcriber(*model_file(Role.HEARING), "en", 1)


@pytest.fixture
async def ears(recogniser: Transcriber) -> AsyncIterator[Ears]:
    async with ComputeLane() as lane:
        yield Ears(lane, recogniser, load_detector(*model_file(Role.LISTENING)))


def said(voice: Synthesiser, text: str) -> Samples:
    return resampled(voice.synthesise(text), voice.rate, HEARING_RATE)


async def caught(ears: Ears, samples: Samples) -> Catch:
    listening = ears.listen(EndpointRules(), hold=False)
    for place in range(0, len(samples), 1_600):  # as a device sends them
        if await listening.feed(samples[place : place + 1_600]):
            break
    return await listening.finish()


async def test_what_is_said_is_understood(ears: Ears, voice: Synthesiser) -> None:
    sound = np.concatenate([silence(0.5), said(voice, "Turn on the kitchen light please."), silence(1.2)])

    catch = await caught(ears, sound)
    heard = await ears.transcribe(catch, [])

    assert catch.utterance.ending is Ending.SILENCE
    assert 1.0 < len(catch.samples) / HEARING_RATE < len(sound) / HEARING_RATE - 0.5, "silence was cut away"
    # The voice is never quite the same twice: one word of six may be misheard.
    words = heard.text.lower().replace(",", "").rstrip(".").split()
    assert len(words) == 6
    assert len(set(words) & set("turn on the kitchen light please".split())) >= 5
    assert heard.confidence > -0.5


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
async def test_the_small_voice_is_understood_too(ears: Ears) -> None:
    voice = load_synthesiser(ESPEAK, None, "en")
    told = "-v turn on the kitchen light please"  # what looks like an option is only read out

    heard = await ears.transcribe(await caught(ears, said(voice, told)), [])

    assert len(voice.synthesise("")) < voice.rate
    words = set(heard.text.lower().replace(",", "").rstrip(".").split())
    assert len(words & set("turn on the kitchen light please".split())) >= 5


async def test_a_name_is_heard_right_when_memory_gives_it(ears: Ears, voice: Synthesiser) -> None:
    heard = []
    for _ in range(3):  # the voice is never quite the same twice
        catch = await caught(ears, said(voice, "Please call my neighbour Siobhan Okonkwo."))
        heard.append((await ears.transcribe(catch, ["Siobhan", "Okonkwo"])).text)

    assert any("Okonkwo" in text for text in heard)


@pytest.mark.parametrize("kind", ["silence", "white", "hum", "clicks", "melody"])
async def test_noise_is_no_speech(ears: Ears, kind: str) -> None:
    random = np.random.default_rng(5)
    sound = {
        "silence": random.normal(0, 0.0005, 64_000),
        "white": random.normal(0, 0.03, 64_000),
        "hum": 0.2 * np.sin(2 * np.pi * 50 * np.arange(64_000) / HEARING_RATE),
        "clicks": np.where(random.random(64_000) > 0.9995, 0.9, 0.0),
        "melody": np.concatenate([tone(0.25) * level for level in (1, 0.5) * 8]),
    }[kind].astype(np.float32)

    assert not (await caught(ears, sound)).utterance.is_speech
