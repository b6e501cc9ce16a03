#!/usr/bin/env -S .venv/bin/python
"""What does a turn cost to read, and how soon does the first token come?

The baseline is what a user gets from llama-cpp-python's public API: the seed's order of the prompt, and a naive tail.
Ours is the whole companion as a process, over HTTP, with the same model, threads, memories, readings and utterances.
Replies are greedy and short, and not held to memory, which the baseline cannot do.
usage: scripts/bench_turn.py [--profile tiny] [--turns 60] [--threads 2] [--only PART]... [--plot FILE.svg] [--json]
parts: layouts, restart, devices, job, memory, outside
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any

from turn_plot import plot
from turn_scenario import BASE_MEMORY, MEMORIES, CompanionTalk, messages, utterance

from edge_memory.memory import Memory
from edge_memory.records import Message, Role
from edge_memory.store import Store, summaries
from firmware_bridge.weights import Profile, Shelf, load_catalogue, weights_dir

_REPLY_TOKENS, _WORKING_MESSAGES = 24, 20
_FIRST, _JOB_ROUNDS, _OUTSIDE_RECORDS, _OUTSIDE_TURNS = 20, 15, 10_000, 200
Row = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", default="tiny", choices=[profile.value for profile in Profile])
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", action="append", choices=list(PARTS), help="this part alone; may be repeated")
    parser.add_argument("--plot", type=Path, help="where to write first-token times against turns, as SVG")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {name: part(options) for name, part in PARTS.items() if not options.only or name in options.only}
    if options.plot and "layouts" in results:
        options.plot.write_text(plot({name: run["first_token_ms"] for name, run in results["layouts"].items()}))
    print(json.dumps(results, indent=2) if options.json else told(results))


def layouts(options: argparse.Namespace) -> dict[str, Any]:
    """Tokens read and first token of each turn, in the three layouts."""
    runs = {layout: public_api(layout, options) for layout in ("seed order", "naive tail")}
    with tempfile.TemporaryDirectory() as folder, companion(Path(folder), options) as talk:
        runs["ours"] = [talk.turn(number, "kitchen") for number in range(options.turns)]
    summaries = {name: _summary(rows) for name, rows in runs.items()}
    seed = summaries["seed order"]["first_token_median_ms"]
    return {
        name: summary | {"first_token_ratio": summary["first_token_median_ms"] / seed}
        for name, summary in summaries.items()
    }


def public_api(layout: str, options: argparse.Namespace) -> list[Row]:
    import llama_cpp

    model = llama_cpp.Llama(
        str(weights(options.profile)),
        n_ctx=4096,
        n_threads=options.threads,
        n_threads_batch=options.threads,
        verbose=False,
    )
    history: deque[dict[str, str]] = deque(maxlen=_WORKING_MESSAGES)
    rows = []
    for number in range(options.turns):
        llama_cpp.llama_perf_context_reset(model._ctx.ctx)
        began, first, reply = time.perf_counter(), 0.0, ""
        prompt = messages(layout, list(history), number)
        for chunk in model.create_chat_completion(prompt, max_tokens=_REPLY_TOKENS, temperature=0, stream=True):
            if text := chunk["choices"][0]["delta"].get("content"):
                first = first or (time.perf_counter() - began) * 1e3
                reply += text
        read = llama_cpp.llama_perf_context(model._ctx.ctx).n_p_eval
        rows.append({"read": read, "first_token_ms": first})
        history.extend(
            [{"role": "user", "content": utterance(number)}, {"role": "assistant", "content": reply.strip()}]
        )
    model.close()
    return rows


def restart(options: argparse.Namespace) -> dict[str, Any]:
    """The first turn after a restart, beside the same turn without one: once the companion is ready, and before that,
    when it has not yet read what was talked about. The first token then waits for the weights, too.
    """
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        with companion(Path(folder), options) as talk:
            before = [talk.turn(number, "kitchen") for number in range(12)][-1]
        with companion(Path(folder), options, is_new=False) as talk:
            after = talk.turn(12, "kitchen")
        hurried = companion(Path(folder), options, is_new=False)
        stack.push(hurried)  # without entering, which would wait
        at_once = hurried.turn(13, "kitchen")
    return {"before": before, "after": after, "at once": at_once}


def devices(options: argparse.Namespace) -> dict[str, Any]:
    """Two devices taking turns."""
    with tempfile.TemporaryDirectory() as folder, companion(Path(folder), options) as talk:
        rows = [talk.turn(number, ("kitchen", "hall")[number % 2]) for number in range(options.turns)]
    return _summary(rows)


def job(options: argparse.Namespace) -> dict[str, Any]:
    """First token while a memory job reads and decodes, beside idle; the same turn each time, in this process."""
    return asyncio.run(_job(options))


async def _job(options: argparse.Namespace) -> dict[str, Any]:
    from firmware_bridge.inference import LlamaChat
    from firmware_bridge.lane import ComputeLane

    prompt = [Message(Role(one["role"]), one["content"]) for one in messages("naive tail", [], 0)]
    told = [Message(Role.USER, "Retell this in your own words: " + "; ".join(MEMORIES * 3))]
    times: dict[str, list[float]] = {"idle": [], "busy": []}
    async with ComputeLane() as lane:
        chat = await LlamaChat.load(weights(options.profile), lane, threads=options.threads)
        async with aclosing(chat):
            for number in range(2 * _JOB_ROUNDS):
                await chat.read_ahead(prompt[:1], conversation="kitchen", shared=1)
                kind = ("idle", "busy")[number % 2]
                work = asyncio.create_task(chat.complete(told, max_tokens=200)) if kind == "busy" else None
                await asyncio.sleep(0.3 + 0.05 * number)  # into its reading, or its writing
                if work is not None and work.done():
                    sys.exit("the memory job was over before the turn began: nothing was measured")
                began = time.perf_counter()
                async with aclosing(chat.reply(prompt, conversation="kitchen", max_tokens=2, temperature=0.0)) as reply:
                    await anext(reply)
                    times[kind].append((time.perf_counter() - began) * 1e3)
                if work is not None:
                    work.cancel()
                    await asyncio.wait([work])
    medians = {f"{kind}_first_token_ms": statistics.median(values) for kind, values in times.items()}
    return medians | {"ratio": medians["busy_first_token_ms"] / medians["idle_first_token_ms"]}


def memory(options: argparse.Namespace) -> dict[str, Any]:
    """Peak resident memory of the process beyond its weights files, after some turns."""
    with tempfile.TemporaryDirectory() as folder, companion(Path(folder), options) as talk:
        for number in range(min(options.turns, 40)):
            talk.turn(number, "kitchen")
        resident = talk.peak_bytes()
    catalogue = load_catalogue()
    files = [
        weights(options.profile),
        Shelf(catalogue, weights_dir(Path(folder))).locate(catalogue.embedder(Profile(options.profile)).name),
    ]
    beyond = resident - sum(path.stat().st_size for path in files)
    return {"peak_mb": resident / 1e6, "beyond_weights_mb": beyond / 1e6}


def outside(options: argparse.Namespace) -> dict[str, Any]:
    """What a turn takes outside the models with 10,000 records and as many turns, without the embedding."""
    from turn_outside import turn_milliseconds

    times, used = asyncio.run(turn_milliseconds(_OUTSIDE_RECORDS, _OUTSIDE_TURNS))
    return {
        "p50_ms": statistics.median(times),
        "p95_ms": statistics.quantiles(times, n=20)[-1],
        "processor_p50_ms": statistics.median(used),
        "processor_p95_ms": statistics.quantiles(used, n=20)[-1],
    }


def companion(folder: Path, options: argparse.Namespace, *, is_new: bool = True) -> CompanionTalk:
    data = folder / "data"
    if is_new:
        data.mkdir()
        asyncio.run(_furnish(data / "memory.db"))
    return CompanionTalk(
        data,
        options.profile,
        {
            "LOBUG_MODEL__THREADS": str(options.threads),
            "LOBUG_MODEL__TEMPERATURE": "0",
            "LOBUG_MODEL__MAX_REPLY_TOKENS": str(_REPLY_TOKENS),
            "LOBUG_TURN__GROUNDED": "false",
        },
    )


async def _furnish(path: Path) -> None:
    """The scenario's memories and base memory, as the companion would have them."""
    async with Memory(path, serve=True) as memory:
        for text in MEMORIES:
            await memory.learn(text)
    async with Store(path, serve=True) as store:
        await store.write(lambda c: summaries.set_base_memory(c, "owner", BASE_MEMORY, "bench", time.time()))


