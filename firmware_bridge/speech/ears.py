"""The ears: sound in, words out. Where an utterance ends is found while it arrives."""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.speech.breaking import as_unusable
from firmware_bridge.speech.endpointing import Endpointer, EndpointRules, Phase, Utterance
from firmware_bridge.speech.names import mend_names
from firmware_bridge.speech.protocols import Probe, Transcriber, Transcript, VoiceDetector
from firmware_bridge.speech.samples import HEARING_RATE, Samples, loudness
from firmware_bridge.speech.weighing import weighed

_log = logging.getLogger(__name__)
_NOTHING = Transcript("", 0.0)
_MOST_HINTS = 40  # names that the recogniser is told to expect
_QUICK_FRAMES = 8  # detected where they arrive: less work than to wait for what else computes


@dataclass(frozen=True, slots=True)
class Catch:
    """What was cut out of a sound: its utterance, empty if there was none. Times are of the whole sound."""

    utterance: Utterance
    samples: Samples
    likelihoods: Samples  # of speech, for each frame of `samples`
    seconds: float


class Ears:
    """Needs the lane to be open. Both engines compute there, for whoever waits. What breaks raises SpeechUnusable."""

    def __init__(self, lane: ComputeLane, transcriber: Transcriber, detector: VoiceDetector) -> None:
        self._lane = lane
        self._transcriber = transcriber
        self._detector = detector

    def listen(self, rules: EndpointRules, *, hold: bool) -> Listening:
        """A new stream of sound; with `hold` pauses do not end the utterance."""
        return Listening(self._lane, self._detector, rules, hold)

    async def transcribe(self, catch: Catch, names: Sequence[str]) -> Transcript:
        """The words of an utterance, in which the names that may be said, likeliest first, are mended.

        What is longer than the recogniser takes is cut where speech is least likely.
        """
        if not len(catch.samples):
            return _NOTHING
        heard = []
        for piece in self._pieces(catch):
            with as_unusable("the recogniser broke"):
                async with aclosing(self._lane.stream(Priority.LIVE, partial(self._hear, piece, names))) as one:
                    heard += [transcript async for transcript in one]
        text = " ".join(one.text for one in heard if one.text)
        return Transcript(text, min(one.confidence for one in heard))

    def _hear(self, piece: Samples, names: Sequence[str]) -> Generator[Transcript | None, None, None]:
        heard = yield from self._transcriber.transcribe(piece, names[:_MOST_HINTS])
        yield None  # here it may be given up
        after = heard.hindsight
        mended = mend_names(heard.text, names) if after is None else weighed(heard, after, names)
        if mended != heard.text:
            _log.debug("heard %r, mended to %r", heard.text, mended)
        yield replace(heard, text=mended, hindsight=None)

    def _pieces(self, catch: Catch) -> list[Samples]:
        frame = self._detector.frame_samples
        most = int(self._transcriber.longest_seconds * HEARING_RATE) // frame
        pieces, begin, end = [], 0, len(catch.likelihoods)
        while end - begin > most:
            earliest = begin + most // 2
            cut = earliest + int(np.argmin(catch.likelihoods[earliest : begin + most]))
            pieces.append(catch.samples[begin * frame : cut * frame])
            begin = cut
        return [*pieces, catch.samples[begin * frame :]]


class Listening:
    """One stream of sound: fed as it arrives, until an utterance has ended or no more comes."""

    def __init__(self, lane: ComputeLane, detector: VoiceDetector, rules: EndpointRules, hold: bool) -> None:
        self._lane = lane
        self._frame = detector.frame_samples
        self._detector = detector
        self._probe: Probe | None = None
        self._endpointer = Endpointer(rules, self._frame / HEARING_RATE, hold=hold)
        self._left = np.zeros(0, np.float32)  # not yet a frame
        self._heard: list[Samples] = []
        self._likelihoods: list[Samples] = []
        self._samples = 0

    @property
    def silent_seconds(self) -> float:
        """How long nobody has spoken, at the end of what was fed."""
        return self._endpointer.silent_frames * self._frame / HEARING_RATE

    @property
    def seconds(self) -> float:
        """Length of what was fed."""
        return self._samples / HEARING_RATE

    @property
    def spoken_frames(self) -> int:
        """Up to the newest speech that counts."""
        return self._endpointer.spoken_frames

    @property
    def hears_sound(self) -> bool:
        """Whether the newest frame is speech, be it of somebody or a click."""
        return self._endpointer.phase is Phase.SPEAKING

    @property
    def hears_speech(self) -> bool:
        """Whether somebody has begun to speak."""
        return self._endpointer.phase is not Phase.WAITING

    async def feed(self, samples: Samples) -> bool:
        """True once the utterance has ended; whatever follows is not heard. Raises SpeechUnusable."""
        self._samples += len(samples)
        waiting = np.concatenate([self._left, samples])
        whole = len(waiting) // self._frame * self._frame
        self._left = waiting[whole:]
        frames = waiting[:whole].reshape(-1, self._frame)
        with as_unusable("the voice detection broke"):
            if len(frames) > _QUICK_FRAMES:
                await self._lane.run(Priority.LIVE, lambda: self._follow(frames))
            elif whole:
                self._follow(frames)
        return self._endpointer.phase is Phase.ENDED

    def end_after(self, seconds: float) -> None:
        """The silence that ends what was said up to this pause."""
        self._endpointer.end_after(seconds)

    def go_on(self) -> None:
        """An utterance that ended in silence goes on if more is fed in which somebody speaks."""
        self._endpointer.go_on()

    def caught(self) -> Catch:
        """What there is of an utterance, as `finish` would cut it if it has ended where it now pauses."""
        return self._cut(self._endpointer.paused)

    async def finish(self) -> Catch:
        """What was caught; call it when an utterance has ended or the sound has."""
        if len(self._left):
            await self.feed(np.zeros(self._frame - len(self._left), np.float32))
        return self._cut(self._endpointer.stop())

    def _cut(self, utterance: Utterance) -> Catch:
        samples = np.concatenate(self._heard) if self._heard else self._left[:0]
        likelihoods = np.concatenate(self._likelihoods) if self._likelihoods else self._left[:0]
        begin, end = utterance.begin, utterance.end
        return Catch(
            utterance,
            samples[begin * self._frame : end * self._frame],
            likelihoods[begin:end],
            self.seconds,
        )

    def _follow(self, frames: Samples) -> None:
        if self._probe is None:
            self._probe = self._detector.begin()
        likelihoods = self._probe.likelihoods(frames)
        self._heard.append(frames.reshape(-1))
        self._likelihoods.append(likelihoods)
        for frame, likelihood in zip(frames, likelihoods, strict=True):
            self._endpointer.feed(float(likelihood), loudness(frame))
