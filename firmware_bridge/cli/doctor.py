"""`lobug doctor`: is everything here that the companion needs, and is it whole?"""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from edge_memory.errors import EdgeMemoryError
from firmware_bridge import __version__
from firmware_bridge.addresses import is_loopback
from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, print_json
from firmware_bridge.errors import ADD_EXTRAS, BridgeError

if TYPE_CHECKING:
    from firmware_bridge.settings import Settings
    from firmware_bridge.weights import Shelf

_LEAST_FREE_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `remedy` says what to do when it is not ok."""

    name: str
    ok: bool
    detail: str
    remedy: str = ""


def doctor(
    data_dir: DataDir = None,
    config: ConfigFile = None,
    retry: Annotated[bool, typer.Option("--retry", help="Give memory jobs that failed for good another try.")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="First save what can be read of a damaged memory file into a whole one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check versions, models, voice, disk, memory and who serves it. Exit 1 if something is wrong."""
    from firmware_bridge.settings import load_settings

    settings = load_settings({"data_dir": data_dir}, config)
    repaired = list(_repair(_database(settings))) if repair else []
    findings = repaired + [finding for check in _CHECKS for finding in _run(check, settings)]
    findings += _run(lambda s: _memory_file(s, retry=retry), settings)
    findings += _run(_companion, settings)
    if as_json:
        print_json({"ok": all(f.ok for f in findings), "findings": [asdict(f) for f in findings]})
    else:
        for finding in findings:
            typer.secho(f"{'ok  ' if finding.ok else 'BAD '} ", fg="green" if finding.ok else "red", nl=False)
            typer.echo(f"{finding.name:<18} {finding.detail}")
            if not finding.ok and finding.remedy:
                typer.echo(f"     {'':<18} -> {finding.remedy}")
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


def _repair(database: Path) -> Iterator[Finding]:
    """All rows that can be read, in a new file with new indices; the old file is kept aside. Raises StoreError."""
    from edge_memory.store import Backups, restore, salvage

    backups = Backups(database, time.time)
    copies, aside = backups.all(), backups.next_name("replaced")
    fresh = database.with_name(f"{database.name}.salvaged")
    try:
        saved = salvage(database, fresh)
        restore(fresh, database, aside)
    finally:
        for name in (fresh.name, f"{fresh.name}-wal", f"{fresh.name}-shm"):
            database.with_name(name).unlink(missing_ok=True)
    rows, lost = sum(table.rows for table in saved), [table for table in saved if table.lost]
    yield Finding("repair", True, f"{rows} rows saved, indices made anew; the old file is {aside}")
    remedy = (
        f"the newest copy may have them: lobug restore {copies[-1]}" if copies else "there is no copy that has them"
    )
    for table in lost:
        yield Finding("repair", False, f"{table.table}: {table.rows} rows saved, up to {table.lost} lost", remedy)


def _run(check: Callable[[Settings], Iterator[Finding]], settings: Settings) -> list[Finding]:
    """A check that fails in a known way is a finding, too."""
    found: list[Finding] = []
    try:
        found.extend(check(settings))
    except (BridgeError, EdgeMemoryError) as error:
        found.append(Finding(error.code.replace("_", " "), False, error.message, error.hint))
    except OSError as error:
        found.append(Finding("files", False, f"{error.filename}: {error.strerror}", "check owner and permissions"))
    return found


def _engine(settings: Settings) -> Iterator[Finding]:
    from edge_memory.store import engine_version, vector_extension_version
    from edge_memory.store.connection import check_engine

    yield Finding("lobug", True, f"{__version__} on Python {platform.python_version()}")
    check_engine(engine_version())
    yield Finding("SQLite", True, engine_version())
    yield Finding("vector extension", True, f"sqlite-vec {vector_extension_version()} loads")


def _inference(settings: Settings) -> Iterator[Finding]:
    from firmware_bridge.inference import library_version

    try:
        yield Finding("llama.cpp", True, f"llama-cpp-python {library_version()} loads")
    except (ImportError, OSError, RuntimeError) as error:
        yield Finding("llama.cpp", False, str(error), "run scripts/setup again; it compiles it for this machine")


def _weights(settings: Settings) -> Iterator[Finding]:
    from firmware_bridge.app.models import chosen_profile
    from firmware_bridge.machine import machine_memory
    from firmware_bridge.weights import Shelf, load_catalogue, needed_bytes, weights_dir

    catalogue = load_catalogue()
    shelf = Shelf(catalogue, weights_dir(settings.data_dir))
    profile = chosen_profile(settings.model, shelf)
    needed, free = needed_bytes(catalogue, profile), machine_memory().available
    sizes = f"needs {needed / 1e9:.1f} GB of memory, {free / 1e9:.1f} GB are free"
    if _is_served(settings):
        yield Finding("profile", True, f"{profile} ({settings.model.profile}) at the next start: {sizes} now")
    else:
        told = f"{profile} ({settings.model.profile}): {sizes}"
        yield Finding("profile", needed <= free, told, "choose a smaller --profile, or end other programs")
    model = settings.model
    chat, embedder = model.chat or catalogue.chat(profile).name, model.embedder or catalogue.embedder(profile).name
    yield from _role("chat", model.chat_url, shelf, chat, falls_back=model.fallback)
    same = model.embedding_url_model == embedder
    yield from _role("embedding", model.embedding_url, shelf, embedder, falls_back=model.fallback and same)


