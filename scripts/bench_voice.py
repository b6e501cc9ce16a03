"""Does it hear what was said, keep quiet when nothing was, and speak soon? On recordings whose words are known.

`synth` and the names are spoken by machines, and the noise of `noisy` is simulated: real rooms are harder. Times are
those of this machine, one thread for each engine (`talk`: as shipped); run it while nothing else runs. `talk` asks each
question as a finished file and live, in frames of 20 ms as they are spoken, and sums the stages up one by one.
usage: scripts/bench_voice.py [--data FOLDER] [--profile small] [--only hearing,names,noise,talk] [--recogniser NAME]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from voice_data import Clip, clips, read_wav, words, wrong_words

from edge_memory.memory import OWNER, Memory
from firmware_bridge.app.acquaintance import Acquaintance
from firmware_bridge.app.companion import RunningCompanion
from firmware_bridge.contracts import AudioFormat, AudioKind, Heard, Hearing, Recording, ReplySound, Said, Sound
from firmware_bridge.errors import WeightsMissing
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings import load_settings
from firmware_bridge.speech import Ears, EndpointRules
from firmware_bridge.speech.encoding import wav
from firmware_bridge.speech.engines import load_detector, load_synthesiser, load_transcriber
from firmware_bridge.speech.protocols import Synthesiser
from firmware_bridge.speech.samples import HEARING_RATE, Samples, as_sound, from_pcm16, resampled
from firmware_bridge.weights import Model, Role, Shelf, load_catalogue, weights_dir

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "speech"
SHELF = Shelf(load_catalogue(), weights_dir(ROOT))
NAMES = (  # a household's people, pets, places and medicines, as they would be told
    ("my wife's name is {}", "Priya Siobhan Aoife Ingeborg"),
    ("my brother's name is {}", "Joaquin Zbigniew Eoin Kwame"),
    ("my sister's name is {}", "Xiomara Nkechi Saoirse Ludmila"),
    ("my neighbour's name is {}", "Okonkwo Vasquez Thorvald Nguyen"),
    ("my dog's name is {}", "Biscuit Pixel Zorro Moxie"),
    ("we went on holiday to {}", "Bangalore Galway Tromso Ljubljana"),
    ("my parents went to {}", "Oaxaca Wroclaw Szeged Tampere"),
    ("I take {} every morning", "metformin ramipril levothyroxine sertraline"),
)
MORE_NAMES = (  # more of them, said by a lower and a higher voice as well
    ("my wife's name is {}", "Niamh Annelise Svetlana Lakshmi Keiko Esperanza"),
    ("my brother's name is {}", "Oisin Bjorn Yusuf Rajesh Guillermo Wojciech"),
    ("my sister's name is {}", "Chidinma Ayodele Freya Bronagh"),
    ("my neighbour's name is {}", "Kowalczyk Mbeki Haruki Delacroix"),
    ("my dog's name is {}", "Nacho Truffle Gizmo Ziggy"),
    ("we went on holiday to {}", "Reykjavik Marrakesh Aberystwyth Gdansk"),
    ("my parents went to {}", "Kathmandu Valparaiso Tallinn Uppsala"),
    ("I take {} every morning", "amlodipine atorvastatin bisoprolol gabapentin lisinopril warfarin citalopram"),
)
SPEEDS = (0.93, 1.0, 1.08)
ASKS = {
    "people": "Please call {} tomorrow morning.",
    "places": "Is it raining in {} today?",
    "medicines": "Did I take my {} today?",
}
QUESTIONS = (
    "synth/piper_25.wav",
    "synth/piper_15.wav",
    "synth/piper_19.wav",
    "synth/piper_20.wav",
    "synth/piper_05.wav",
)

WISHES = ("Tell me a story about a lighthouse.", "Tell me how bread is made.", "What can I do on a rainy day?")
LONG_REPLY_WORDS = 25
FRAME_MS, SILENCE_SECONDS = 20, 2
STAGES = ("endpoint_ms", "transcribe_ms", "recall_ms", "first_token_ms", "first_clause_ms", "first_audio_ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--profile", default="small")
    parser.add_argument("--only", default="hearing,names,noise,talk")
    parser.add_argument("--recogniser", default="", help="only this one; else each whose weights are here")
    parser.add_argument("--repeats", type=int, default=20, help="of one question, to see whether memory grows")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if not (arguments.data / "manifest.jsonl").is_file():
        parser.exit(0, f"skipped: there are no recordings in {arguments.data}\n")
    figures: dict[str, Any] = {}
    for part in arguments.only.split(","):
        figures |= asyncio.run(PARTS[part](arguments))
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        print(f"{name:<66} {value}")


async def hearing(arguments: argparse.Namespace) -> dict[str, Any]:
    """Word error rates, and seconds for a clip of 3 s on one thread, of each recogniser."""
    recorded = list(clips(arguments.data))
    figures: dict[str, Any] = {}
    for model in recognisers(arguments.recogniser):
        async with ears(model.name) as listener:
            wrong: dict[str, list[int]] = defaultdict(lambda: [0, 0])
            for clip in recorded:
                heard, _ = await heard_in(listener, clip.samples, [])
                for index, count in enumerate(wrong_words(clip.text, heard)):
                    wrong[clip.kind][index] += count
            rates = " / ".join(f"{100 * errors / said:.1f}" for errors, said in wrong.values())
            figures[f"{model.name}: word error rate %, {' / '.join(wrong)}"] = rates
            figures[f"{model.name}: transcription, ratio to 3 s"] = await pace(listener, recorded)
    return figures


async def pace(listener: Ears, recorded: Sequence[Clip]) -> float:
    """Median over clips of 2.5 to 3.5 s, each cut or filled to 3 s; detection of the utterance is not counted."""
    ratios = []
    for clip in recorded:
        if clip.kind == "real" and 2.5 <= len(clip.samples) / HEARING_RATE <= 3.5:
            three = np.pad(clip.samples, (0, 3 * HEARING_RATE))[: 3 * HEARING_RATE]
            _, seconds = await heard_in(listener, three, [])
            ratios.append(seconds / 3)
    return round(statistics.median(ratios), 3)


async def names(arguments: argparse.Namespace) -> dict[str, Any]:
    """Names that memory was told, said by a machine, with and without memory's help; and what that help does to
    sentences without them.
    """
    voice = load_synthesiser(*found(SHELF.catalogue.of_role(Role.SPEAKING)[0].name), "en")
    recorded, figures = list(clips(arguments.data)), dict[str, Any]()
    for label, groups, speeds in (("uncommon", NAMES, (1.0,)), ("more", MORE_NAMES, SPEEDS)):
        told = [(sentence, name) for sentence, group in groups for name in group.split()]
        known = await acquainted(told)
        sounds = [spoken_by(voice, ask_for(*one), speed) for one, speed in zip(told, cycle(speeds), strict=False)]
        for model in recognisers(arguments.recogniser):
            async with ears(model.name) as listener:
                alone = helped = strange = 0
                for (_, name), sound in zip(told, sounds, strict=True):
                    alone += contains((await heard_in(listener, sound, []))[0], name)
                    helped += contains((await heard_in(listener, sound, known))[0], name)
                for clip in recorded:
                    heard, _ = await heard_in(listener, clip.samples, known)
                    strange += any(contains(heard, name) and not contains(clip.text, name) for name in known)
            what = f"{model.name}: {label} names right of {len(told)}, with memory's help / alone"
            figures[what] = f"{helped} / {alone} ({100 * helped / len(told):.0f}%)"
            figures[f"{model.name}: {len(recorded)} recordings without {label} names, one heard in"] = strange
        missing = [name for _, name in told if name not in known]
        figures[f"{label} names that memory was told and did not give"] = ", ".join(missing) or "none"
    return figures


async def acquainted(told: Sequence[tuple[str, str]]) -> list[str]:
    """The names that memory gives once it was told them."""
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True) as memory:
            for sentence, name in told:
                await memory.learn(sentence.format(name))
            return await Acquaintance(memory, "Lo-Bug").names("s", OWNER)


def ask_for(sentence: str, name: str) -> str:
    return ASKS["medicines" if "take" in sentence else "places" if "went" in sentence else "people"].format(name)


def spoken_by(voice: Synthesiser, text: str, speed: float) -> Samples:
    """Faster is higher, too, as if somebody else spoke."""
    return resampled(voice.synthesise(text), round(voice.rate * speed), HEARING_RATE)


async def noise(arguments: argparse.Namespace) -> dict[str, Any]:
    """Files without speech that ended in words."""
    files = sorted((arguments.data / "noise").glob("*.wav"))
    async with ears(SHELF.catalogue.of_role(Role.HEARING)[0].name) as listener:
        worded = [path.stem for path in files if (await heard_in(listener, read_wav(path), []))[0]]
        silence = (await heard_in(listener, np.zeros(5 * HEARING_RATE, np.float32), []))[0]
    return {f"noise and silence answered with words, of {len(files) + 1}": len(worded) + bool(silence)}


async def talk(arguments: argparse.Namespace) -> dict[str, Any]:
    """Through the whole companion: first sound against one stage after another, memory, and hearing its own answer."""
    with tempfile.TemporaryDirectory() as folder:
        flags = {
            "data_dir": Path(folder),
            "model.profile": arguments.profile,
            "speech.enabled": "on",
            "log_level": "error",
            "model.temperature": 0.0,  # the same reply each time, so that times can be compared
        }
        async with RunningCompanion(load_settings(flags)) as companion:
            await said_in(companion, "hello there", "warm")
            before = resident()
            questions = [read_wav(arguments.data / name) for name in QUESTIONS]
            await spoken(companion, questions[1], "warm")
            added = peak() - before
            questions += [await asked(companion, wish) for wish in WISHES]
            asked_so_far = [await compared(companion, question, number) for number, question in enumerate(questions)]
            answer, sound = await spoken(companion, questions[1], "own")
            back = await companion.voice.transcribe(recording(wav(sound)))
            grown = await growth(companion, questions[1], arguments.repeats)
    errors, said = wrong_words(answer.text, back.text)
    return {
        **ratios("whole file", [(one.whole, one.steps) for one in asked_so_far], asked_so_far),
        **ratios("live", [(one.live, one.steps + one.endpoint) for one in asked_so_far], asked_so_far),
        "words in the replies": ", ".join(str(one.words) for one in asked_so_far),
        "added resident memory, MB": round(added),
        "own answer heard back, wrong of words": f"{errors} of {said}",
        f"growth of resident memory over {arguments.repeats} questions, MB": round(grown, 1),
    }


async def asked(companion: RunningCompanion, text: str) -> Samples:
    """A question in the companion's own voice."""
    return from_pcm16(b"".join([sound.pcm async for sound in companion.voice.read_aloud(text, HEARING_RATE)]))


