"""Deciding about memory: profile, proposals, undo, base memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, Yes, group, print_json
from firmware_bridge.cli.house import agreed, count, print_records, when, with_memory

if TYPE_CHECKING:
    from edge_memory.memory import Memory
    from edge_memory.review import Decision, Profile
    from edge_memory.store.profiles import StoredProfile
    from edge_memory.store.summaries import BaseMemory

RecordId = Annotated[int, typer.Argument(help="As `lobug memory list` shows it.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it is kept in the history.")]

profile_app = group("Who you are and how you want things.")
review_app = group("What waits for your decision.")
base_app = group("The document about you that is in every prompt.")


@profile_app.command("show")
def show_profile(data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """What is believed about you, with how sure it is and since when."""
    from dataclasses import asdict

    from edge_memory.memory import OWNER

    async def look(memory: Memory) -> tuple[Profile, StoredProfile | None]:
        return await memory.review.profile(OWNER), await memory.review.stored_profile(OWNER)

    now, stored = with_memory(data_dir, config, look)
    profile = asdict(now)
    if as_json:
        print_json(profile | {"stored": stored and {k: v for k, v in asdict(stored).items() if k != "up_to_id"}})
        return
    for section, content in profile.items():
        entries = [e for slot in content.values() for e in slot] if isinstance(content, dict) else content
        if entries:
            typer.echo(section.replace("_", " "))
        for entry in entries:
            typer.echo(_profile_line(entry))
    if not any(profile.values()):
        typer.echo("nothing is known about you yet")
    if stored is not None:
        typer.echo(f"stored {when(stored.created_at)}, version {stored.version}, {stored.confidence:.2f} sure")


@profile_app.command("propose")
def propose(
    key: Annotated[str, typer.Argument(help='A slot, such as "user.diet" or "sarah.birthday".')],
    value: Annotated[str, typer.Argument(help="What it should hold.")],
    reason: Reason = "",
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Propose a value for your profile. It waits for `review confirm`."""
    from edge_memory.memory import OWNER
    from edge_memory.store.records import to_json

    record = with_memory(data_dir, config, lambda memory: memory.review.propose(key, value, reason, OWNER))
    if as_json:
        print_json(to_json(record))
    else:
        print_records([record])
        typer.echo(f"waits for: lobug memory review confirm {record.id}")


@review_app.command("list")
def list_pending(data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """What waits for a decision, and what confirming it would end."""
    from edge_memory.memory import OWNER
    from edge_memory.store.records import to_json

    waiting = with_memory(data_dir, config, lambda memory: memory.review.pending(OWNER))
    if as_json:
        shown = [to_json(one.record) | {"reason": one.reason, "replaces": list(one.replaces)} for one in waiting]
        print_json({"records": shown, "total": len(shown)})
    elif not waiting:
        typer.echo("nothing waits for a decision")
    else:
        for one in waiting:
            ends = f"  (ends {', '.join(map(str, one.replaces))})" if one.replaces else ""
            typer.echo(f"{one.record.id:>6}  {one.record.text}{ends}  {one.reason}".rstrip())
        typer.echo("decide with: lobug memory review confirm ID, or reject ID")


@review_app.command("confirm")
def confirm(
    record_id: RecordId,
    reason: Reason = "confirmed by the owner",
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Have it believe what waits. What that replaces is kept as superseded."""
    _tell("confirmed", with_memory(data_dir, config, lambda memory: memory.review.confirm(record_id, reason)), as_json)


@review_app.command("reject")
def reject(
    record_id: RecordId,
    reason: Reason = "rejected by the owner",
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Turn down what waits. Its text stays in the history, `forget` erases it."""
    _tell("rejected", with_memory(data_dir, config, lambda memory: memory.review.reject(record_id, reason)), as_json)


def rollback(
    record_id: RecordId,
    reason: Reason = "rolled back by the owner",
    yes: Yes = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Undo a record, and believe again what it had replaced. Asks first."""

    async def run(memory: Memory) -> Decision | None:
        record, _ = await memory.inspect(record_id)
        if not agreed(f"Roll back record {record_id}: {record.text}?", yes):
            return None
        return await memory.review.rollback(record_id, reason)

    decision = with_memory(data_dir, config, run)
    if decision is not None:
        _tell("rolled back", decision, as_json)


@base_app.command("show")
def show_base(data_dir: DataDir = None, config: ConfigFile = None, as_json: AsJson = False) -> None:
    """The current document, and its earlier versions."""
    from dataclasses import asdict

    versions = with_memory(data_dir, config, lambda memory: memory.base_memory_versions())
    if as_json:
        print_json({"versions": [asdict(one) for one in versions]})
        return
    for one in versions:
        typer.echo(f"{one.version:>6}  {when(one.created_at)}  {one.reason}")
    typer.echo(versions[0].content if versions else "there is no base memory yet")


@base_app.command("rollback")
def rollback_base(
    version: Annotated[int, typer.Argument(help="As `lobug memory base show` lists it.")],
    yes: Yes = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Make an earlier version the current one. Asks first; nothing is lost."""
    from edge_memory.memory import OWNER

    async def run(memory: Memory) -> BaseMemory | None:
        known = [one.version for one in await memory.base_memory_versions()]
        if version in known and not agreed(f"Go back to version {version} of base memory?", yes):
            return None
        return await memory.review.roll_back_base(version, OWNER)

    current = with_memory(data_dir, config, run)
    if current is not None:
        typer.echo(f"version {current.version} is version {version} again")


def _tell(done: str, decision: Decision, as_json: bool) -> None:
    from edge_memory.store.records import to_json

    if as_json:
        print_json(
            {
                "record": to_json(decision.record),
                "ended": [record.id for record in decision.ended],
                "restored": [record.id for record in decision.restored],
            }
        )
        return
    typer.echo(f"{done}: {decision.record.text}")
    for word, changed in (("ended", decision.ended), ("believed again", decision.restored)):
        if changed:
            typer.echo(f"{word}: {count(len(changed), 'record')}")
            print_records(changed)


def _profile_line(entry: dict[str, Any]) -> str:
    if "was" in entry:
        return f"        {when(entry['at'])}  {entry['was']} -> {entry['now'] or '(nothing)'}"
    return f"{entry['record_id']:>6}  {entry['confidence']:.2f}  {when(entry['since'])}  {entry['text']}"
