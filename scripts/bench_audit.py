#!/usr/bin/env -S .venv/bin/python
"""Does asking the model what rules leave open help, or does it hurt?

Tells pairs of statements (tests/data/audit_pairs.jsonl: what is known, what is said then, what that should do) to a
memory of their own each, by rules alone and with the auditor, and compares what is believed afterwards. No pair may
overwrite what stands beside it.
usage: scripts/bench_audit.py [--profile small] [--data FILE] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from edge_memory.config import MemoryConfig
from edge_memory.memory import OWNER, Memory
from edge_memory.protocols import ChatModel, Embedder
from edge_memory.records import Status, UserTurn
from edge_memory.store.conversation import Answer
from edge_memory.store.records import Filter
from firmware_bridge.inference.chat import LlamaChat
from firmware_bridge.inference.embedder import LlamaEmbedder
from firmware_bridge.lane import ComputeLane

ROOT = Path(__file__).resolve().parent.parent
PAIRS = ROOT / "tests" / "data" / "audit_pairs.jsonl"
WEIGHTS = {
    "tiny": "SmolLM2-135M-Instruct.Q4_1.gguf",
    "small": "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    "base": "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
}
Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", default="small", choices=sorted(WEIGHTS))
    parser.add_argument("--data", type=Path, default=PAIRS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chat, embedder = (ROOT / "models" / name for name in (WEIGHTS[options.profile], "all-MiniLM-L6-v2.f16.gguf"))
    for needed in (chat, embedder, options.data):
        if not needed.exists():
            sys.exit(f"{needed} is not there: nothing was measured")
    pairs = [json.loads(line) for line in options.data.read_text(encoding="utf-8").splitlines() if line.strip()]
    measured = asyncio.run(measure(pairs, chat, embedder))
    print(json.dumps(measured, indent=2) if options.json else table(measured))


async def measure(pairs: list[Row], chat_file: Path, embedder_file: Path) -> dict[str, Any]:
    """By "rules" and by "auditor": for each wanted action how often it came about, and every other outcome."""
    async with AsyncExitStack() as stack:
        lane = await stack.enter_async_context(ComputeLane())
        chat = await LlamaChat.load(chat_file, lane, threads=1)
        stack.push_async_callback(chat.aclose)
        embedder = await LlamaEmbedder.load(embedder_file, lane, threads=1)
        stack.push_async_callback(embedder.aclose)
        return {
            "rules": await outcomes(pairs, None, embedder),
            "auditor": await outcomes(pairs, chat, embedder),
        }


async def outcomes(pairs: list[Row], chat: ChatModel | None, embedder: Embedder) -> dict[str, Any]:
    right, wanted, others, began = Counter[str](), Counter[str](), list[str](), time.perf_counter()
    for pair in pairs:
        wanted[pair["action"]] += 1
        came = await outcome(pair, chat, embedder)
        if came == pair["action"]:
            right[came] += 1
        else:
            others.append(f"{pair['action']} became {came}: {pair['known']} + {pair['said']!r}")
    seconds = (time.perf_counter() - began) / len(pairs)
    return {"right": {name: [right[name], wanted[name]] for name in wanted}, "other": others, "seconds": seconds}


async def outcome(pair: Row, chat: ChatModel | None, embedder: Embedder) -> str:
    """What became of the known statement that the pair is about, and of the new one."""
    config = MemoryConfig(audit_enabled=chat is not None, job_backoff_seconds=60.0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        async with Memory(path, serve=True, config=config, embedder=embedder, chat=chat) as memory:
            await memory.prepare()
            for number, text in enumerate([*pair["known"], pair["said"]]):
                turn = UserTurn(f"t{number}", "kitchen", OWNER, text, time.time())
                await memory.hear(turn)
                await memory.answer(Answer(turn, "I see.", "respond", {}, turn.heard_at))
                while await memory.digest_once():
                    pass
            found, _ = await memory.select(Filter(), 100)
    last = f"t{len(pair['known'])}"
    new = {record.status for record in found if record.source_turn_id == last}
    old = {r.source_turn_id: r.status for r in found}.get(f"t{pair.get('candidate', 1) - 1}")
    bystanders = [r for r in found if r.source_turn_id not in (last, f"t{pair.get('candidate', 1) - 1}")]
    if any(record.status is not Status.ACTIVE for record in bystanders):
        return "a bystander was overwritten"
    return _named(old, new, pair["action"])


def _named(old: Status | None, new: set[Status], wanted: str) -> str:
    if not new:
        return "nothing kept"
    if Status.PENDING in new:
        return "mark_pending_confirmation" if old is Status.ACTIVE else "pending, and overwritten"
    if old is Status.ACTIVE:
        return "insert" if Status.ACTIVE in new else "noop"
    ended = {Status.SUPERSEDED: "supersede", Status.EXPIRED: "expire"}.get(old or Status.ACTIVE, "lost")
    # Whether what ended was replaced or merely ended shows in the words, and an update is a replacing that loses none.
    return wanted if ended != "lost" and wanted in ("supersede", "expire", "update") else ended


def table(measured: dict[str, Any]) -> str:
    actions = list(measured["rules"]["right"])
    lines = [f"{'':26}{'rules alone':>14}{'with auditor':>14}"]
    for action in actions:
        cells = (f"{measured[how]['right'][action][0]} of {measured[how]['right'][action][1]}" for how in measured)
        lines.append(f"{action:26}" + "".join(f"{cell:>14}" for cell in cells))
    lines.append(f"{'seconds for each pair':26}" + "".join(f"{measured[how]['seconds']:>14.2f}" for how in measured))
    for how in measured:
        lines += [f"  {how}: {one}" for one in measured[how]["other"]]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
