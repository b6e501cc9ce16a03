#!/usr/bin/env -S .venv/bin/python
"""Does it hear what was said, keep quiet when nothing was, and speak soon? On recordings whose words are known.

`synth` and the names are spoken by machines, and the noise of `noisy` is simulated: real rooms are harder. Times are
those of this machine, one thread for each engine (`talk`, `pauses`: as shipped); run it while nothing else runs.
usage: scripts/bench_voice.py [--data FOLDER] [--profile small] [--only hearing,names,noise,talk,pauses]
  [--recogniser NAME] [--seed NUMBER]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from voice_data import SHELF, Clip, clips, found, read_wav, words, wrong_words
from voice_talk import pauses, talk

from edge_memory.memory import OWNER, Memory
from firmware_bridge.app.known_names import KnownNames
from firmware_bridge.errors import WeightsMissing
from firmware_bridge.lane import ComputeLane
from firmware_bridge.speech import Ears, EndpointRules
from firmware_bridge.speech.engines import load_detector, load_synthesiser, load_transcriber
from firmware_bridge.speech.protocols import Synthesiser
from firmware_bridge.speech.samples import HEARING_RATE, Samples, resampled
from firmware_bridge.weights import Model, Role

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "speech"
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
FRESH_NAMES = (  # which no rule had read when they were first asked for
    ("my wife's name is {}", "Marguerite Zuzanna Ottoline Farzana Guinevere"),
    ("my brother's name is {}", "Thaddeus Ignacio Emeka Lachlan Dmitri Anselm"),
    ("my sister's name is {}", "Katarzyna Mairead Yolanda Bronwyn"),
    ("my neighbour's name is {}", "Fitzgerald Papadopoulos Achterberg Chaudhry"),
    ("my dog's name is {}", "Bramble Biscotti Tinkerbell Sprocket"),
    ("we went on holiday to {}", "Dubrovnik Cappadocia Llandudno Sarajevo Antigua"),
    ("my parents went to {}", "Montevideo Bruges Kilkenny Samarkand"),
    ("I take {} every morning", "furosemide rosuvastatin montelukast candesartan esomeprazole tamsulosin carbimazole"),
)
WORLD_NAMES = (  # nor these, of more countries
    ("my wife's name is {}", "Ngozi Ximena Sunniva Parvati Ilse"),
    ("my brother's name is {}", "Tariq Bogdan Kofi Matteo Anders Hiroshi"),
    ("my sister's name is {}", "Amina Solveig Rosario Tamar Jelena"),
    ("my neighbour's name is {}", "Yilmaz Lindqvist Adeyemi Petrov Castellanos"),
    ("my dog's name is {}", "Kimchi Zeus Paprika Momo Churro"),
    ("we went on holiday to {}", "Zanzibar Cusco Kyoto Tbilisi Essaouira"),
    ("my parents went to {}", "Plovdiv Chennai Bergen Trondheim Cebu"),
    ("I take {} every morning", "clopidogrel empagliflozin apixaban losartan pantoprazole duloxetine mirtazapine"),
)
SPEEDS = (0.93, 1.0, 1.08)
NAME_LISTS = (
    ("uncommon", NAMES, (1.0,)),
    ("more", MORE_NAMES, SPEEDS),
    ("fresh", FRESH_NAMES, SPEEDS),
    ("world", WORLD_NAMES, SPEEDS),
)
ASKS = {
    "people": "Please call {} tomorrow morning.",
    "places": "Is it raining in {} today?",
    "medicines": "Did I take my {} today?",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--profile", default="small")
    parser.add_argument("--only", default="hearing,names,noise,talk,pauses")
    parser.add_argument("--recogniser", default="", help="only this one; else each whose weights are here")
    parser.add_argument("--repeats", type=int, default=20, help="of one question, to see whether memory grows")
    parser.add_argument("--seed", type=int, default=1, help="of the noise by which the voice says each name")
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
    voice = load_synthesiser(*found(SHELF.catalogue.of_role(Role.SPEAKING)[0].name), "en")
    recorded, figures = list(clips(arguments.data)), dict[str, Any]()
    for label, groups, speeds in NAME_LISTS:
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
            return await KnownNames(memory, "Lo-Bug").names("s", OWNER)


def ask_for(sentence: str, name: str) -> str:
    return ASKS["medicines" if "take" in sentence else "places" if "went" in sentence else "people"].format(name)


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
    return name.lower() in words(text)


PARTS = {"hearing": hearing, "names": names, "noise": noise, "talk": talk, "pauses": pauses}

if __name__ == "__main__":
    main()
