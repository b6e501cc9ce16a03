"""What is promised about the memory file: that power cuts, kills, faults, damage and upgrades cost nothing, and that
what is erased is gone.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path

from proof import Row

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / kind) for kind in ("component", "system")]

from clocks import live as live_with_clocks
from corruption import DAMAGES, TURNS, Harm, Outcome, make, survive
from encrypted import cost_of_key, one_key, unnoticed_flips
from erasures import erase_all_ways, erase_and_die, facts
from faults import Fault, operations, suffer
from full_disk import live_on, small_disk
from killed import kill_companion, kill_memory, kill_peer
from peers import PEERS, damaged_peer, words_left
from unplugged import Damage, cut_memory, cut_rewritten_file, cut_sqlite
from upgrades import die_at, look_after, released, rows, statements, unpack


def power(share: float) -> Iterator[Row]:
    """10,000 power cuts, 2,000 more of a life that begins with a file of an older version, 2,000 for each of the weaker
    ones.
    """
    told = "power cuts"
    yield _cut(told, "lobug", 10_000 * share, lambda folder, seed: cut_memory(folder, 24, 0.3, seed))
    older = partial(cut_memory, turns=6, share=0.3, older=True)
    yield _cut(told, "lobug, older files", 2_000 * share, lambda folder, seed: older(folder, seed=seed))
    for weaker in ("NORMAL", "OFF"):
        cut = _sqlite(weaker)
        yield _cut(told, f"SQLite, WAL, synchronous={weaker}", 2_000 * share, cut)
    yield _cut(told, "a JSON file written anew", 2_000 * share, lambda _, seed: cut_rewritten_file(100, 0.3, seed))


def kill(share: float) -> Iterator[Row]:
    """10,000 kills of the memory during turns and memory jobs, 1,000 of the whole companion, 1,000 of what peers do.
    Broken: also a turn that is there twice, and a job without its effect or with more than one.
    """
    with tempfile.TemporaryDirectory() as folder:
        peer = kill_peer(Path(folder) / "peer", max(int(1_000 * share), 1), 1)
        yield Row("kill -9", f"a JSON file written anew, {peer.answered} turns", peer.kills, peer.lost, peer.broken)
        for what, kill_ours, kills in (("memory", kill_memory, 10_000), ("companion", kill_companion, 1_000)):
            ours = kill_ours(Path(folder) / what, max(int(kills * share), 1), 1)
            wrong = ours.broken + ours.doubled + ours.undone + ours.redone
            yield Row("kill -9", f"lobug, {what}, {ours.answered} turns and their jobs", ours.kills, ours.lost, wrong)


def faults(share: float) -> Iterator[Row]:
    """Each operation of a life fails, once or from then on, for want of space or with an I/O error."""
    tries = lost = broken = 0
    with tempfile.TemporaryDirectory() as folder:
        count = operations(Path(folder) / "well")
        for at, full, lasting in product(range(0, count, max(int(1 / share), 1)), (True, False), (True, False)):
            wrong = suffer(Path(folder) / f"{at}{full}{lasting}", Fault(at, full, lasting)).wrong
            tries += 1
            lost += wrong.startswith("lost")
            broken += bool(wrong) and not wrong.startswith("lost")
    yield Row("disk faults", "lobug", tries, lost, broken)


def full(share: float) -> Iterator[Row]:
    """A companion on a small disk that is filled to the last byte while it lives, and again before it starts."""
    for kind in ("tmpfs", "ext4"):
        with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder), kind) as disk:
            wrong = live_on(disk)
        yield Row("full disk", f"lobug on {kind}{': ' if wrong else ''}{wrong}", 1, 0, bool(wrong))


def clock(share: float) -> Iterator[Row]:
    """500 boots, 100 in each file, with clocks that are right, 1970, two weeks back, an hour or 56 years ahead, set in
    mid-session. Lost: turns out of order. Broken: dates in the future or an hour wrong, and records put away although
    they are new.
    """
    found = []
    for seed in range(max(round(5 * share), 1)):
        with tempfile.TemporaryDirectory() as folder:
            found.append(
                asyncio.run(live_with_clocks(Path(folder) / "memory.db", min(max(int(500 * share), 5), 100), seed))
            )
    turns, lost = sum(one.turns for one in found), sum(one.out_of_order for one in found)
    wrong = sum(one.future + one.wrong + one.archived for one in found)
    yield Row("clock", "lobug, turns of all boots", turns, lost, wrong)


def key(share: float) -> Iterator[Row]:
    """Bits flipped in an encrypted file, 1,000. Broken: flips that were not noticed. 500 damaged files, as in `damage`.
    And what encryption costs.
    """
    with tempfile.TemporaryDirectory() as folder:
        tries = max(int(1_000 * share), 10)
        yield Row("encrypted flips", "lobug with store.key_file", tries, 0, unnoticed_flips(Path(folder), tries, 1))
        original = Path(folder) / "whole" / "memory.db"
        with one_key(Path(folder) / "damaged.key"):
            make(original)
            for kind, harm in DAMAGES.items():
                yield _saved_row(kind, "lobug, encrypted", _survive_all(original, kind, harm, 125 * share))
        plain, encrypted = cost_of_key(Path(folder), 40)
        yield Row("encrypted turns", f"lobug: {encrypted:.1f} ms of processor, plain {plain:.1f}", 40, 0, 0)


def erase(share: float) -> Iterator[Row]:
    """1,000 facts erased by command, by voice and with their user; 100 erasures killed. Lost: facts of others."""
    count = max(int(340 * share), 1)
    with tempfile.TemporaryDirectory() as folder:
        done = asyncio.run(erase_all_ways(Path(folder) / "home" / "memory.db", count))
    for way, (tried, left, lost) in done.items():
        yield Row(f"erase, {way}", "lobug", tried, lost, left)
    dice, broken = random.Random(1), 0
    killed = facts(max(int(100 * share), 1), 2)
    for fact in killed:
        with tempfile.TemporaryDirectory() as folder:
            try:
                erase_and_die(Path(folder) / "home" / "memory.db", fact, dice.uniform(0.0, 0.25))
            except AssertionError:
                broken += 1
    yield Row("erase, killed", "lobug", len(killed), 0, broken)
    with tempfile.TemporaryDirectory() as folder:
        erased = facts(count, 3)
        left = words_left(Path(folder) / "memory.db", erased)
    yield Row("erase, deleted", "SQLite as it comes", count, 0, left)


def damage(share: float) -> Iterator[Row]:
    """500 damaged files. Lost: rows that could not be saved without a copy, of those that the damage did not hit (in
    the name). Broken: files that opened as if nothing were, although a row was missing or other than it was, and rows
    that came back although they had been erased.
    """
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder) / "whole" / "memory.db"
        make(original)
        for kind, harm in DAMAGES.items():
            outcome = _survive_all(original, kind, harm, 125 * share)
            yield _saved_row(kind, "lobug", outcome)
            for peer in PEERS:
                with tempfile.TemporaryDirectory() as beside:
                    its = damaged_peer(Path(beside), peer, harm, outcome.tries)
                yield Row(kind, f"{peer}: told {its.told}", its.tries, its.told * TURNS, its.unnoticed + its.empty)


def _survive_all(original: Path, kind: str, harm: Harm, files: float) -> Outcome:
    outcome = Outcome()
    for seed in range(max(int(files), 1)):
        survive(original, original.parent / f"{kind}{seed}", harm, seed, outcome)
    return outcome


def _saved_row(kind: str, storage: str, outcome: Outcome) -> Row:
    told = f"{storage}: told {outcome.told}, {outcome.saved}/{outcome.rows} saved"
    wrong = outcome.unnoticed + outcome.empty + outcome.revived
    return Row(kind, told, outcome.tries, outcome.rows - outcome.saved, wrong)


def upgrades(share: float) -> Iterator[Row]:
    """Files of every released schema, upgraded by a process that is killed at each statement in turn. Broken: neither
    old nor new, a row changed, or no copy made before.
    """
    for version in released()[:-1]:
        with tempfile.TemporaryDirectory() as folder:
            unpack(version, Path(folder) / "counted" / "memory.db")
            count = statements(Path(folder) / "counted" / "memory.db")
            tries = broken = 0
            for statement in range(1, count + 1, max(int(1 / share), 1)):
                path = Path(folder) / str(statement) / "memory.db"
                unpack(version, path)
                before = rows(path)
                die_at(path, statement)
                broken += bool(look_after(path, version, before).wrong)
                tries += 1
        yield Row("upgrades", f"lobug: schema {version} to {released()[-1]}", tries, 0, broken)


def _sqlite(synchronous: str) -> Callable[[Path, int], Damage]:
    return lambda folder, seed: cut_sqlite(folder, 100, 0.3, seed, synchronous)


def _cut(promise: str, storage: str, wanted: float, cut: Callable[[Path, int], Damage]) -> Row:
    total = Damage()
    seed = 0
    while total.cuts < wanted:
        with tempfile.TemporaryDirectory() as folder:
            damage = cut(Path(folder), seed)
        total = Damage(total.cuts + damage.cuts, total.lost + damage.lost, total.broken + damage.broken)
        seed += 1
    return Row(promise, storage, total.cuts, total.lost, total.broken)


STORAGE: dict[str, Callable[[float], Iterator[Row]]] = {
    "power": power,
    "kill": kill,
    "faults": faults,
    "full": full,
    "clock": clock,
    "key": key,
    "erase": erase,
    "damage": damage,
    "upgrades": upgrades,
}