def weights(profile: str) -> Path:
    catalogue = load_catalogue()
    return Shelf(catalogue, weights_dir(Path("unused"))).locate(catalogue.chat(Profile(profile)).name)


def _summary(rows: Sequence[Row]) -> dict[str, Any]:
    first_tokens = _late(rows, "first_token_ms")
    summary: dict[str, Any] = {
        "read_mean": statistics.fmean(_late(rows, "read")),
        "first_token_mean_ms": statistics.fmean(first_tokens),
        "first_token_median_ms": statistics.median(first_tokens),
        "read": [row["read"] for row in rows],
        "first_token_ms": [row["first_token_ms"] for row in rows],
    }
    if "tail" in rows[0]:
        summary["read_over_tail"] = sum(_late(rows, "read")) / sum(_late(rows, "tail"))
    return summary


def _late(rows: Sequence[Row], name: str) -> list[float]:
    """Of the turns from the twentieth on, or of the later half of a shorter run."""
    return [row[name] for row in rows[min(_FIRST, len(rows) // 2) :]]


def told(results: dict[str, Any]) -> str:
    lines = []
    for part, result in results.items():
        lines.append(part)
        rows = result.items() if all(isinstance(value, dict) for value in result.values()) else [("", result)]
        for name, row in rows:
            shown = (f"{key} {value:.2f}" for key, value in row.items() if isinstance(value, int | float))
            lines.append(f"  {name:12}" + "  ".join(shown))
    return "\n".join(lines)


PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "layouts": layouts,
    "restart": restart,
    "devices": devices,
    "job": job,
    "memory": memory,
    "outside": outside,
}

if __name__ == "__main__":
    sys.exit(main())