@dataclass(frozen=True)
class Compared:
    """Seconds from the end of speech to the first sound, asked as a whole file and live; what the stages take that are
    run one after another to their ends; and the silence by which the end is found live, a stage as well.
    """

    whole: float
    live: float
    steps: float
    endpoint: float
    words: int


async def compared(companion: RunningCompanion, question: Samples, number: int) -> Compared:
    whole, _ = await spoken(companion, question, f"whole{number}")
    live, _ = await spoken(companion, question, f"live{number}", live=True)
    print(
        f"question {number}, ms: " + ", ".join(f"{name[:-3]} {live.timings.get(name, 0):.0f}" for name in STAGES),
        flush=True,
    )
    steps = await one_after_another(companion, question, f"stepped{number}")
    first, endpoint = live.timings["first_audio_ms"], live.timings["endpoint_ms"]
    return Compared(whole.timings["first_audio_ms"] / 1e3, first / 1e3, steps, endpoint / 1e3, len(whole.text.split()))


def ratios(how: str, seconds: Sequence[tuple[float, float]], asked: Sequence[Compared]) -> dict[str, Any]:
    """Of the first sound to the stages one by one."""
    each = [first / steps for first, steps in seconds]
    long = [ratio for ratio, one in zip(each, asked, strict=True) if one.words >= LONG_REPLY_WORDS]
    return {
        f"{how}: end of speech to first sound, median seconds": round(statistics.median(one for one, _ in seconds), 2),
        f"{how}: the stages one by one, median seconds": round(statistics.median(all_ for _, all_ in seconds), 2),
        f"{how}: ratio": round(statistics.median(each), 2),
        f"{how}: ratio, replies of {LONG_REPLY_WORDS} words or more": round(statistics.median(long), 2)
        if long
        else "-",
        f"{how}: ratio, each question": ", ".join(f"{ratio:.2f}" for ratio in each),
    }


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


