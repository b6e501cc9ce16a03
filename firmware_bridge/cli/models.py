"""`lobug models`: which weights there are, getting them, checking them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from firmware_bridge.cli.console import AsJson, ConfigFile, DataDir, group, print_json
from firmware_bridge.weights.model import SPEECH_ROLES, Model, Profile

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from firmware_bridge.settings import ModelSettings, Settings
    from firmware_bridge.weights import Shelf
    from firmware_bridge.weights.puller import Listener

ESPEAK = "espeak-ng"  # a voice without weights

models_app = group("The weights of the models: list, get, check.")


@models_app.command("list")
def list_models(as_json: AsJson = False, data_dir: DataDir = None, config: ConfigFile = None) -> None:
    """List the known models. What each needs, its licence, where it comes from, and whether it is here."""
    shelf = _shelf(_settings(data_dir, config))
    if as_json:
        print_json([_row(shelf, model) for model in shelf.catalogue.models])
        return
    typer.echo(f"weights in {shelf.directory}")
    typer.echo(_line("name", "state", "role", "size", "memory", "licence"))
    for model in shelf.catalogue.models:
        typer.echo(_described(shelf, model))


@models_app.command("pull")
def pull_models(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Names of the list, or owner/repository/file.gguf of the hub."),
    ] = None,
    profile: Annotated[
        Profile | None,
        typer.Option(help="What this profile needs; without names or profile, what the settings call for."),
    ] = None,
    speech: Annotated[
        bool, typer.Option("--speech", help="What the settings call for to hear and speak, if memory allows.")
    ] = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Get weights: downloaded, checked, and only then given their name. Run it again to go on after a failure."""
    import asyncio

    from firmware_bridge.weights import Endpoints, pull

    settings = _settings(data_dir, config)
    shelf = _shelf(settings)
    wanted = _wanted(shelf, settings.model, names or [], profile) if names or profile or not speech else []
    if speech:
        wanted += _for_speech(shelf, settings)
    if settings.offline:
        _refuse_fetching(shelf, wanted)
    with _watched() as listener:
        paths = asyncio.run(pull(shelf, wanted, Endpoints.of(os.environ), listener))
    for model, path in zip(wanted, paths, strict=True):
        typer.echo(f"{model.name} is ready: {path} ({_megabytes(path.stat().st_size)})")


@models_app.command("verify")
def verify_models(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names of the list; without any, all that are here.")
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    config: ConfigFile = None,
) -> None:
    """Read weights again and compare their checksums. Ends with 1 if any is missing or damaged."""
    shelf = _shelf(_settings(data_dir, config))
    results = [_verified(shelf, model) for model in _present(shelf, names or [])]
    if as_json:
        print_json(results)
    for result in [] if as_json else results:
        typer.echo(f"{result['name']}: {result['state']}" + (f" ({result['detail']})" if result["detail"] else ""))
    if any(result["state"] != "ready" for result in results):
        raise typer.Exit(1)


def _settings(data_dir: Path | None, config: Path | None) -> Settings:
    from firmware_bridge.settings import load_settings

    return load_settings({"data_dir": data_dir}, config)


def _shelf(settings: Settings) -> Shelf:
    from firmware_bridge.weights import Shelf, load_catalogue, weights_dir

    return Shelf(load_catalogue(), weights_dir(settings.data_dir))


def _wanted(shelf: Shelf, settings: ModelSettings, names: Sequence[str], profile: Profile | None) -> list[Model]:
    """The named models and those of the profile; with neither, those that the settings call for."""
    models = [shelf.catalogue.model(name) for name in names]
    if profile is not None:
        models += [model for model in shelf.catalogue.of_profile(profile) if model not in models]
    return models or _configured(shelf, settings)


def _configured(shelf: Shelf, settings: ModelSettings) -> list[Model]:
    """The chat model and the embedder of the settings, also to fall back on; not files of the user's own."""
    from firmware_bridge.machine import machine_memory
    from firmware_bridge.weights import suggest_profile

    available = machine_memory().available
    if settings.profile == "auto":
        profile = suggest_profile(shelf, available)
        typer.echo(f"profile {profile}: {_megabytes(available)} of memory are available")
    else:
        profile = Profile(settings.profile)
    chat = shelf.find(settings.chat) if settings.chat else shelf.catalogue.chat(profile)
    embedder = shelf.find(settings.embedder) if settings.embedder else shelf.catalogue.embedder(profile)
    needed = (
        (chat, not settings.chat_url or settings.fallback),
        (embedder, not settings.embedding_url or (settings.fallback and _is_named(embedder, settings))),
    )
    return [item for item, is_needed in needed if is_needed and isinstance(item, Model)]


def _is_named(embedder: object, settings: ModelSettings) -> bool:
    """Whether the server has this very embedder; only then can the one here stand in for it."""
    return isinstance(embedder, Model) and embedder.name == settings.embedding_url_model


