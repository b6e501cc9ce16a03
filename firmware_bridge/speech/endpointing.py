"""Where an utterance begins and ends: a state machine over frames. It hears nothing and keeps no time of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class EndpointRules:
    """In seconds, likelihoods of speech (0 to 1) and dB relative to full scale."""

    on: float = 0.5  # likelihood that begins speech
    off: float = 0.35  # likelihood below which speech has stopped
    before: float = 0.3  # kept before the first syllable
    after: float = 0.2  # kept after the last one
    hang: float = 0.3  # a longer pause parts two runs of speech
    least: float = 0.25  # a shorter run is a click or a cough, however many there are
    trailing: float = 0.8  # silence that ends an utterance, unless its words ask for another
    longest: float = 30.0  # an utterance is ended here, whoever still talks
    quietest: float = -55.0  # speech below this is somebody far away


class Phase(StrEnum):
    WAITING = "waiting"  # nobody has spoken yet
    SPEAKING = "speaking"  # the newest frame is speech
    TRAILING = "trailing"  # somebody spoke and pauses
    ENDED = "ended"  # the utterance is complete


class Ending(StrEnum):
    """Why listening ended."""

    SILENCE = "silence"  # the speaker stopped
    LONGEST = "longest"  # the speaker goes on, but this is as much as is taken
    STOPPED = "stopped"  # no more sound came
    NO_SPEECH = "no_speech"
    TOO_SHORT = "too_short"
    TOO_QUIET = "too_quiet"


@dataclass(frozen=True, slots=True)
class Utterance:
    """Frames `begin` up to, but not including, `end`; the same for all refused endings. `last` is that of speech."""

    ending: Ending
    begin: int = 0
    end: int = 0
    last: int = field(default=0, compare=False)

    @property
    def is_speech(self) -> bool:
        return self.ending in {Ending.SILENCE, Ending.LONGEST, Ending.STOPPED}


class Endpointer:
    """Feed it every frame in order, then read `utterance`.

    Runs of speech that are too short are forgotten, and listening goes on. With `hold`, pauses do not end the
    utterance: the device has cut the recording itself.
    """

    def __init__(self, rules: EndpointRules, frame_seconds: float, *, hold: bool = False) -> None:
        self._rules = rules
        self._seconds = frame_seconds
        self._hold = hold
        self._frames = 0
        self._run: _Run | None = None
        self._first: int | None = None  # frame of speech that counts
        self._last = 0
        self._newest = 0  # frame of speech, whether it counts or not
        self._patience = rules.trailing
        self._loudest = -math.inf
        self._refusal = Ending.NO_SPEECH
        self._ending: Ending | None = None
        self.phase = Phase.WAITING

    def feed(self, likelihood: float, loudness: float) -> Phase:
        """One frame: how likely it is speech, and its root mean square in dB. After ENDED nothing changes."""
        if self.phase is Phase.ENDED:
            return self.phase
        here = self._frames
        self._frames += 1
        if likelihood >= (self._rules.off if self.phase is Phase.SPEAKING else self._rules.on):
            self._hear(here, loudness)
        elif self.phase is not Phase.WAITING:
            self._pause(here)
        begun = self._run.first if self._first is None and self._run else self._first
        if begun is not None and (self._frames - begun) * self._seconds >= self._rules.longest:
            self._settle(Ending.LONGEST)
        return self.phase

    def end_after(self, seconds: float) -> None:
        """The silence that ends what was said up to this pause, unless somebody speaks on."""
        if self.phase is Phase.TRAILING:
            self._patience = seconds

    def go_on(self) -> None:
        """What ended in silence goes on after all if somebody speaks; silence ends it no more before that."""
        if self._ending is Ending.SILENCE:
            self._ending, self._patience = None, math.inf
            self._run = None
            self.phase = Phase.TRAILING

    def stop(self) -> Utterance:
        """No more frames will come."""
        if self.phase not in {Phase.WAITING, Phase.ENDED}:
            self._settle(Ending.STOPPED)
        return self.utterance

    @property
    def silent_frames(self) -> int:
        """Frames since the last speech; 0 before there was any."""
        return 0 if self._first is None else self._frames - 1 - self._last

    @property
    def spoken_frames(self) -> int:
        """Frames up to the last speech; 0 before there was any."""
        return 0 if self._first is None else self._last + 1

    @property
    def utterance(self) -> Utterance:
        """What was found up to now; refused while there was no speech, or too little of it."""
        return Utterance(self._refusal) if self._ending is None else self._cut(self._ending)

    @property
    def paused(self) -> Utterance:
        """What `utterance` will be if nobody goes on speaking; refused as there."""
        if self.phase in {Phase.WAITING, Phase.ENDED} or self._loudest < self._rules.quietest:
            return self.utterance
        return self._cut(Ending.SILENCE)

    def _cut(self, ending: Ending) -> Utterance:
        if self._first is None:
            return Utterance(self._refusal)
        begin = max(0, self._first - round(self._rules.before / self._seconds))
        end = min(self._frames, self._last + 1 + round(self._rules.after / self._seconds))
        return Utterance(ending, begin, end, self._last)

    def _hear(self, frame: int, loudness: float) -> None:
        self.phase = Phase.SPEAKING
        self._newest, self._patience = frame, self._rules.trailing
        run = self._run = self._run or _Run(frame)
        run.last = frame
        run.frames += 1
        run.loudest = max(run.loudest, loudness)
        if run.frames * self._seconds >= self._rules.least:
            self._first = run.first if self._first is None else self._first
            self._last = frame
            self._loudest = max(self._loudest, run.loudest)

    def _pause(self, frame: int) -> None:
        self.phase = Phase.TRAILING
        if self._run and (frame - self._run.last) * self._seconds > self._rules.hang:
            self._run = None
            if self._first is None:
                self._forget(Ending.TOO_SHORT)
                return
        if self._first is None or self._hold:
            return
        silent, still = (frame - self._last) * self._seconds, (frame - self._newest) * self._seconds
        if silent >= max(self._patience, self._rules.trailing) or still >= self._patience:
            self._settle(Ending.SILENCE)

    def _settle(self, ending: Ending) -> None:
        """Ends the utterance, or forgets it if it was none."""
        if self._first is None:
            self._forget(Ending.TOO_SHORT)
        elif self._loudest < self._rules.quietest:
            self._forget(Ending.TOO_QUIET)
        else:
            self._ending = ending
            self.phase = Phase.ENDED

    def _forget(self, why: Ending) -> None:
        self._refusal = why
        self._run = self._first = None
        self._loudest = -math.inf
        self.phase = Phase.WAITING


@dataclass(slots=True)
class _Run:
    """Speech without a longer pause."""

    first: int
    last: int = 0
    frames: int = 0
    loudest: float = -math.inf
