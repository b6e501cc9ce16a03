#!/usr/bin/env -S .venv/bin/python
"""What memory holds after a life of spoken turns: stored, missed, invented, wrongly overwritten or kept, pending.

Hears labelled turns in order, in their sessions, over HTTP with real weights, or with `--profile none` in process by
rules alone, with `--profile embedder` by rules and vectors.
usage: scripts/bench_memory.py [--data FILE] [--profile small|tiny|base|embedder|none] [--json] [--records]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "system")]

if TYPE_CHECKING:
    from edge_memory.protocols import Embedder

DEV = ROOT.parent / "shared" / "data" / "turns_dev.jsonl"
EMBEDDER = ROOT / "models" / "all-MiniLM-L6-v2.f16.gguf"
_LIVE = ("active", "pending")
_FOUND_AMONG = 10
_PATIENCE_SECONDS = 1_800.0  # a small machine works on a long life for a while
NOON, BETWEEN_TURNS = 1_900_000_000.0, 60.0

Row = dict[str, Any]
Search = Callable[[str], list[int]]


@dataclass(frozen=True)
class Heard:
    """Everything that memory holds after the turns: `turn_ids` are those of the labelled turns, in order."""

    turn_ids: list[str]
    records: list[Row]  # as in `GET /memory/records/{id}`, with their history
    search: Search


@dataclass
class Report:
    """Each list names the offending turns."""

    expected: int = 0
    live: int = 0
    findable: int = 0
    pending_right: int = 0
    noise: int = 0
    missed: list[str] = field(default_factory=list)
    not_found: list[str] = field(default_factory=list)
    wrongly_overwritten: list[str] = field(default_factory=list)
    wrongly_kept: list[str] = field(default_factory=list)
    pending_wrong: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    records: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DEV)
    parser.add_argument("--profile", default="small", choices=("small", "tiny", "base", "none", "embedder"))
    parser.add_argument("--language", default="en", choices=("en", "de"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--records", action="store_true", help="also print what is live at the end")
    arguments = parser.parse_args()
    if not arguments.data.exists():
        sys.exit(f"{arguments.data} is not there: nothing was measured")
    turns = load(arguments.data)
    report, records = measure(turns, arguments.profile, arguments.language)
    if arguments.json:
        print(json.dumps({"data": arguments.data.name, "profile": arguments.profile} | asdict(report), indent=2))
        return
    _print_table(report, f"{arguments.data.name}, profile {arguments.profile}, {len(turns)} turns")
    if arguments.records:
        for record in records:
            if record["status"] != "tombstoned":
                print(f"  {record['id']:>4} {record['status']:<10} {record['key'] or '-':<28} {record['text']}")


def load(path: Path) -> list[Row]:
    """The labelled turns of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def measure(turns: Sequence[Row], profile: str, language: str = "en") -> tuple[Report, list[Row]]:
    """The report, and all records as they are at the end."""
    with tempfile.TemporaryDirectory() as folder:
        if profile == "none":
            return asyncio.run(_in_process(turns, Path(folder), language))
        if profile == "embedder":
            return asyncio.run(_in_process_with_vectors(turns, Path(folder), language))
        return _over_http(turns, profile, Path(folder), language)


# Scoring


def score(turns: Sequence[Row], heard: Heard) -> Report:
    """An expectation counts unless a later turn of the set says that it is gone."""
    report = Report(records=len([record for record in heard.records if record["status"] in _LIVE]))
    for number, (turn, turn_id) in enumerate(zip(turns, heard.turn_ids, strict=True)):
        label = f"{turn['id']} {turn['text']!r}"
        for wanted in turn["expect"]:
            if not _ends_later(wanted["all"], turn["text"], turns[number + 1 :]):
                _score_expected(report, wanted["all"], turn["pending"], label, heard)
        for words in turn["gone"]:
            if any(words in _content(record) for record in heard.records if record["status"] in _LIVE):
                report.wrongly_kept.append(f"{label}: {words!r} is still live")
        if turn["pending"]:
            _score_pending(report, turn_id, label, heard)
        if turn["noise"]:
            report.noise += 1
            left = [record["text"] for record in heard.records if record["source_turn_id"] == turn_id]
            report.invented += [f"{label}: {text!r}" for text in left]
    return report


def _score_expected(report: Report, groups: Sequence[str], pending: bool, label: str, heard: Heard) -> None:
    report.expected += 1
    fitting = [record for record in heard.records if _holds(record, groups)]
    live = [r for r in fitting if r["status"] == "active" or (pending and r["status"] == "pending")]
    if not live:
        offended = report.wrongly_overwritten if fitting else report.missed
        offended.append(f"{label}: {groups}" + "".join(f", {r['status']} {r['text']!r}" for r in fitting[:1]))
        return
    report.live += 1
    asked = " ".join(group.split("|")[0] for group in groups)
    if {record["id"] for record in live} & set(heard.search(asked)):
        report.findable += 1
    else:
        report.not_found.append(f"{label}: searched for {asked!r}")


