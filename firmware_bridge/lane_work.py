"""One piece of work in the compute lane."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

from firmware_bridge.errors import InferenceError

T = TypeVar("T")
R = TypeVar("R")

log = logging.getLogger(__name__)
MOST_INTERRUPTED = 4  # steps in a row; a turn interrupts twice, for its embedding and for its reply


class Priority(IntEnum):
    """How urgent a piece of work is; the lowest number goes first."""

    LIVE = 0  # somebody waits for the first words of an answer
    SPEECH = 1  # the sound of words that are written
    REST = 2  # the rest of an answer that has begun
    STATED = 3  # what was told, so that the next turn knows it
    PREFILL = 4  # reading ahead for the next turn
    MEMORY = 5  # digesting earlier turns


@dataclass(frozen=True, slots=True)
class Limits:
    """In seconds: for the wait until the first step begins, and for what all steps together may take."""

    wait: float = 600.0
    work: float = 600.0


class Interrupt(Protocol):
    """How a step that is running is asked to end early. Both may be called from any thread."""

    def set(self) -> None: ...

    def clear(self) -> None: ...


class Job(Generic[T, R]):
    """A generator on its way through the lane. Made in the event loop; stepped and closed in the lane thread."""

    def __init__(
        self,
        order: tuple[Priority, int],
        make_steps: Callable[[], Generator[T | None, None, R]],
        limits: Limits,
        then: Priority | None = None,
        interrupt: Interrupt | None = None,
        label: str = "",
        kin: str = "",
    ) -> None:
        self.label = label
        self.kin = kin
        self.order = order
        self.limits = limits
        self.interrupt: Interrupt = interrupt or threading.Event()
        self.interrupted = False  # the last step was
        self.patience = MOST_INTERRUPTED
        self.abandoned = False
        self._abandoned_at = 0.0
        self.alarm: asyncio.TimerHandle | None = None
        self.pieces: asyncio.Queue[T | None] = asyncio.Queue()  # None: there will be no more
        self._then = then
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[R] = self._loop.create_future()
        self._make_steps = make_steps
        self._steps: Generator[T | None, None, R] | None = None
        self._asked = time.monotonic()
        self._step_began: float | None = None
        self._seconds = 0.0

    def give_way(self) -> None:
        """Ends the running step early, unless too many have been already."""
        if self.patience > 0:
            self.interrupted = True
            self.interrupt.set()

    @property
    def has_begun(self) -> bool:
        return self._seconds > 0.0 or self._step_began is not None

    def abandon(self) -> None:
        if not self.abandoned:
            self.abandoned, self._abandoned_at = True, time.monotonic()

    def abandoned_for(self, now: float) -> float:
        """Seconds since nobody wants it any more."""
        return now - self._abandoned_at if self.abandoned else 0.0

    def waited(self, now: float) -> float:
        """Seconds since it was asked for."""
        return now - self._asked

    def worked(self, now: float) -> float:
        """Seconds that its steps have taken so far."""
        began = self._step_began
        return self._seconds + (now - began if began is not None else 0.0)

    def step(self) -> bool:
        """Runs to the next boundary. False when there is nothing left to run."""
        self._step_began = time.monotonic()
        try:
            if self._steps is None:
                self._steps = self._make_steps()
            piece = next(self._steps)
        except StopIteration as end:
            self._tell(self.finish, end.value, None)
            return False
        except BaseException as error:  # noqa: BLE001 - it belongs to the waiting task; the lane must live on
            self._tell(self.finish, None, error)
            return False
        finally:
            self._seconds, self._step_began = self.worked(time.monotonic()), None
        if piece is not None:
            self._tell(self.pieces.put_nowait, piece)
            if self._then is not None:
                self.order = (self._then, self.order[1])
        return True

    def close(self, reason: InferenceError | None = None) -> None:
        """Runs the generator's cleanup. A consumer that still waits gets `reason`."""
        try:
            if self._steps is not None:
                self._steps.close()
        except Exception:
            log.exception("cleaning up after an abandoned computation failed")
        self._tell(self.finish, None, reason)

    def _tell(self, what: Callable[..., None], *args: object) -> None:
        self._loop.call_soon_threadsafe(what, *args)

    def finish(self, result: R | None, error: BaseException | None) -> None:
        """Tells the consumer, once. For the event loop."""
        if not self.ended.done():  # a cancelled `run` has ended already
            if self.abandoned:
                self.ended.cancel()
            elif error is not None:
                self.ended.set_exception(error)
            else:
                self.ended.set_result(result)  # type: ignore[arg-type]
        self.pieces.put_nowait(None)
