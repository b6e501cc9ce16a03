"""Questions through the whole companion: how soon it speaks, what it costs, and whether a pause ends an utterance.

Three kinds: such as get short replies, open ones that want more than a sentence, such as memory answers. Each is asked
as a finished file and live, in frames of 20 ms as they are spoken; then its stages are run one after another to
their ends: the silence that ends an utterance, hearing all, writing all, speaking all.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from voice_data import Clip, clips, read_wav, wrong_words

from firmware_bridge.app.companion import RunningCompanion
from firmware_bridge.contracts import AudioFormat, AudioKind, Heard, Hearing, Recording, ReplySound, Said, Sound
from firmware_bridge.settings import SpeechSettings, load_settings
from firmware_bridge.speech import is_whole
from firmware_bridge.speech.encoding import wav
from firmware_bridge.speech.samples import HEARING_RATE, Samples, as_sound, from_pcm16, loudness

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
PAUSES = (0.5, 0.65)  # seconds, within an utterance; less than the silence that ends one
STAGES = ("endpoint_ms", "transcribe_ms", "recall_ms", "first_token_ms", "first_clause_ms", "first_audio_ms")


async def talk(arguments: argparse.Namespace) -> dict[str, Any]:
    """First sound against one stage after another, memory, and hearing its own answer."""
    async with talking(arguments.profile) as companion:
        before = resident()
        questions = [read_wav(arguments.data / name) for name in QUESTIONS]
        await spoken(companion, questions[1], "warm")
        added = peak() - before
        questions += [await asked(companion, wish) for wish in WISHES]
        kinds = {"short": await all_compared(companion, questions, "short")}
        kinds["open"] = await all_compared(companion, [await asked(companion, wish) for wish in OPEN], "open")
        for told, _ in OF_MEMORY:
            await companion.memory.learn(told)
        of_memory = [await asked(companion, question) for _, question in OF_MEMORY]
        kinds["of memory"] = await all_compared(companion, of_memory, "of memory")
        answer, sound = await spoken(companion, questions[1], "own")
        back = await companion.voice.transcribe(recording(wav(sound)))
        grown = await growth(companion, questions[1], arguments.repeats)
    errors, said = wrong_words(answer.text, back.text)
    figures: dict[str, Any] = {}
    for kind, compared in {**kinds, "all": [one for each in kinds.values() for one in each]}.items():
        figures |= ratios(f"{kind}, whole file", [(one.whole, one.steps) for one in compared])
        figures |= ratios(f"{kind}, live", [(one.live, one.silence + one.steps) for one in compared])
        endpoints = [one.endpoint for one in compared]
        figures[f"{kind}, live: silence waited for, median and each"] = spread(endpoints)
        figures[f"{kind}: words in the replies"] = ", ".join(str(one.words) for one in compared)
    return {
        **figures,
        "added resident memory, MB": round(added),
        "own answer heard back, wrong of words": f"{errors} of {said}",
        f"growth of resident memory over {arguments.repeats} questions, MB": round(grown, 1),
    }


async def pauses(arguments: argparse.Namespace) -> dict[str, Any]:
    """Recordings that were parted in the middle by silence: how many were taken for two, which is only where the answer
    to the first part was ready in the pause; and of how many that part sounds whole, so that a quicker machine may.
    """
    parted = [clip for clip in clips(arguments.data) if clip.kind != "noisy" and len(clip.samples) > 2 * HEARING_RATE]
    figures: dict[str, Any] = {}
    async with talking(arguments.profile) as companion:
        await spoken(companion, parted[0].samples, "warm")
        for seconds in PAUSES:
            cut = [clip.file for clip in parted if await is_cut(companion, clip, seconds)]
            figures[f"recordings of {len(parted)} with a pause of {seconds} s in them, taken for two"] = len(cut)
            if cut:
                figures[f"those with {seconds} s"] = ", ".join(cut)
        whole = [clip.file for clip in parted if await begins_whole(companion, clip)]
    figures[f"recordings of {len(parted)} whose first part sounds whole"] = len(whole)
    figures["those that do"] = ", ".join(whole) or "none"
    return figures


async def is_cut(companion: RunningCompanion, clip: Clip, seconds: float) -> bool:
    """Whether the end was found before the speaker went on."""
    place = quietest(clip.samples)
    silence = np.zeros(int(seconds * HEARING_RATE), np.float32)
    sound = as_sound(np.concatenate([clip.samples[:place], silence, clip.samples[place:]]), HEARING_RATE)
    sent = Sent()
    events = companion.voice.converse(Heard("", f"{Path(clip.file).stem}.{seconds}"), in_real_time(sound, sent))
    async with aclosing(events):
        async for event in events:
            if isinstance(event, Hearing):
                break
    await quiet(companion)
    return sent.samples < place + len(silence)


async def begins_whole(companion: RunningCompanion, clip: Clip) -> bool:
    first = as_sound(clip.samples[: quietest(clip.samples)], HEARING_RATE)
    heard = await companion.voice.transcribe(recording(wav(first)))
    return is_whole(heard.text, "en")


def quietest(samples: Samples) -> int:
    """The beginning of the quietest 60 ms in the middle half."""
    piece = HEARING_RATE * 60 // 1000
    starts = range(len(samples) // 4, 3 * len(samples) // 4, piece // 3)
    return min(starts, key=lambda start: loudness(samples[start : start + piece]))


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
    """Until memory has digested what was said: its work is no part of what is measured next."""
    while (await companion.health())["memory"]["jobs_pending"]:  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.1)


async def asked(companion: RunningCompanion, text: str) -> Samples:
    """A question in the companion's own voice."""
    return from_pcm16(b"".join([sound.pcm async for sound in companion.voice.read_aloud(text, HEARING_RATE)]))


