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
from firmware_bridge.speech.native import open_session
from firmware_bridge.speech.parting import parted
from firmware_bridge.speech.protocols import Synthesiser, Transcriber
from firmware_bridge.speech.samples import HEARING_RATE, resampled
from firmware_bridge.weights import Role, Shelf, load_catalogue, weights_dir

pytestmark = pytest.mark.speech
SHELF = Shelf(load_catalogue(), weights_dir(Path("unused")))


def model_file(role: Role) -> tuple[str, Path]:
    model = SHELF.catalogue.of_role(role)[0]
    return model.engine, SHELF.verify(model)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def voice(cache: Path) -> Synthesiser:
    return load_synthesiser(*model_file(Role.SPEAKING), "en", cache=cache)


@pytest.fixture(scope="module")
def recogniser() -> Transcriber:
    return load_transcriber(*model_file(Role.HEARING), "en", 1)


@pytest.fixture
async def ears(recogniser: Transcriber) -> AsyncIterator[Ears]:
    async with ComputeLane() as lane:
        yield Ears(lane, recogniser, load_detector(*model_file(Role.LISTENING)))


def said(voice: Synthesiser, text: str) -> Samples:
    return resampled(np.concatenate(list(voice.synthesise(text))), voice.rate, HEARING_RATE)


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


async def test_the_voice_begins_before_it_has_made_the_rest_and_is_understood_as_a_whole(
    ears: Ears, voice: Synthesiser
) -> None:
    text = "Turn on the kitchen light and the small lamp beside the door please."
    list(voice.synthesise(text))  # it measures itself

    pieces = list(voice.synthesise(text, soon=True))

    assert len(pieces) > 1, "this machine keeps up with the playing of a short piece"
    assert len(pieces[0]) < voice.rate < len(np.concatenate(pieces))
    heard = await ears.transcribe(await caught(ears, resampled(np.concatenate(pieces), voice.rate, HEARING_RATE)), [])
    assert len(set(heard.text.lower().strip(".").split()) & set(text.lower().strip(".").split())) >= 10


def test_a_network_in_two_parts_makes_the_sound_of_a_stretch_as_within_the_whole(cache: Path) -> None:
    _, path = model_file(Role.SPEAKING)
    halves = parted(path, cache)
    assert halves is not None
    session = open_session(halves[1])
    joint = session.get_inputs()[0].name
    frames = np.random.default_rng(3).normal(size=(1, 192, 90)).astype(np.float32)

    (whole,) = session.run(None, {joint: frames})
    (stretch,) = session.run(None, {joint: frames[:, :, 18:72]})  # of which 12 frames to each side are beside it

    samples = whole.shape[-1] // 90
    within = whole.reshape(-1)[30 * samples : 60 * samples]
    assert np.abs(stretch.reshape(-1)[12 * samples : 42 * samples] - within).max() < 1e-4
    assert np.abs(within).max() > 0.01


def test_a_voice_is_parted_once_and_anew_when_it_is_another(tmp_path: Path) -> None:
    _, path = model_file(Role.SPEAKING)
    voice, cache = tmp_path / "voice.onnx", tmp_path / "cache"
    voice.symlink_to(path)
    halves = parted(voice, cache)
    assert halves is not None
    made = [half.stat().st_mtime_ns for half in halves]
    assert parted(voice, cache) == halves
    assert [half.stat().st_mtime_ns for half in halves] == made

    voice.unlink()
    voice.write_bytes(path.read_bytes())

    assert parted(voice, cache) not in (None, halves)
    assert len(list(cache.iterdir())) == 1, "what nobody needs any more is gone"


def test_what_has_no_such_parts_is_spoken_as_a_whole(tmp_path: Path) -> None:
    other = SHELF.verify(SHELF.catalogue.of_role(Role.LISTENING)[0])

    assert parted(other, tmp_path) is None
    voice = load_synthesiser(*model_file(Role.SPEAKING), "en")
    assert len(list(voice.synthesise("Hello there.", soon=True))) == 1


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
async def test_the_small_voice_is_understood_too(ears: Ears) -> None:
    voice = load_synthesiser(ESPEAK, None, "en")
    told = "-v turn on the kitchen light please"  # what looks like an option is only read out

    heard = await ears.transcribe(await caught(ears, said(voice, told)), [])

    assert sum(map(len, voice.synthesise(""))) < voice.rate
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