def _score_pending(report: Report, turn_id: str, label: str, heard: Heard) -> None:
    ended = [
        record["text"]
        for record in heard.records
        for entry in record["history"]
        if entry["turn_id"] == turn_id and (entry["after"] or {}).get("status") in ("superseded", "expired")
    ]
    waits = any(record["source_turn_id"] == turn_id and record["status"] == "pending" for record in heard.records)
    if waits and not ended:
        report.pending_right += 1
    else:
        report.pending_wrong.append(f"{label}: " + (f"overwrote {ended[0]!r}" if ended else "nothing waits"))


def _ends_later(groups: Sequence[str], text: str, later: Sequence[Row]) -> bool:
    """Whether a later turn lists as gone words that this turn said and this expectation is about."""
    about = {word for group in groups for choice in group.split("|") for word in choice.split()}
    said = text.lower()
    return any(
        words in said and any(part in word or word in part for part in words.split() for word in about)
        for turn in later
        for words in turn["gone"]
    )


def _holds(record: Row, groups: Sequence[str]) -> bool:
    content = _content(record)
    return all(any(choice in content for choice in group.split("|")) for group in groups)


def _content(record: Row) -> str:
    return f"{record['text']} {record['value'] or ''} {record['source_excerpt']}".lower()


def _print_table(report: Report, title: str) -> None:
    print(title)
    rate = report.findable / report.expected if report.expected else 1.0
    lists = {
        "missed": report.missed,
        "not found": report.not_found,
        "invented": report.invented,
        "wrongly overwritten": report.wrongly_overwritten,
        "wrongly kept": report.wrongly_kept,
        "pending wrong": report.pending_wrong,
    }
    print(f"{'stored':<20} {report.live} of {report.expected}, live and findable {report.findable} ({rate:.2f})")
    for name, offenders in lists.items():
        if name != "pending wrong":
            print(f"{name:<20} {len(offenders)}" + (f" of {report.noise} noise turns" if name == "invented" else ""))
    print(f"{'pending':<20} {report.pending_right} of {report.pending_right + len(report.pending_wrong)}")
    print(f"{'live records':<20} {report.records}")
    for name, offenders in lists.items():
        for offender in offenders:
            print(f"  {name}: {offender}")


# Hearing


async def _in_process_with_vectors(turns: Sequence[Row], folder: Path, language: str) -> tuple[Report, list[Row]]:
    from firmware_bridge.inference import LlamaEmbedder
    from firmware_bridge.lane import ComputeLane

    async with ComputeLane() as lane, aclosing(await LlamaEmbedder.load(EMBEDDER, lane, threads=1)) as embedder:
        return await _in_process(turns, folder, language, embedder)


async def _in_process(
    turns: Sequence[Row], folder: Path, language: str, embedder: Embedder | None = None
) -> tuple[Report, list[Row]]:
    from edge_memory.memory import Memory
    from edge_memory.records import Language, UserTurn
    from edge_memory.scripted import HashEmbedder, ScriptedChat
    from edge_memory.store.conversation import Answer
    from edge_memory.store.records import Filter, to_json

    mute = ScriptedChat(lambda messages: "")
    now = NOON
    async with Memory(
        folder / "memory.db",
        serve=True,
        embedder=embedder or HashEmbedder(),
        chat=mute,
        clock=lambda: now,
        language=Language(language),
    ) as memory:
        await memory.prepare()
        for turn in turns:
            now += BETWEEN_TURNS
            heard = UserTurn(turn["id"], f"session-{turn['session']}", "owner", turn["text"], now)
            await memory.hear(heard)
            await memory.answer(Answer(heard, "I see.", "respond", {}, now))
            while await memory.digest_once():
                pass
        found, _ = await memory.select(Filter(), limit=1_000)
        records = []
        for record in reversed(found):
            _, history = await memory.inspect(record.id)
            entries = [{"turn_id": entry.turn_id, "after": entry.after} for entry in history]
            records.append(to_json(record) | {"history": entries})
        asked = {
            query: [hit.record.id for hit in await memory.search(query, limit=_FOUND_AMONG)]
            for query in {
                " ".join(group.split("|")[0] for group in wanted["all"]) for turn in turns for wanted in turn["expect"]
            }
        }
    return score(turns, Heard([turn["id"] for turn in turns], records, asked.__getitem__)), records


def _over_http(turns: Sequence[Row], profile: str, folder: Path, language: str) -> tuple[Report, list[Row]]:
    from urllib.parse import urlencode

    from companion_process import Companion

    with Companion(
        folder / "house", "--profile", profile, "--set", f"persona.language={language}", reply_tokens=None
    ) as companion:
        companion.wait_for(lambda health: health["status"] == "ok")
        turn_ids = [companion.say(turn["text"], f"session-{turn['session']}")["turn_id"] for turn in turns]
        companion.wait_until_digested(_PATIENCE_SECONDS)
        listed, offset = [], 0
        while page := companion.get(f"/memory/records?limit=1000&offset={offset}")[1]["records"]:
            listed, offset = [*listed, *page], offset + len(page)
        records = [companion.get(f"/memory/records/{record['id']}")[1] for record in reversed(listed)]

        def search(query: str) -> list[int]:
            hits = companion.get("/memory/search?" + urlencode({"q": query, "k": _FOUND_AMONG}))[1]["hits"]
            return [hit["id"] for hit in hits]

        return score(turns, Heard(turn_ids, records, search)), records


if __name__ == "__main__":
    main()
