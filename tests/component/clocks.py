"""Machines whose clock is wrong: what they were told is dated right once it is set, and in order all the time."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from pathlib import Path

from memory_house import digest, rows, say

from edge_memory.clock import BootTime, HouseClock
from edge_memory.memory import Memory

NOON = 1_790_000_000.0
DAY, YEAR = 86_400.0, 365.25 * 86_400.0
WRONG = {"1970": -NOON, "14 days back": -14 * DAY, "56 years ahead": 56 * YEAR, "an hour ahead": 3_600.0, "right": 0.0}


@dataclass
class Machine:
    """`now` is the true time. Its clock is off by `error` until it is set."""

    now: float = NOON
    error: float = 0.0
    is_set: bool = True
    boots: int = 0
    booted: float = field(default=NOON)

    def boot(self, error: float) -> None:
        """After a night without power, with a clock that is off by so much and not set yet."""
        self.now += DAY / 2
        self.error, self.is_set, self.booted = error, False, self.now
        self.boots += 1

    def set_clock(self) -> None:
        self.error, self.is_set = 0.0, True

    def clock(self) -> HouseClock:
        return HouseClock(
            lambda: self.now + self.error,
            lambda: BootTime(f"boot{self.boots}", self.now - self.booted),
            lambda: self.is_set,
        )


@dataclass
class Outcome:
    """`turns` that were said; `out_of_order`, dated in the future, and dated more than an hour wrong after the clock
    was set in their session; `archived`: records that were put away although they are days old.
    """

    turns: int = 0
    out_of_order: int = 0
    future: int = 0
    wrong: int = 0
    archived: int = 0

    @property
    def is_clean(self) -> bool:
        return not (self.out_of_order or self.future or self.wrong or self.archived)


async def live(path: Path, sessions: int, seed: int) -> Outcome:
    """Boots with all kinds of clocks. In each session turns are said before and after the clock is set."""
    dice, machine, told = random.Random(seed), Machine(), dict[str, float]()
    kinds = ["right", *dice.choices(list(WRONG), k=sessions - 1)]
    for kind in kinds:
        machine.boot(WRONG[kind])
        for restart in range(2):  # of the process, in the same boot
            clock = machine.clock()
            async with Memory(path, serve=True, clock=clock) as memory:
                await memory.dating.start(clock)
                for number in range(4):
                    if restart == 1 and number == 2:
                        machine.set_clock()  # the network is there
                        await memory.dating.settle(clock)
                    turn_id = f"t{len(told):05}"
                    told[turn_id] = machine.now
                    await say(memory, turn_id, f"my friend Nora{len(told)} lives in Hull", at=clock())
                    await digest(memory)
                    machine.now += dice.uniform(1.0, 300.0)
                await memory.upkeep.consolidate()
    return _judge(path, told, machine.now)


def _judge(path: Path, told: dict[str, float], now: float) -> Outcome:
    turns = rows(path, "SELECT turn_id, created_at FROM conversation_log WHERE role = 'user' ORDER BY id")
    columns = (
        "SELECT created_at FROM conversation_log UNION ALL SELECT max(created_at, updated_at, valid_from) FROM records"
        " UNION ALL SELECT at FROM fact_history UNION ALL SELECT created_at FROM profiles"
    )
    dates = [float(date) for _, date in turns]
    return Outcome(
        turns=len(turns),
        out_of_order=sum(a > b for a, b in itertools.pairwise(dates))
        + (sorted(told) != [turn_id for turn_id, _ in turns]),
        future=sum(float(row[0]) > now + 1.0 for row in rows(path, columns)),
        wrong=sum(abs(told[turn_id] - date) > 3_600.0 for turn_id, date in turns),
        archived=rows(path, "SELECT count(*) FROM records WHERE status = 'archived'")[0][0],
    )
