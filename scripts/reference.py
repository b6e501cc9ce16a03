"""The generated parts of README.md and REFERENCE.md, from the code that defines what they tell (see scripts/docs)."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from prometheus_client.metrics_core import Metric
from pydantic import BaseModel, RootModel

from edge_memory import errors as memory_errors
from edge_memory.memory import OWNER, Memory
from edge_memory.records import Record, Status, UserTurn
from edge_memory.store.conversation import Answer
from edge_memory.store.records import Filter
from firmware_bridge import errors as bridge_errors
from firmware_bridge.app.metrics import Metrics
from firmware_bridge.cli.main import app
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings_table import settings_table
from firmware_bridge.web.doors import DOORS
from firmware_bridge.web.failures import http_status
from firmware_bridge.web.operations import OPERATIONS, Operation

_EVERYWHERE = ("data_dir", "config", "as_json", "yes")


def commands() -> str:
    """A table of every verb with what it does and its options, beside those that most verbs have."""
    rows = [
        f"| `lobug {name}` | {text} | {options} |" for name, text, options in _verbs(typer.main.get_command(app), "")
    ]
    return "\n".join(["| command | what it does | options |", "|---|---|---|", *rows])


def settings() -> str:
    """A table of every setting with default, range and meaning."""
    rows = [f"| `{row.key}` | {_default(row.default)} | {row.limits} | {row.meaning} |" for row in settings_table()]
    return "\n".join(["| setting | default | range | meaning |", "|---|---|---|---|", *rows])


def metrics() -> str:
    """A table of what `/metrics` tells."""
    rows = [f"| `{exposed(one)}` | {one.type} | {one.documentation} |" for one in Metrics(ComputeLane()).described()]
    return "\n".join(["| metric | type | what it is |", "|---|---|---|", *rows])


def routes() -> str:
    """A table of every route: who may use it, what it does, what it takes."""
    rows = [
        f"| `{method} {path}` | {DOORS[method, path].value} | {operation.summary} | {_taken(operation)} |"
        for (method, path), operation in OPERATIONS.items()
    ]
    return "\n".join(["| route | for | what it does | takes |", "|---|---|---|---|", *rows])


def errors() -> str:
    """A table of every error code, its HTTP status, and when it comes; of both trees."""
    rows = [
        f"| `{kind.code}` | {http_status(kind)} | {meaning} |"
        for tree in (bridge_errors, memory_errors)
        for name, meaning in re.findall(r"── (\w+) {2,}(.+)", tree.__doc__ or "")
        for kind in (getattr(tree, name),)
    ]
    return "\n".join(["| code | status | when |", "|---|---|---|", *sorted(rows)])


def _taken(operation: Operation) -> str:
    told = [_members(model) for model in (operation.query, operation.body) if isinstance(model, type)]
    told += ["a recording"] if isinstance(operation.body, Mapping) and "audio/wav" in operation.body else []
    return "; ".join(part for part in told if part)


def _members(model: type[BaseModel]) -> str:
    if issubclass(model, RootModel):
        return "a flat object"
    fields = model.model_fields.items()
    return ", ".join(f"`{field.alias or name}`{'' if field.is_required() else '?'}" for name, field in fields)


def exposed(metric: Metric) -> str:
    """The name as a query has it."""
    return f"{metric.name}_total" if metric.type == "counter" else metric.name


def example() -> str:
    """A short life as memory keeps it, from the real engine by rules alone."""
    return asyncio.run(
        _live(("my name is Alex and I work at NASA", "what's the weather like", "I work at a bakery now"))
    )


async def _live(turns: tuple[str, ...]) -> str:
    told = ["```text"]
    with tempfile.TemporaryDirectory() as folder:
        async with Memory(Path(folder) / "memory.db", serve=True) as memory:
            for number, text in enumerate(turns):
                turn = UserTurn(f"turn{number}", "default", OWNER, text, 0.0)
                await memory.hear(turn)
                await memory.answer(Answer(turn, "...", "respond", {}, 0.0))
                before, _ = await memory.select(Filter())
                while await memory.digest_once():
                    pass
                after, _ = await memory.select(Filter())
                told += [f"you>  {text}", *(_change(record) for record in reversed(after) if record not in before)]
    return "\n".join([*told, "```"])


def _change(record: Record) -> str:
    what = "remembers" if record.status is Status.ACTIVE else record.status.value
    return f"      {what}: {record.text}  ({record.key}, {record.confidence:.2f} sure)"


def _verbs(command: Any, prefix: str) -> Iterator[tuple[str, str, str]]:
    for name, child in command.commands.items():
        if hasattr(child, "commands"):
            yield from _verbs(child, f"{prefix}{name} ")
        else:
            arguments = "".join(f" {_argument(p)}" for p in child.params if p.param_type_name == "argument")
            options = [_option(p) for p in child.params if p.param_type_name == "option" and p.name not in _EVERYWHERE]
            yield f"{prefix}{name}{arguments}", (child.help or "").splitlines()[0], ", ".join(options)


def _argument(argument: Any) -> str:
    return argument.name.upper() if argument.required else f"[{argument.name.upper()}]"


def _option(option: Any) -> str:
    names = "/".join((option.opts[0], *option.secondary_opts))
    return f"`{names}`" if option.is_flag else f"`{names} {(option.metavar or option.name).upper()}`"


def _default(value: Any) -> str:
    if value is None:
        return "of the machine"
    if value in ("", ()):
        return "(empty)"
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
