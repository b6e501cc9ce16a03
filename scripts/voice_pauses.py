"""Whether a pause ends an utterance: recordings that are parted in the middle by silence, through it all."""

from __future__ import annotations

import argparse
from contextlib import aclosing
from pathlib import Path
from typing import Any

import numpy as np
from voice_data import Clip, clips
from voice_talk import Sent, in_real_time, quiet, recording, spoken, talking

from firmware_bridge.app.companion import RunningCompanion
from firmware_bridge.contracts import Heard, HeardOut, Hearing, TakenBack
from firmware_bridge.speech import Wholeness, wholeness
from firmware_bridge.speech.encoding import wav
from firmware_bridge.speech.samples import HEARING_RATE, Samples, as_sound, loudness

PAUSES = (0.5, 0.6)  # seconds, within an utterance; less than the silence that ends most
HEARD, TAKEN_BACK, TWO = "heard", "taken back", "two"


async def pauses(arguments: argparse.Namespace) -> dict[str, Any]:
    """Recordings that were parted in the middle by silence: how many were ended in it, which is only where the answer
    to the first part was ready, and how many of these stayed two where the device hears what is said after that; and
    how that first part sounds by its words.
    """
    parted = [clip for clip in clips(arguments.data) if clip.kind != "noisy" and len(clip.samples) > 2 * HEARING_RATE]
    figures: dict[str, Any] = {}
    async with talking(arguments.profile) as companion:
        await spoken(companion, parted[0].samples, "warm")
        for seconds in PAUSES:
            became = {}
            for clip in parted:
                became[clip.file] = await becomes(companion, clip, seconds)
                print(f"{clip.file}, pause of {seconds} s: {became[clip.file]}", flush=True)
            ended = [file for file, end in became.items() if end != HEARD]
            title = f"recordings of {len(parted)} with a pause of {seconds} s in them"
            figures[f"{title}, ended in it"] = len(ended)
            figures[f"{title}, two where the rest is heard, too"] = sum(end == TWO for end in became.values())
            if ended:
                figures[f"ended in {seconds} s"] = ", ".join(ended)
        begin = {clip.file: await begins(companion, clip) for clip in parted}
    for sounds in Wholeness:
        files = [file for file, one in begin.items() if one is sounds]
        figures[f"recordings of {len(parted)} whose first part sounds {sounds.name.lower()}"] = len(files)
    figures["those that sound clearly whole"] = ", ".join(file for file, one in begin.items() if one is Wholeness.CLEAR)
    return figures


async def becomes(companion: RunningCompanion, clip: Clip, seconds: float) -> str:
    """HEARD to its end, TAKEN_BACK where an end was found in the pause and given up, or TWO."""
    place = quietest(clip.samples)
    silence = np.zeros(int(seconds * HEARING_RATE), np.float32)
    sound = as_sound(np.concatenate([clip.samples[:place], silence, clip.samples[place:]]), HEARING_RATE)
    sent = Sent()
    events = companion.voice.converse(Heard("", f"{Path(clip.file).stem}.{seconds}"), in_real_time(sound, sent))
    became = HEARD
    async with aclosing(events):
        async for event in events:
            if isinstance(event, Hearing) and sent.samples < place + len(silence):
                became = TWO
            elif isinstance(event, TakenBack):
                became = TAKEN_BACK
            if isinstance(event, HeardOut | TakenBack) or (isinstance(event, Hearing) and not event.may_go_on):
                break
    await quiet(companion)
    return became


async def begins(companion: RunningCompanion, clip: Clip) -> Wholeness:
    first = as_sound(clip.samples[: quietest(clip.samples)], HEARING_RATE)
    heard = await companion.voice.transcribe(recording(wav(first)))
    return wholeness(heard.text, "en")


def quietest(samples: Samples) -> int:
    """The beginning of the quietest 60 ms in the middle half."""
    piece = HEARING_RATE * 60 // 1000
    starts = range(len(samples) // 4, 3 * len(samples) // 4, piece // 3)
    return min(starts, key=lambda start: loudness(samples[start : start + piece]))
