"""Questions through the whole companion: how soon it speaks, and what it costs.

Three kinds: such as get short replies, open ones that want more than a sentence, such as memory answers. Each is asked
as a finished file and live, in frames of 20 ms as they are spoken; and its stages are run one after another to their
ends, as a program would that overlaps nothing: where it is live the silence that ends an utterance, then hearing all,
writing a reply of the usual length, speaking all of it in one go. Each way has a companion with a memory of its own, so
that none finds a question embedded, or its prompt read, by another.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from voice_data import found, read_wav, wrong_words

from firmware_bridge.app.companion import RunningCompanion
from firmware_bridge.contracts import (
    AudioFormat,
    AudioKind,
    Heard,
    Hearing,
    Recording,
    ReplySound,
    Said,
    Sound,
)
from firmware_bridge.machine import default_threads
from firmware_bridge.settings import SpeechSettings, load_settings
from firmware_bridge.speech.encoding import wav
from firmware_bridge.speech.engines import load_synthesiser
from firmware_bridge.speech.protocols import Synthesiser
from firmware_bridge.speech.samples import HEARING_RATE, Samples, as_sound, from_pcm16
from firmware_bridge.speech.spoken import spoken as words_aloud

QUESTIONS = (
    "synth/piper_25.wav",
    "synth/piper_15.wav",
    "synth/piper_19.wav",
    "synth/piper_20.wav",
    "synth/piper_05.wav",
)

WISHES = ("Tell me a story about a lighthouse.", "Tell me how bread is made.", "What can I do on a rainy day?")
OPEN = (  # which want more than a sentence
    "Why is the sky blue?",
    "How do I get a wine stain out of a shirt?",
    "What is the difference between a crocodile and an alligator?",
    "Can you explain how a bicycle stays upright?",
    "What should I pack for a week in Iceland?",
    "Tell me something interesting about bees.",
)
OF_MEMORY = (  # what is told, and the question that memory answers with it
    ("my sister's name is Anna", "What is my sister's name?"),
    ("the spare key is under the blue flower pot", "Where is the spare key?"),
    ("my dentist appointment is on Thursday at nine", "When is my dentist appointment?"),
    ("I am allergic to walnuts", "What am I allergic to?"),
)
FRAME_MS, SILENCE_SECONDS = 20, 2
FILLING = 12  # exchanges, more than a history holds
READING_SECONDS = 0.5  # more than the model needs to read ahead of a short conversation


async def talk(arguments: argparse.Namespace) -> dict[str, Any]:
    """First sound against one stage after another, memory, and hearing its own answer."""
    async with talking(arguments.profile) as companion:
        before = resident()
        short = [read_wav(arguments.data / name) for name in QUESTIONS]
        answer, sound = await spoken(companion, short[1], "own")
        added = peak() - before
        back = await companion.voice.transcribe(recording(wav(sound)))
        sounds = {
            "short": short + [await asked(companion, wish) for wish in WISHES],
            "open": [await asked(companion, wish) for wish in OPEN],
            "of memory": [await asked(companion, question) for _, question in OF_MEMORY],
        }
        grown = await growth(companion, short[1], arguments.repeats)
    ways = [await all_answered(arguments.profile, sounds, way) for way in (whole, live, stepped)]
    kinds = {kind: list(zip(*(way[kind] for way in ways), strict=True)) for kind in sounds}
    silence, figures = SpeechSettings().trailing_seconds, dict[str, Any]()
    for kind, each in {**kinds, "all": [one for answers in kinds.values() for one in answers]}.items():
        figures |= ratios(f"{kind}, whole file", [(one.seconds, steps.seconds) for one, _, steps in each])
        figures |= ratios(f"{kind}, live", [(one.seconds, silence + steps.seconds) for _, one, steps in each])
        endpoints = [(one.timings["endpoint_ms"] / 1e3, silence + steps.seconds) for _, one, steps in each]
        figures[f"{kind}, live: silence waited for, median and each"] = spread([waited for waited, _ in endpoints])
        alone = spread([waited / steps for waited, steps in endpoints])
        figures[f"{kind}, live: that silence alone, ratio, median and each"] = alone
        for stage in each[0][2].timings:
            seconds = spread([steps.timings[stage] / 1e3 for _, _, steps in each])
            figures[f"{kind}, one by one: {stage[:-3]}, median and each, s"] = seconds
        figures[f"{kind}: words in the replies"] = ", ".join(str(steps.words) for _, _, steps in each)
    errors, said = wrong_words(answer.text, back.text)
    return {
        **figures,
        "added resident memory, MB": round(added),
        "own answer heard back, wrong of words": f"{errors} of {said}",
        f"growth of resident memory over {arguments.repeats} questions, MB": round(grown, 1),
    }


@asynccontextmanager
async def talking(profile: str) -> AsyncIterator[RunningCompanion]:
    """A companion that has spoken already."""
    with tempfile.TemporaryDirectory() as folder:
        flags = {
            "data_dir": Path(folder),
            "model.profile": profile,
            "speech.enabled": "on",
            "log_level": "error",
            "model.temperature": 0.0,  # the same reply each time, so that times can be compared
        }
        async with RunningCompanion(load_settings(flags)) as companion:
            await said_in(companion, "hello there", "warm")
            yield companion


async def quiet(companion: RunningCompanion) -> None:
    """Until memory has digested what was said and the model has read ahead: no part of what is measured next."""
    while (await companion.health())["memory"]["jobs_pending"]:  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.1)
    await asyncio.sleep(READING_SECONDS)


async def asked(companion: RunningCompanion, text: str) -> Samples:
    """A question in the companion's own voice."""
    return from_pcm16(b"".join([sound.pcm async for sound in companion.voice.read_aloud(text, HEARING_RATE)]))


