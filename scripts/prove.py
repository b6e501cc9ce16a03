"""Proves what is promised about the memory file and the routes, at full length; the tests run the quick form of each.

usage: scripts/prove [PROOF ...] [--share 0.1] [--json]      --help names them; all if none is named
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / kind) for kind in ("component", "system")]

from card import cost_of_turns  # noqa: E402 - it lies beside the tests
from clocks import live as live_with_clocks  # noqa: E402
from corruption import DAMAGES, TURNS, Outcome, make, survive  # noqa: E402
from encrypted import cost_of_key, unnoticed_flips  # noqa: E402
from erasures import erase_all_ways, erase_and_die, facts  # noqa: E402
from faults import Fault, operations, suffer  # noqa: E402
from faulty_house import survive as survive_faults  # noqa: E402
from full_disk import live_on, small_disk  # noqa: E402
from fuzzing import fuzz as fuzz_all  # noqa: E402
from fuzzing import house_in_a_thread  # noqa: E402
from idle import idle_writes  # noqa: E402
from isolated import cannot as cannot_isolate  # noqa: E402
from isolated import live as live_isolated  # noqa: E402
from killed import kill_companion, kill_memory, kill_peer  # noqa: E402
from load import Load, busy_house  # noqa: E402
from peers import PEERS, damaged_peer, words_left  # noqa: E402
from poison import Attempt, benign, obeyed, stored  # noqa: E402
from poison import attempts as poison_attempts  # noqa: E402
from poison import lost as lost_facts  # noqa: E402
from unplugged import Damage, cut_memory, cut_rewritten_file, cut_sqlite  # noqa: E402
from upgrades import die_at, look_after, released, rows, statements, unpack  # noqa: E402

from edge_memory.memory import Memory  # noqa: E402
from firmware_bridge.inference.faulty import STAGES, WAYS  # noqa: E402


@dataclass(frozen=True, slots=True)
class Row:
    """`tries` times it was tried; `lost` counts turns or facts that should be there, `broken` files that do not
    open or disagree, or erased words that are still on the disk."""

    promise: str
    storage: str
    tries: int
    lost: int
    broken: int


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


def model(share: float) -> Iterator[Row]:
    """A model that aborts, segfaults or hangs at each stage. Broken: it dies more than twice, or a turn is lost."""
    for way, stage in product(WAYS, STAGES):
        with tempfile.TemporaryDirectory() as folder:
            outcome = survive_faults(Path(folder), way, stage)
        yield Row("model faults", f"lobug: {way} while {stage}", 1, 0, bool(outcome.wrong))


def clock(share: float) -> Iterator[Row]:
    """500 boots with clocks that are right, 1970, two weeks back, an hour or 56 years ahead, set in mid-session. Lost:
    turns out of order. Broken: dates in the future or an hour wrong, and records put away although they are new.
    """
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(live_with_clocks(Path(folder) / "memory.db", max(int(500 * share), 5), 1))
    wrong = found.future + found.wrong + found.archived
    yield Row("clock", "lobug, turns of all boots", found.turns, found.out_of_order, wrong)


def key(share: float) -> Iterator[Row]:
    """Bits flipped in an encrypted file, 1,000. Broken: flips that were not noticed. And what encryption costs."""
    with tempfile.TemporaryDirectory() as folder:
        tries = max(int(1_000 * share), 10)
        yield Row("encrypted flips", "lobug with store.key_file", tries, 0, unnoticed_flips(Path(folder), tries, 1))
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
                erase_and_die(Path(folder) / "home" / "memory.db", fact, dice.uniform(0.05, 0.4))
            except AssertionError:
                broken += 1
    yield Row("erase, killed", "lobug", len(killed), 0, broken)
    with tempfile.TemporaryDirectory() as folder:
        erased = facts(count, 3)
        left = words_left(Path(folder) / "memory.db", erased)
    yield Row("erase, deleted", "SQLite as it comes", count, 0, left)


def damage(share: float) -> Iterator[Row]:
    """500 damaged files. Lost: rows that could not be saved without a copy, of all rows (in the name). Broken: files
    that opened as if nothing were, although a row was missing or other than it was.
    """
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder) / "whole" / "memory.db"
        make(original)
        for kind, harm in DAMAGES.items():
            outcome = Outcome()
            for seed in range(max(int(125 * share), 1)):
                survive(original, Path(folder) / f"{kind}{seed}", harm, seed, outcome)
            told = f"lobug: told {outcome.told}, {outcome.saved}/{outcome.rows} saved"
            yield Row(kind, told, outcome.tries, outcome.rows - outcome.saved, outcome.unnoticed + outcome.empty)
            for peer in PEERS:
                with tempfile.TemporaryDirectory() as beside:
                    its = damaged_peer(Path(beside), peer, harm, outcome.tries)
                yield Row(kind, f"{peer}: told {its.told}", its.tries, its.told * TURNS, its.unnoticed + its.empty)


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


def fuzz(share: float) -> Iterator[Row]:
    """200 right and as many wrong requests to each operation of our OpenAPI document. Broken: operations of which an
    answer was not as documented. Then ten minutes of bytes for each reader of bytes, guided by coverage, where atheris
    is installed. Broken: an exception that is none of ours.
    """
    with tempfile.TemporaryDirectory() as folder, house_in_a_thread(Path(folder)) as url:
        found = fuzz_all(url, max(int(200 * share), 1))
    for label, wrong in found.wrong.items():
        print(f"{label}: {wrong}", file=sys.stderr)
    yield Row("requests", "lobug", sum(found.requests.values()), 0, len(found.wrong))
    if find_spec("atheris") is None:
        yield Row("bytes", "not tried: `pip install atheris`, which is no dependency", 0, 0, 0)
        return
    for codec in _CODECS:
        yield _fuzzed_codec(codec, max(int(600 * share), 2))


_CODECS = ("frames", "xiaozhi frames", "xiaozhi messages", "wyoming", "sound", "import", "questions", "turns")


def _fuzzed_codec(codec: str, seconds: int) -> Row:
    """In a process of its own, which the fuzzer ends. Tries are runs; one that it did not end itself is broken."""
    command = [sys.executable, str(ROOT / "scripts" / "fuzz_codecs.py"), codec, str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    runs = re.search(r"^Done (\d+) runs", done.stderr, re.MULTILINE)
    if done.returncode:
        print(f"{codec}: {done.stderr[-2_000:]}", file=sys.stderr)
    return Row(
        f"bytes: {codec}", "lobug, guided by coverage", int(runs[1]) if runs else 0, 0, int(done.returncode != 0)
    )


def card(share: float) -> Iterator[Row]:
    """What a turn with all its jobs writes, of 1,000; an idle hour. Lost: nothing to lose here. Broken: a turn that
    writes more than 100 KiB; bytes written while idle.
    """
    turns, seconds = max(int(1_000 * share), 10), 3_600 * share
    with tempfile.TemporaryDirectory() as folder:
        cost = cost_of_turns(Path(folder) / "memory.db", turns)
        told = f"lobug: {cost.syncs:.2f} syncs, {cost.kibibytes:.0f} ({cost.block_kibibytes:.0f}) KiB a turn"
        yield Row("card", told, turns, 0, cost.kibibytes > 100)
        yield Row("card", f"lobug: idle for {seconds:.0f} s", 1, 0, idle_writes(Path(folder), seconds))


def load(share: float) -> Iterator[Row]:
    """A minute of 64 devices with a turn each four seconds, beside 24 clients that are slow or silent. Broken: bounds
    that do not hold, of the acknowledgement (p95), of the event loop's lag (p99; without other programs' share), and of
    how long such clients stay.
    """
    told = _under_load(max(int(1_000 * share), 64), pause=4.0, unwelcome=4, least_seconds=30.0)
    broken = sum((told.ack_p95_ms > 100, told.lag_p99_ms > 50, told.longest_stay > 15))
    figures = f"ack {told.ack_p95_ms:.0f}, loop {told.lag_p99_ms} ({told.own_lag_p99_ms}) ms, {told.longest_stay:.0f} s"
    yield Row("load", f"lobug: {figures}", told.turns, told.lost, broken)


def soak(share: float) -> Iterator[Row]:
    """100,000 turns of 64 devices as fast as they are answered, over connections that they keep. Broken: resident
    memory that grows by more than 2% in the second half.
    """
    told = _under_load(max(int(100_000 * share), 640), anew=False)
    figures = f"{told.turns / told.seconds:.0f} turns/s, memory {told.growth_percent:+.1f}%"
    yield Row("soak", f"lobug: {figures}", told.turns, told.lost, told.growth_percent > 2)


def poison(share: float) -> Iterator[Row]:
    """676 planted sentences, 416 of them in forms that no rule was made after, and plain facts. Broken: stored where
    every reply has it; then, on the small model, obeyed in a later session by more than 2 %. Lost: facts not kept.
    """
    for name, which in _PLANTED.items():
        yield asyncio.run(_stored_row(name, poison_attempts(which)))
    for name in ("benign", "later benign"):
        yield asyncio.run(_benign_row(name))
    for name, which in reversed(_PLANTED.items()):
        planted = poison_attempts(which)
        some = random.Random(1).sample(planted, max(int(len(planted) * share), 1))
        yield from asyncio.run(_obeyed_rows(name, some))


_PLANTED = {"planted": "families", "unseen forms": "unseen", "later forms": "later"}


async def _stored_row(name: str, planted: Sequence[Attempt]) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True) as memory:
            somehow, always = await stored(memory, planted)
    return Row(name, f"lobug: in any record {len(somehow)}", len(planted), 0, len(always))


async def _benign_row(name: str) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True) as memory:
            return Row(name, "lobug", len(benign(name)), len(await lost_facts(memory, benign(name))), 0)


async def _obeyed_rows(name: str, planted: Sequence[Attempt]) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        found = await obeyed(Path(folder), planted, "small")
    count = len(found.defended)
    for one in found.defended:
        print(f"obeyed: {one.family}: {one.text}", file=sys.stderr)
    told = f"lobug: {count} obeyed in a later session"
    return [
        Row(name, told, found.tried, 0, count if count > 0.02 * found.tried else 0),
        Row(name, "all that was said in the system prompt", found.tried, 0, len(found.undefended)),
    ]


def local(share: float) -> Iterator[Row]:
    """Turns by text and by voice, and their jobs, where there is no network, each system call traced. Tries: calls that
    name an address. Broken: those of another machine.
    """
    if cannot_isolate():
        yield Row("local only", f"not tried: {cannot_isolate()}", 0, 0, 0)
        return
    with tempfile.TemporaryDirectory() as folder:
        found = live_isolated(Path(folder), "small", voice=True)
    yield Row("local only", "lobug by text and by voice", found.inside, 0, len(found.outside))


def _under_load(turns: int, **how: float) -> Load:
    async def run() -> Load:
        with tempfile.TemporaryDirectory() as folder:
            async with busy_house(Path(folder), devices=64, patience=10.0) as house:
                await house.talk(turns, **how)
            return house.load

    return asyncio.run(run())


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


_PROOFS = {
    "power": power,
    "kill": kill,
    "faults": faults,
    "full": full,
    "model": model,
    "clock": clock,
    "key": key,
    "erase": erase,
    "damage": damage,
    "upgrades": upgrades,
    "fuzz": fuzz,
    "card": card,
    "load": load,
    "soak": soak,
    "poison": poison,
    "local": local,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proofs", nargs="*", metavar="proof", help=f"of {', '.join(_PROOFS)}; all if none")
    parser.add_argument("--share", type=float, default=1.0, help="of the full length")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.proofs) - set(_PROOFS)
    if unknown or not 0 < arguments.share <= 1:
        parser.error(f"no such proof: {', '.join(unknown)}" if unknown else "--share is above 0 and at most 1")
    logging.disable()  # what the store says of each fault
    rows = []
    if not arguments.json:
        print(f"{'promise':<16}{'storage':<44}{'tries':>8}{'lost':>12}{'broken':>14}")
    for name in arguments.proofs or _PROOFS:
        for row in _PROOFS[name](arguments.share):
            rows.append(row)
            if not arguments.json:
                print(f"{row.promise:<16}{row.storage:<44}{row.tries:>8}{row.lost:>12}{row.broken:>14}", flush=True)
    if arguments.json:
        print(json.dumps({"proofs": [asdict(row) for row in rows]}, indent=2))
    sys.exit(
        any(row.broken or (row.lost and row.storage == "lobug") for row in rows if row.storage.startswith("lobug"))
    )


if __name__ == "__main__":
    main()
