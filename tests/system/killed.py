"""Kill -9 of the real process at random moments of turns and memory jobs; and of what peers do, beside it."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import select
import signal
import sqlite3
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from scripted_server import ScriptedServer
from zygote import SYLLABLES, memory_at, sentence_of, zygote

_PATIENCE_SECONDS = 240.0
_DIGESTION_SECONDS = 600.0
_LIVES_OF_A_FILE = 500


@dataclass(slots=True)
class Outcome:
    """`lost`: answered turns that are not there, `doubled`: said once and there twice, `undone` and `redone`: jobs
    without or with more than their one effect, `broken`: starts that found the memory unreadable or empty.
    """

    kills: int = 0
    answered: int = 0
    lost: int = 0
    doubled: int = 0
    undone: int = 0
    redone: int = 0
    broken: int = 0

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.doubled or self.undone or self.redone or self.broken)


@dataclass(slots=True)
class _Speaker:
    """Says one thing after another; what was not answered it says again, under the same id, as a device does."""

    dice: random.Random
    said: dict[str, str] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)

    def talk(self, url: str) -> None:
        """Until the other side dies."""
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_PATIENCE_SECONDS)
        with suppress(OSError, http.client.HTTPException), closing(connection):
            while True:
                turn_id, text = self._next()
                body = json.dumps({"text": text, "turn_id": turn_id, "session_id": f"room{len(self.said) % 3}"})
                connection.request("POST", "/chat/text", body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                answer = response.read()
                if response.status != 200:
                    raise AssertionError(f"{turn_id}: {answer!r}")
                self.answered.add(turn_id)

    def _next(self) -> tuple[str, str]:
        waiting = self.said.keys() - self.answered
        turn_id = waiting.pop() if waiting else f"turn{len(self.said)}"
        name, thing = ("".join(self.dice.choices(SYLLABLES, k=5)) for _ in range(2))
        return turn_id, self.said.setdefault(turn_id, f"my friend {name} plays the {thing}")


def kill_companion(folder: Path, kills: int, seed: int) -> Outcome:
    """Lives of a companion, killed up to four seconds after they began to answer, half of them in the first: so that
    many die in a turn and many in a memory job. The last one digests in peace.
    """
    outcome, dice = Outcome(), random.Random(seed)
    speaker = _Speaker(dice)
    with ScriptedServer() as models, zygote("lobug", folder, models.memory_settings) as start:
        for _ in range(kills):
            pid, url = start()
            _later(pid, 4.0 * dice.uniform(0.0, 1.0) ** 2)
            speaker.talk(url)
            outcome.kills += 1
        pid, url = start()
        _wait_until_digested(url)
        os.kill(pid, signal.SIGTERM)
    outcome.answered = len(speaker.answered)
    _count(folder / "memory.db", speaker, outcome)
    return outcome


def _wait_until_digested(url: str) -> None:
    deadline = time.monotonic() + _DIGESTION_SECONDS
    while time.monotonic() < deadline:
        with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=_PATIENCE_SECONDS)) as connection:
            connection.request("GET", "/health")
            waiting = json.loads(connection.getresponse().read())["memory"]
        if waiting["jobs_pending"] == waiting["jobs_without_model"] == 0:
            return
        time.sleep(0.1)
    raise AssertionError(f"memory work does not end: {waiting}")


def _count(path: Path, speaker: _Speaker, outcome: Outcome) -> None:
    """Read past the product, with another SQLite."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        outcome.broken += file.execute("PRAGMA integrity_check").fetchone() != ("ok",)
        heard = Counter(row[0] for row in file.execute("SELECT content FROM conversation_log WHERE role = 'user'"))
        replies = "SELECT turn_id FROM conversation_log WHERE role = 'assistant' AND content <> ''"
        replied = {row[0] for row in file.execute(replies)}
        effects = Counter(row[0] for row in file.execute("SELECT source_turn_id FROM records"))
        history = Counter(row[0] for row in file.execute("SELECT turn_id FROM fact_history"))
        embedded = {row[0] for row in file.execute("SELECT rowid FROM record_vectors_rowids")}
        records = {row[0] for row in file.execute("SELECT id FROM records")}
        outcome.undone += len(records ^ embedded)
    for turn_id, text in speaker.said.items():
        if turn_id in speaker.answered:
            outcome.lost += not (heard[text] and turn_id in replied)
            outcome.undone += not effects[turn_id]
        outcome.doubled += heard[text] > 1
        outcome.redone += effects[turn_id] > 1 or history[turn_id] > 1


def kill_peer(folder: Path, kills: int, seed: int) -> Outcome:
    """The same for a memory that is one file, read whole, changed and written anew in its place."""
    outcome, dice = Outcome(), random.Random(seed)
    path, answered = folder / "memory.json", set[str]()
    with zygote("peer", folder, {}) as start:
        for _ in range(kills):
            already = len(answered)
            pid, acknowledged = start()
            time.sleep(dice.uniform(0.0, 0.05))
            _end(pid)
            answered.update(Path(acknowledged).read_text().split())
            outcome.kills += 1
            outcome.answered += len(answered) - already
            kept = _read(path)
            outcome.broken += kept is None
            outcome.lost += len(answered - set(kept or ()))
            answered = set(kept or ())  # each is counted as lost once
    return outcome


def kill_memory(folder: Path, kills: int, seed: int) -> Outcome:
    """Lives of the memory alone, with its jobs, killed up to 40 ms after it opened the file or answered a turn or
    two: thousands of them in the time of some hundred whole companions. A new file after each few hundred.
    """
    outcome, dice = Outcome(), random.Random(seed)
    while outcome.kills < kills:
        home = folder / str(outcome.kills)
        lives = min(_LIVES_OF_A_FILE, kills - outcome.kills)
        with zygote("memory", home, {}) as start:
            for _ in range(lives):
                pid, acknowledged = start()
                _wait_for_more(Path(acknowledged), dice.choice((0, 0, 1, 2)))
                time.sleep(dice.uniform(0.0, 0.04))
                os.kill(pid, signal.SIGKILL)
        answered = set(Path(acknowledged).read_text().split())
        outcome.kills += lives
        outcome.answered += len(answered)
        said = {turn_id: sentence_of(turn_id) for turn_id in answered}
        asyncio.run(_digest_in_peace(home / "memory.db"))
        _count(home / "memory.db", _Speaker(dice, said, answered), outcome)
    return outcome


def _wait_for_more(acknowledged: Path, turns: int) -> None:
    wanted = acknowledged.read_text().count("\n") + turns
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while acknowledged.read_text().count("\n") < wanted:
        assert time.monotonic() < deadline, "it answers nothing"
        time.sleep(0.002)


async def _digest_in_peace(path: Path) -> None:
    async with memory_at(path) as memory:
        await memory.prepare()
        while await memory.digest_once():
            pass


def _read(path: Path) -> list[str] | None:
    try:
        return [turn["id"] for turn in json.loads(path.read_text())]
    except (OSError, ValueError):
        return None


def _later(pid: int, seconds: float) -> None:
    timer = threading.Timer(seconds, os.kill, (pid, signal.SIGKILL))
    timer.daemon = True
    timer.start()


def _end(pid: int) -> None:
    """Kills, and waits until it is dead; the zygote buries it."""
    death = os.pidfd_open(pid)
    os.kill(pid, signal.SIGKILL)
    select.select([death], [], [])
    os.close(death)