def _role(role: str, url: str, shelf: Shelf, name: str, *, falls_back: bool) -> Iterator[Finding]:
    """Where the model of a role comes from, and what stands in for its server."""
    if url:
        yield Finding(f"{role} model", True, f"served by {url}")
        if not falls_back:
            return
    what = f"{role} fallback" if url else f"{role} model"
    try:
        path = shelf.locate(name)
        yield Finding(what, True, f"{name} in {path}")
        if role == "chat":
            yield _reading(path)
    except BridgeError as error:
        yield Finding(
            what, False, error.message, f"{error.hint}; or set model.fallback to false" if url else error.hint
        )


def _reading(path: Path) -> Finding:
    """What turns cost with this chat model."""
    from firmware_bridge.inference import CANNOT_CUT, can_cut

    if can_cut(path):
        return Finding("reading", True, "a turn reads only what is new")
    return Finding("reading", True, CANNOT_CUT)


def _disk(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    told = f"{free / 1e9:.1f} GB free for {folder}"
    if not os.access(existing, os.W_OK | os.X_OK):
        yield Finding("data directory", False, f"{existing} cannot be written", "check its owner, or give --data-dir")
    yield Finding("disk", free >= _LEAST_FREE_BYTES, told, "free some space; memory itself needs little")


def _speech(settings: Settings) -> Iterator[Finding]:
    """A companion without a voice is a whole one, unless a voice was asked for."""
    from firmware_bridge.app.engines import SpeechEngines
    from firmware_bridge.lane import ComputeLane
    from firmware_bridge.weights import Shelf, load_catalogue, weights_dir

    if settings.speech.enabled == "off":
        yield Finding("speech", True, "switched off (speech.enabled)")
        return
    shelf = Shelf(load_catalogue(), weights_dir(settings.data_dir))
    states = SpeechEngines(settings.speech, shelf, ComputeLane()).found()
    lacking = [state.detail for state in states if state.state == "missing"]
    if not lacking:
        yield Finding("speech", True, ", ".join(state.name for state in states))
        return
    wrong = [detail for detail in lacking if "knows the language" in detail]
    if wrong:
        yield Finding("speech", False, wrong[0], f"it is to hear and speak the language {settings.speech.language}")
    elif settings.speech.enabled == "auto":
        yield Finding("speech", True, f"text only: {lacking[0]}; to add a voice: {ADD_EXTRAS}")
    else:
        yield Finding("speech", False, lacking[0], ADD_EXTRAS)


def _language(settings: Settings) -> Iterator[Finding]:
    if settings.persona.language == "en":
        return
    told = f"{settings.persona.language}; the default embedder knows English: recall goes by words first"
    yield Finding("language", True, told)


def _wyoming(settings: Settings) -> Iterator[Finding]:
    """Who may talk as the owner without a token."""
    from importlib.util import find_spec

    wyoming = settings.wyoming
    if not wyoming.enabled:
        return
    if find_spec("wyoming") is None:
        yield Finding("wyoming", False, "the library is not installed", ADD_EXTRAS)
        return
    at_home = settings.server.trust_loopback
    who = ", ".join((*(("this machine",) if at_home else ()), *wyoming.clients)) or "nowhere"
    told = f"{wyoming.host}:{wyoming.port}; no tokens: whoever connects from {who} talks as the owner"
    safe = (at_home and is_loopback(wyoming.host)) or bool(wyoming.clients)
    yield Finding("wyoming", safe, told, "name who may connect in wyoming.clients, such as Home Assistant's address")


_CHECKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    _engine,
    _inference,
    _weights,
    _language,
    _speech,
    _wyoming,
    _disk,
)


def _memory_file(settings: Settings, *, retry: bool) -> Iterator[Finding]:
    path = _database(settings)
    if not path.exists():
        yield Finding("memory file", True, f"{path} is made at the first start")
        return
    from edge_memory.memory import Memory
    from edge_memory.store import tells_rot

    async def look() -> Iterator[Finding]:
        async with Memory(path, serve=False, config=settings.memory) as memory:
            await memory.check()
            retried = await memory.retry_parked() if retry else 0
            numbers = await memory.stats()
        failed = numbers["jobs_failed"]
        work = f"{numbers['jobs_pending']} waiting, {failed} failed for good, {retried} tried again"
        found = [
            Finding("memory file", True, f"{path}: whole, {numbers['records']} records, {numbers['turns']} turns"),
            Finding("memory jobs", failed == 0, work, "see `lobug memory stats`; then lobug doctor --retry"),
        ]
        return iter(found)

    yield from asyncio.run(look())
    told = "on every page" if tells_rot(path) else "none yet: the companion adds them at its next start"
    yield Finding("page checksums", True, told)


def _companion(settings: Settings) -> Iterator[Finding]:
    """What the companion that serves this memory says of itself: it may have been started with other settings."""
    from edge_memory.store import serving_address
    from firmware_bridge.cli.client import CompanionClient

    name = "running companion"
    if not _is_served(settings):
        yield Finding(name, True, "none serves this memory")
        return
    address = serving_address(_database(settings))
    if not address:
        yield Finding(name, True, "one serves this memory, and has not said yet where it answers")
        return
    try:
        health = asyncio.run(CompanionClient(address).health())
    except BridgeError as error:
        yield Finding(name, False, f"one serves this memory at {address}, but: {error.message}", error.hint)
        return
    models = [f"{role} {model['name']} ({model['state']})" for role, model in health["models"].items()]
    yield Finding(name, True, f"{address}, with {', '.join(models)}")
    is_loading = any(model["state"] == "loading" for model in health["models"].values())
    for wrong in health["degraded"]:
        yield Finding(name, is_loading, wrong, "its log has more")


def _is_served(settings: Settings) -> bool:
    from edge_memory.store import is_served

    return is_served(_database(settings))


def _database(settings: Settings) -> Path:
    from firmware_bridge.app.unlocking import unlocked  # brings pydantic

    return unlocked(settings)