def _for_speech(shelf: Shelf, settings: Settings) -> list[Model]:
    """The engines of the settings. With `auto`, none where the chat model would have to share too little memory."""
    from firmware_bridge.app.models import chosen_profile
    from firmware_bridge.machine import machine_memory
    from firmware_bridge.weights import needed_bytes

    chosen = (settings.speech.transcriber, settings.speech.detector, settings.speech.synthesiser)
    models = [shelf.catalogue.model(name) for name in chosen if name != ESPEAK]
    if settings.speech.enabled == "on" or (settings.speech.enabled == "auto" and all(map(_is_here(shelf), models))):
        return models
    if settings.speech.enabled == "off":
        return []
    needed = needed_bytes(shelf.catalogue, chosen_profile(settings.model, shelf)) + 1_000_000 * sum(
        model.memory_mb or 0 for model in models
    )
    available = machine_memory().available
    if available >= needed:
        return models
    typer.echo(
        f"without a voice: it would need {_megabytes(needed)} of memory, {_megabytes(available)} are available"
        " (to have it all the same: LOBUG_SPEECH__ENABLED=on lobug models pull --speech)"
    )
    return []


def _is_here(shelf: Shelf) -> Callable[[Model], bool]:
    return lambda model: shelf.path(model).exists()


def _refuse_fetching(shelf: Shelf, wanted: Sequence[Model]) -> None:
    from firmware_bridge.errors import DownloadFailed
    from firmware_bridge.weights import State

    absent = [model.name for model in wanted if shelf.state(model) is not State.READY]
    if absent:
        raise DownloadFailed(
            f"the setting offline forbids to fetch {', '.join(absent)}",
            "for this once: LOBUG_OFFLINE=false lobug models pull",
        )


def _present(shelf: Shelf, names: Sequence[str]) -> list[Model]:
    """The named models; without names those that are here, at least in part."""
    from firmware_bridge.errors import WeightsMissing

    if names:
        return [shelf.catalogue.model(name) for name in names]
    models = shelf.catalogue.models
    here = [model for model in models if shelf.path(model).exists() or shelf.workshop(model).exists()]
    if not here:
        raise WeightsMissing(f"there are no weights in {shelf.directory}", "run: lobug models pull")
    return here


def _verified(shelf: Shelf, model: Model) -> dict[str, str]:
    from firmware_bridge.errors import WeightsError

    detail = ""
    try:
        shelf.verify(model, fresh=True)
    except WeightsError as error:
        detail = f"{error.message}; {error.hint}"
    return {"name": model.name, "state": shelf.state(model), "path": str(shelf.path(model)), "detail": detail}


def _row(shelf: Shelf, model: Model) -> dict[str, object]:
    return {
        "name": model.name,
        "state": shelf.state(model),
        "role": model.role,
        "profiles": model.profiles,
        "file": model.artifact.file,
        "size": model.artifact.size,
        "memory_mb": model.memory_mb,
        "licence": model.licence,
        "sources": [str(source) for source in model.sources],
        "converted": bool(model.ingredients),
    }


def _described(shelf: Shelf, model: Model) -> str:
    """Two lines of the list: what the model is, and where it comes from."""
    size = _megabytes(model.artifact.size) if model.artifact.size else "unknown"
    memory = f"{model.memory_mb:,} MB" if model.memory_mb else "unknown"
    purpose = f"profile {', '.join(model.profiles)}" if model.profiles else "in no profile"
    if model.role in SPEECH_ROLES:
        purpose = "speech, by default" if model in shelf.catalogue.speech() else "speech, by setting"
    origin = " or ".join(str(source) for source in model.sources)
    converted = ", converted to GGUF here" if model.ingredients else ""
    first = _line(model.name, shelf.state(model), model.role, size, memory, model.licence)
    return f"{first}\n    {purpose}; from {origin}{converted}"


def _line(name: str, state: str, role: str, size: str, memory: str, licence: str) -> str:
    return f"{name:<28} {state:<8} {role:<10} {size:>9} {memory:>9}  {licence}"


@contextmanager
def _watched() -> Iterator[Listener]:
    """Bars on a terminal, lines elsewhere."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    console = Console()
    if not console.is_terminal:
        yield _Lines()
        return
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(TextColumn("{task.description}"), *columns, console=console) as progress:
        yield _Bars(progress)


class _Bars:
    """A listener that moves one bar for each model."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def progress(self, name: str, done: int, total: int | None) -> None:
        if name not in self._tasks:  # begun where an earlier pull ended, so that the rate counts from there
            self._tasks[name] = self._progress.add_task(name, completed=done, total=total)
        self._progress.update(self._tasks[name], completed=done, total=total)

    def note(self, name: str, text: str) -> None:
        self._progress.console.print(f"{name}: {text}", markup=False, highlight=False)


class _Lines:
    """A listener that writes a line for each tenth of a download."""

    def __init__(self) -> None:
        self._tenths: dict[str, int] = {}
        self._begun: dict[str, tuple[float, int]] = {}

    def progress(self, name: str, done: int, total: int | None) -> None:
        since, first = self._begun.setdefault(name, (time.monotonic(), done))
        tenth = 10 * done // total if total else 0
        if tenth == self._tenths.get(name):
            return
        self._tenths[name] = tenth
        rate = (done - first) / max(time.monotonic() - since, 0.001)
        share = f"{10 * tenth} % of {_megabytes(total)}" if total else _megabytes(done)
        typer.echo(f"{name}: {share}" + (f", {_megabytes(int(rate))}/s" if rate > 0 else ""))

    def note(self, name: str, text: str) -> None:
        typer.echo(f"{name}: {text}")


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.0f} MB"