@dataclass(frozen=True)
class Compared:
    """Seconds from the end of speech to the first sound, asked as a whole file and live; what the stages take that are
    run one after another to their ends, and before them the silence that tells the end of an utterance whose words
    nobody knows yet; and the silence that was waited for.
    """

    whole: float
    live: float
    steps: float
    silence: float
    endpoint: float
    words: int


async def compared(companion: RunningCompanion, question: Samples, name: str) -> Compared:
    session = name.replace(" ", "_")
    await quiet(companion)
    whole, _ = await spoken(companion, question, f"whole_{session}")
    await quiet(companion)
    live, _ = await spoken(companion, question, f"live_{session}", live=True)
    print(
        f"{name}, ms: " + ", ".join(f"{name[:-3]} {live.timings.get(name, 0):.0f}" for name in STAGES),
        flush=True,
    )
    await quiet(companion)
    return Compared(
        whole.timings["first_audio_ms"] / 1e3,
        live.timings["first_audio_ms"] / 1e3,
        await one_after_another(companion, question, f"stepped_{session}"),
        SpeechSettings().trailing_seconds,
        live.timings["endpoint_ms"] / 1e3,
        len(whole.text.split()),
    )


async def all_compared(companion: RunningCompanion, questions: Sequence[Samples], kind: str) -> list[Compared]:
    return [await compared(companion, question, f"{kind} {number}") for number, question in enumerate(questions)]


def ratios(how: str, seconds: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Of the first sound to the stages one by one."""
    return {
        f"{how}: end of speech to first sound, median and each, s": spread([first for first, _ in seconds]),
        f"{how}: the stages one by one, median seconds": round(statistics.median(steps for _, steps in seconds), 2),
        f"{how}: ratio, median and each": spread([first / steps for first, steps in seconds]),
    }


def spread(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} ({', '.join(f'{value:.2f}' for value in values)})"


async def one_after_another(companion: RunningCompanion, question: Samples, session: str) -> float:
    """Hear all, write all, speak all: the sum of the stages, each run to its end before the next."""
    began = time.perf_counter()
    heard = await companion.voice.transcribe(recording(wav(as_sound(question, HEARING_RATE))))
    text = await said_in(companion, heard.text, session)
    async for _ in companion.voice.read_aloud(text):
        pass
    return time.perf_counter() - began


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
    return said, Sound(b"".join(sound.pcm for sound in sounds), sounds[0].rate)


@dataclass
class Sent:
    """How much was sent."""

    samples: int = 0


def in_real_time(sound: Sound, sent: Sent | None = None) -> Recording:
    """As a device sends it that leaves finding the end to the companion."""
    frame = 2 * sound.rate * FRAME_MS // 1000
    pcm = sound.pcm + bytes(2 * sound.rate * SILENCE_SECONDS)

    async def frames() -> AsyncIterator[bytes]:
        began = time.perf_counter()
        for number, start in enumerate(range(0, len(pcm), frame), 1):
            await asyncio.sleep(began + number * FRAME_MS / 1e3 - time.perf_counter())
            if sent is not None:
                sent.samples = start // 2
            yield pcm[start : start + frame]

    return Recording(frames(), AudioFormat(AudioKind.PCM16, sound.rate), live=True)


async def said_in(companion: RunningCompanion, text: str, session: str) -> str:
    events = [event async for event in companion.talk(Heard(text, session))]
    assert isinstance(events[-1], Said)
    return events[-1].text


async def growth(companion: RunningCompanion, question: Samples, repeats: int) -> float:
    """MB between the first quarter of the repeats and their end."""
    sizes = []
    for _ in range(repeats):
        await spoken(companion, question, "again")
        sizes.append(resident())
    return sizes[-1] - max(sizes[: max(1, repeats // 4)])


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