def in_real_time(sound: Sound) -> Recording:
    """As a device sends it that leaves finding the end to the companion."""
    frame = 2 * sound.rate * FRAME_MS // 1000
    pcm = sound.pcm + bytes(2 * sound.rate * SILENCE_SECONDS)

    async def frames() -> AsyncIterator[bytes]:
        began = time.perf_counter()
        for number, start in enumerate(range(0, len(pcm), frame), 1):
            await asyncio.sleep(began + number * FRAME_MS / 1e3 - time.perf_counter())
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


class ears:  # noqa: N801 - used as a context manager
    """The ears with one recogniser, in a lane of their own."""

    def __init__(self, name: str) -> None:
        self._lane = ComputeLane()
        self._name = name

    async def __aenter__(self) -> Ears:
        await self._lane.__aenter__()
        detector = load_detector(*found(SHELF.catalogue.of_role(Role.LISTENING)[0].name))
        return Ears(self._lane, load_transcriber(*found(self._name), "en", 1), detector)

    async def __aexit__(self, *error: Any) -> None:
        await self._lane.__aexit__(*error)


async def heard_in(listener: Ears, samples: Samples, hints: Sequence[str]) -> tuple[str, float]:
    """The words as the companion would hear them in a recording, and the recogniser's seconds of processor time."""
    listening = listener.listen(EndpointRules(), hold=True)
    await listening.feed(samples)
    catch = await listening.finish()
    began = time.process_time()
    transcript = await listener.transcribe(catch, hints)
    return transcript.text, time.process_time() - began


def recognisers(only: str) -> list[Model]:
    """Those whose weights are here; of the others it is said that they are missing."""
    here = []
    for model in SHELF.catalogue.of_role(Role.HEARING):
        if only not in ("", model.name):
            continue
        try:
            SHELF.verify(model)
        except WeightsMissing:
            print(f"skipped: {model.name} is not here (lobug models pull {model.name})", flush=True)
        else:
            here.append(model)
    return here


def found(name: str) -> tuple[str, Path]:
    model = SHELF.catalogue.model(name)
    return model.engine, SHELF.verify(model)


def contains(text: str, name: str) -> bool:
    return name.lower() in words(text)


def resident() -> float:
    return status("VmRSS")


def peak() -> float:
    return status("VmHWM")


def status(field: str) -> float:
    """MB, from the kernel."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


PARTS = {"hearing": hearing, "names": names, "noise": noise, "talk": talk}

if __name__ == "__main__":
    main()
