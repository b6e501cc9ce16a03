"""One recording as it comes: where its utterance ends, and whether its speaker goes on after that."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from firmware_bridge.app.foresight import Foresight
from firmware_bridge.contracts import AudioKind, Recording, Watch
from firmware_bridge.errors import BridgeError
from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech import Catch, Ears, Ending, EndpointRules, Transcript, Wholeness, wholeness
from firmware_bridge.speech.decoding import begins_file, decode, too_long
from firmware_bridge.speech.samples import Samples
from firmware_bridge.speech.stream import PcmStream, gathered

_LATE_SECONDS = 0.5  # that sound may come after its time


@dataclass(frozen=True, slots=True)
class Caught:
    """An utterance, what is foreseen of it, and when its speaker stopped (perf_counter). `may_go_on`: it ended sooner
    than usual, and more of its sound is to come.
    """

    listener: Listener
    foresight: Foresight
    catch: Catch
    ended_at: float
    may_go_on: bool


class Listener:
    def __init__(
        self,
        ears: Ears,
        recording: Recording,
        foresight: Foresight,
        settings: SpeechSettings,
        lane: ComputeLane,
        watch: Watch,
    ) -> None:
        rules = EndpointRules(
            trailing=settings.trailing_seconds, longest=settings.longest_seconds, quietest=settings.quietest_db
        )
        self._listening = ears.listen(rules, hold=not recording.live)
        self._recording = recording
        self._foresight = foresight
        self._settings = settings
        self._lane = lane
        self._watch = watch
        self._sound: AsyncIterator[Samples] | None = None  # of raw samples

    async def catch(self) -> Caught:
        """The utterance; once it goes on, all of it. Raises BadAudio and its kin, AudioTooLong."""
        try:
            return await self._caught()
        except BaseException:
            self._foresight.drop()
            raise

    async def goes_on(self) -> bool:
        """Whether somebody speaks on within `go_on_seconds` after the end; then `catch` again. Who sends no more sound
        does not.
        """
        listening, sound = self._listening, self._sound
        spoken, until = listening.spoken_frames, listening.seconds + self._settings.go_on_seconds
        try:
            async with asyncio.timeout(self._settings.go_on_seconds + _LATE_SECONDS):
                while sound is not None and (listening.seconds < until or listening.hears_sound):
                    listening.go_on()
                    await listening.feed(await anext(sound))
                    if listening.spoken_frames > spoken:
                        return True
        except (TimeoutError, StopAsyncIteration, BridgeError):
            pass  # the recording ends, breaks off or stands still after the utterance
        return False

    async def _caught(self) -> Caught:
        recording, listening = self._recording, self._listening
        first = await anext(recording.pieces, b"") if self._sound is None else b""
        is_raw = recording.format.kind is AudioKind.PCM16 and len(first) > 1 and not begins_file(first)
        if self._sound is None and not is_raw:
            return await self._read(first)
        self._sound = self._sound or self._samples(first)
        await self._follow(self._sound)
        ended_at = time.perf_counter() - (listening.silent_seconds if recording.live else 0)
        is_early = listening.silent_seconds < self._settings.trailing_seconds
        catch = await listening.finish()
        may_go_on = recording.goes_on and is_early and catch.utterance.ending is Ending.SILENCE
        return Caught(self, self._foresight, catch, ended_at, may_go_on and self._settings.go_on_seconds > 0)

    async def _read(self, first: bytes) -> Caught:
        """A recording that is a file."""
        data = first + await gathered(self._recording.pieces)
        ended_at = time.perf_counter()
        with self._lane.reserved():
            samples = await self._lane.run(
                Priority.LIVE, lambda: decode(data, self._recording.format, self._settings.longest_seconds)
            )
            await self._listening.feed(samples)
            return Caught(self, self._foresight, await self._listening.finish(), ended_at, False)

    async def _samples(self, first: bytes) -> AsyncIterator[Samples]:
        stream = PcmStream(self._recording.format)
        yield stream.feed(first)
        async for piece in self._recording.pieces:
            yield stream.feed(piece)

    async def _follow(self, sound: AsyncIterator[Samples]) -> None:
        """To the end of the utterance or of the recording. Raises AudioTooLong."""
        listening, is_live = self._listening, self._recording.live
        async for samples in sound:
            ended = await listening.feed(samples)
            self._watch.speaking(listening.hears_speech)
            self._foresight.follow(listening)
            if ended and is_live:
                return
            if listening.seconds > self._settings.longest_seconds and not is_live:
                raise too_long(self._settings.longest_seconds)


def patience(settings: SpeechSettings, transcript: Transcript, *, is_answered: bool) -> float | None:
    """Seconds of silence that end an utterance of these words, where they are not `trailing_seconds`. Ending sooner
    than the answer can begin gains nothing, and until then whoever goes on is heard.
    """
    match wholeness(transcript.text, settings.language):
        case Wholeness.UNFINISHED:
            return max(settings.unfinished_seconds, settings.trailing_seconds)
        case Wholeness.WHOLE if is_answered:
            return min(settings.whole_seconds, settings.trailing_seconds)
        case Wholeness.CLEAR if is_answered:
            return min(settings.clear_seconds, settings.trailing_seconds)
    return None
