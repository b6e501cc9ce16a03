"""Where an utterance begins and ends: a state machine over frames. It hears nothing and keeps no time of its own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class EndpointRules:
    """In seconds, likelihoods of speech (0 to 1) and dB relative to full scale."""

    on: float = 0.5  # likelihood that begins speech
    off: float = 0.35  # likelihood below which speech has stopped
    before: float = 0.3  # kept before the first syllable
    after: float = 0.2  # kept after the last one
    least: float = 0.25  # less speech than this is a click or a cough
    trailing: float = 0.8  # silence that ends an utterance
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
    """Frames `begin` up to, but not including, `end`; the same for all refused endings."""

    ending: Ending
    begin: int = 0
    end: int = 0

    @property
    def is_speech(self) -> bool:
        return self.ending in {Ending.SILENCE, Ending.LONGEST, Ending.STOPPED}


class Endpointer:
    """Feed it every frame in order, then read `utterance`.

    A click that is no speech is forgotten after `trailing` of silence, and listening goes on. With `hold`, pauses do
    not end the utterance: the device has cut the recording itself.
    """

    def __init__(self, rules: EndpointRules, frame_seconds: float, *, hold: bool = False) -> None:
        self._rules = rules
        self._hold = hold
        self._frames = 0
        self._speech = 0  # frames
        self._first = self._last = 0  # frames of speech
        self._loudest = -1e9
        self._refusal = Ending.NO_SPEECH
        self._ending: Ending | None = None
        self.phase = Phase.WAITING
        self._seconds = frame_seconds

    def feed(self, likelihood: float, loudness: float) -> Phase:
        """One frame: how likely it is speech, and its root mean square in dB. After ENDED nothing changes."""
        if self.phase is Phase.ENDED:
            return self.phase
        here = self._frames
        self._frames += 1
        if likelihood >= (self._rules.off if self.phase is Phase.SPEAKING else self._rules.on):
            self._hear(here, loudness)
        elif self.phase is not Phase.WAITING:
            self.phase = Phase.TRAILING
            if not self._hold and (here - self._last) * self._seconds >= self._rules.trailing:
                self._settle(Ending.SILENCE)
        if self.phase is not Phase.WAITING and (self._frames - self._first) * self._seconds >= self._rules.longest:
            self._settle(Ending.LONGEST)
        return self.phase

    def stop(self) -> Utterance:
        """No more frames will come."""
        if self.phase not in {Phase.WAITING, Phase.ENDED}:
            self._settle(Ending.STOPPED)
        return self.utterance

    @property
    def silent_frames(self) -> int:
        """Frames since the last speech; 0 before there was any."""
        return self._frames - 1 - self._last if self._speech else 0

    @property
    def utterance(self) -> Utterance:
        """What was found up to now; refused while there was no speech, or too little of it."""
        if self._ending is None:
            return Utterance(self._refusal)
        begin = max(0, self._first - round(self._rules.before / self._seconds))
        end = min(self._frames, self._last + 1 + round(self._rules.after / self._seconds))
        return Utterance(self._ending, begin, end)

    def _hear(self, frame: int, loudness: float) -> None:
        if self.phase is Phase.WAITING:
            self._first = frame
        self.phase = Phase.SPEAKING
        self._last = frame
        self._speech += 1
        self._loudest = max(self._loudest, loudness)

    def _settle(self, ending: Ending) -> None:
        """Ends the utterance, or forgets it if it was none."""
        if self._speech * self._seconds < self._rules.least:
            self._forget(Ending.TOO_SHORT)
        elif self._loudest < self._rules.quietest:
            self._forget(Ending.TOO_QUIET)
        else:
            self._ending = ending
            self.phase = Phase.ENDED

    def _forget(self, why: Ending) -> None:
        self._refusal = why
        self._speech = 0
        self._loudest = -1e9
        self.phase = Phase.WAITING