@dataclass(frozen=True)
class Answered:
    """Seconds from the end of speech to the first sound, or of all stages; what they are made of, in ms; words told."""

    seconds: float
    timings: Mapping[str, float]
    words: int


Way = Callable[[RunningCompanion, Samples, str], Awaitable[Answered]]


async def all_answered(profile: str, sounds: Mapping[str, Sequence[Samples]], way: Way) -> dict[str, list[Answered]]:
    """Each question in a session of its own, while nothing else is done."""
    answers: dict[str, list[Answered]] = {kind: [] for kind in sounds}
    async with talking(profile) as companion:
        await spoken(companion, sounds["short"][1], "warm")
        for kind, questions in sounds.items():
            for told, _ in OF_MEMORY if kind == "of memory" else ():
                await companion.memory.learn(told)
            for number, question in enumerate(questions):
                await quiet(companion)
                one = await way(companion, question, f"{kind.replace(' ', '_')}_{number}")
                answers[kind].append(one)
                stages = ", ".join(f"{name[:-3]} {ms:.0f}" for name, ms in one.timings.items() if name.endswith("_ms"))
                print(f"{kind} {number}, {way.__name__}, {one.seconds:.2f} s, ms: {stages}", flush=True)
    return answers


async def whole(companion: RunningCompanion, question: Samples, session: str) -> Answered:
    said, _ = await spoken(companion, question, session)
    return Answered(said.timings["first_audio_ms"] / 1e3, said.timings, len(said.text.split()))


async def live(companion: RunningCompanion, question: Samples, session: str) -> Answered:
    said, _ = await spoken(companion, question, session, live=True)
    return Answered(said.timings["first_audio_ms"] / 1e3, said.timings, len(said.text.split()))


async def stepped(companion: RunningCompanion, question: Samples, session: str) -> Answered:
    """The sum of the stages, each run to its end; what is done in idle time between them is waited for, not counted."""
    times = [time.perf_counter()]
    heard = await companion.voice.transcribe(recording(wav(as_sound(question, HEARING_RATE))))
    times.append(time.perf_counter())
    text = await said_in(companion, heard.text, session)
    times.append(time.perf_counter())
    await quiet(companion)
    voice, began = plain_voice(), time.perf_counter()
    for _ in voice.synthesise(words_aloud(text, "en")):
        pass
    hearing, writing, speaking = times[1] - times[0], times[2] - times[1], time.perf_counter() - began
    stages = {"hearing_ms": hearing * 1e3, "writing_ms": writing * 1e3, "speaking_ms": speaking * 1e3}
    return Answered(hearing + writing + speaking, stages, len(text.split()))


@lru_cache(maxsize=1)
def plain_voice() -> Synthesiser:
    """The companion's own voice, not parted, warm."""
    voice = load_synthesiser(*found(SpeechSettings().synthesiser), "en", default_threads())
    list(voice.synthesise("Hello there."))
    return voice


def ratios(how: str, seconds: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Of the first sound to the stages one by one."""
    return {
        f"{how}: end of speech to first sound, median and each, s": spread([first for first, _ in seconds]),
        f"{how}: the stages one by one, median seconds": round(statistics.median(steps for _, steps in seconds), 2),
        f"{how}: ratio, median and each": spread([first / steps for first, steps in seconds]),
    }


def spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} ({', '.join(f'{value:.2f}' for value in values)})"


async def spoken(
    companion: RunningCompanion, question: Samples, session: str, *, live: bool = False
) -> tuple[Said, Sound]:
    sound = as_sound(question, HEARING_RATE)
    asked = in_real_time(sound) if live else recording(wav(sound))
    sounds, said = [], None
    async for event in companion.voice.converse(Heard("", session), asked):
        if isinstance(event, ReplySound):
            sounds.append(event.sound)
        elif isinstance(event, Said):
            said = event
        elif isinstance(event, Hearing):
            assert event.text, event
    assert said is not None
    assert sounds, said
    return said, Sound(b"".join(sound.pcm for sound in sounds), sounds[0].rate)


@dataclass
class Sent:
    """How much was sent."""

    samples: int = 0


def in_real_time(sound: Sound, sent: Sent | None = None) -> Recording:
    """As a device sends it that leaves finding the end to the companion, and hears the user beside its own voice."""
    frame = 2 * sound.rate * FRAME_MS // 1000
    pcm = sound.pcm + bytes(2 * sound.rate * SILENCE_SECONDS)

    async def frames() -> AsyncIterator[bytes]:
        began = time.perf_counter()
        for number, start in enumerate(range(0, len(pcm), frame), 1):
            await asyncio.sleep(began + number * FRAME_MS / 1e3 - time.perf_counter())
            if sent is not None:
                sent.samples = start // 2
            yield pcm[start : start + frame]

    return Recording(frames(), AudioFormat(AudioKind.PCM16, sound.rate), live=True, goes_on=True)


async def said_in(companion: RunningCompanion, text: str, session: str) -> str:
    events = [event async for event in companion.talk(Heard(text, session))]
    assert isinstance(events[-1], Said)
    return events[-1].text


async def growth(companion: RunningCompanion, question: Samples, repeats: int) -> float:
    """MB over so many repeats, after those in which the history, and with it the cells of the KV cache, gets full."""
    sizes = []
    for _ in range(FILLING + repeats):
        await spoken(companion, question, "again")
        sizes.append(resident())
    return sizes[-1] - max(sizes[:FILLING])


def recording(data: bytes) -> Recording:
    async def pieces() -> AsyncIterator[bytes]:
        yield data

    return Recording(pieces(), AudioFormat(AudioKind.WAV))


def resident() -> float:
    return status("VmRSS")


def peak() -> float:
    return status("VmHWM")


def status(field: str) -> float:
    """MB, from the kernel."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024
