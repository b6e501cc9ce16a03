#!/usr/bin/env -S .venv/bin/python
"""Does it hear what was said, keep quiet when nothing was, and speak soon? On recordings whose words are known.

`synth` and the names are spoken by machines, and the noise of `noisy` is simulated: real rooms are harder. Times are
those of this machine, one thread for each engine (`talk`, `pauses`: as shipped); run it while nothing else runs.
usage: scripts/bench_voice.py [--data FOLDER] [--profile small] [--only hearing,names,noise,talk,pauses,ordinary]
  [--recogniser NAME] [--lists street,town] [--seed NUMBER] [--takes NUMBER]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from voice_asks import Spoken
from voice_data import SHELF, Clip, clips, found, read_wav, words, wrong_words
from voice_names import NAME_LISTS, chosen, ordinary_sentences
from voice_pauses import pauses
from voice_talk import talk

from edge_memory.memory import OWNER, Memory
from firmware_bridge.app.known_names import KnownNames
from firmware_bridge.errors import WeightsMissing
from firmware_bridge.lane import ComputeLane
from firmware_bridge.speech import Ears, EndpointRules
from firmware_bridge.speech.engines import load_detector, load_synthesiser, load_transcriber
from firmware_bridge.speech.espeak import EspeakSynthesiser
from firmware_bridge.speech.protocols import Synthesiser
from firmware_bridge.speech.samples import HEARING_RATE, Samples, resampled
from firmware_bridge.weights import Model, Role

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "speech"
TURNS = ROOT / "tests" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--profile", default="small")
    parser.add_argument("--only", default="hearing,names,noise,talk,pauses")
    parser.add_argument("--recogniser", default="", help="only this one; else each whose weights are here")
    parser.add_argument("--lists", default=",".join(one.label for one in NAME_LISTS), help="of names")
    parser.add_argument("--sentences", type=int, default=200, help="how many ordinary ones are said (part ordinary)")
    parser.add_argument("--repeats", type=int, default=20, help="of one question, to see whether memory grows")
    parser.add_argument("--seed", type=int, default=1, help="of the noise by which the voice says each name")
    parser.add_argument("--takes", type=int, default=1, help="of the voice, for each list of names")
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
    onnxruntime.set_seed(arguments.seed)
    piper = load_synthesiser(*found(SHELF.catalogue.of_role(Role.SPEAKING)[0].name), "en")
    voices = {"piper": piper, "espeak": EspeakSynthesiser()}
    recorded, figures = list(clips(arguments.data)), dict[str, Any]()
    for one in chosen(arguments.lists):
        label, told = one.label, list(one)
        known = await acquainted(told)
        takes = [
            [(spoken, spoken_by(voices[spoken.voice], spoken.said, spoken.speed)) for spoken in told]
            for _ in range(arguments.takes)
        ]
        for model in recognisers(arguments.recogniser):
            async with ears(model.name) as listener:
                alone = [await heard_right(listener, take, []) for take in takes]
                helped = [await heard_right(listener, take, known) for take in takes]
                strange = 0
                for clip in recorded:
                    heard, _ = await heard_in(listener, clip.samples, known)
                    strange += any(contains(heard, name) and not contains(clip.text, name) for name in known)
            what = f"{model.name}: {label} names right of {len(told)}, with memory's help / alone"
            share = 100 * statistics.mean(helped) / len(told)
            figures[what] = f"{spread(helped)} / {spread(alone)} ({share:.0f}%)"
            figures[f"{model.name}: {len(recorded)} recordings without {label} names, one heard in"] = strange
        missing = [spoken.name for spoken in told if not set(spoken.name.split()) <= set(known)]
        figures[f"{label} names that memory was told and did not give"] = ", ".join(missing) or "none"
    return figures


async def heard_right(listener: Ears, take: Sequence[tuple[Spoken, Samples]], hints: Sequence[str]) -> int:
    """In how many of the sounds the name was heard that is said in it."""
    return sum([has_name((await heard_in(listener, sound, hints))[0], spoken) for spoken, sound in take])


def has_name(heard: str, spoken: Spoken) -> bool:
    """Also where it is said in the plural and so heard, which sounds like a possessive."""
    plural = f"{spoken.name}s"
    return contains(heard, spoken.name) or (contains(spoken.said, plural) and contains(heard, plural))


def spread(counts: Sequence[int]) -> str:
    """Their mean, and the least and the most where they differ."""
    return f"{statistics.mean(counts):g}" + (f" ({min(counts)} to {max(counts)})" if len(set(counts)) > 1 else "")


async def ordinary(arguments: argparse.Namespace) -> dict[str, Any]:
    """Sentences of the labelled lives, said by a machine to who knows other names: those that one was heard in."""
    onnxruntime.set_seed(arguments.seed)
    piper = load_synthesiser(*found(SHELF.catalogue.of_role(Role.SPEAKING)[0].name), "en")
    sentences, figures = ordinary_sentences(TURNS, arguments.sentences), dict[str, Any]()
    for one in chosen(arguments.lists):
        known = await acquainted(list(one))
        for model in recognisers(arguments.recogniser):
            strange = []
            async with ears(model.name) as listener:
                for sentence in sentences:
                    heard, _ = await heard_in(listener, spoken_by(piper, sentence, 1.0), known)
                    if any(contains(heard, name) and not contains(sentence, name) for name in known):
                        strange.append(f"{sentence!r} as {heard!r}")
            what = f"{model.name}: {len(sentences)} sentences without {one.label} names, one heard in"
            figures[what] = f"{len(strange)}: {'; '.join(strange)}"
    return figures


async def acquainted(told: Sequence[Spoken]) -> list[str]:
    """The names that memory gives once it was told them."""
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True) as memory:
            for spoken in told:
                await memory.learn(spoken.told)
            return await KnownNames(memory, "Lo-Bug").names("s", OWNER)


def spoken_by(voice: Synthesiser, text: str, speed: float) -> Samples:
    """Faster is higher, too, as if somebody else spoke."""
    return resampled(np.concatenate(list(voice.synthesise(text))), round(voice.rate * speed), HEARING_RATE)


async def noise(arguments: argparse.Namespace) -> dict[str, Any]:
    """Files without speech that ended in words."""
    files = sorted((arguments.data / "noise").glob("*.wav"))
    async with ears(SHELF.catalogue.of_role(Role.HEARING)[0].name) as listener:
        worded = [path.stem for path in files if (await heard_in(listener, read_wav(path), []))[0]]
        silence = (await heard_in(listener, np.zeros(5 * HEARING_RATE, np.float32), []))[0]
    return {f"noise and silence answered with words, of {len(files) + 1}": len(worded) + bool(silence)}


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


def contains(text: str, name: str) -> bool:
    """Whether a text has a name, of one word or more, or its possessive."""
    said = " ".join(words(text))
    return re.search(rf"(?<![a-z']){re.escape(' '.join(words(name)))}(?:'s)?(?![a-z'])", said) is not None


PARTS = {"hearing": hearing, "names": names, "ordinary": ordinary, "noise": noise, "talk": talk, "pauses": pauses}

if __name__ == "__main__":
    main()
