"""What the catalogue says about one model: values, nothing that reads or fetches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a model is for."""

    CHAT = "chat"
    EMBEDDING = "embedding"
    HEARING = "hearing"  # speech to text
    LISTENING = "listening"  # is anybody speaking?
    SPEAKING = "speaking"  # text to speech


PROFILE_ROLES = (Role.CHAT, Role.EMBEDDING)
SPEECH_ROLES = (Role.HEARING, Role.LISTENING, Role.SPEAKING)


class Profile(StrEnum):
    """How much of a machine the companion may take, smallest first."""

    TINY = "tiny"
    SMALL = "small"
    BASE = "base"


@dataclass(frozen=True, slots=True)
class HubFile:
    """One file of a model hub's repository, at its newest revision: the checksum holds, not the name."""

    repository: str
    path: str

    def __str__(self) -> str:
        return f"hub {self.repository}"


@dataclass(frozen=True, slots=True)
class Part:
    """A member of a package's wheel: `size` consecutive bytes of the file that the parts add up to."""

    package: str
    version: str
    member: str
    size: int


@dataclass(frozen=True, slots=True)
class PackageParts:
    """A file cut into the wheels of a package index, in order."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        first, last = self.parts[0], self.parts[-1]
        if first is last:
            return f"package {first.package} {first.version}"
        return f"{len(self.parts)} packages {first.package} ... {last.package} {first.version}"


Source = HubFile | PackageParts


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file to get. Where `sha256` is None, only a hub that publishes a checksum can deliver it."""

    file: str
    size: int | None
    sha256: str | None
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Embedding:
    """What an embedding model makes of a text, and what it wants written before one."""

    dimension: int
    query_prefix: str = ""
    document_prefix: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """One model. Its `artifact` is what is kept; with `ingredients` it is converted from them instead of fetched.

    `companions` are small files that are kept beside it. `engine` names the code that runs a model of speech.
    `language` is the only one that it hears or speaks, empty for any.
    `memory_mb` is the measured peak of a process with only this model loaded, None where nobody measured.
    """

    name: str
    role: Role
    artifact: Artifact
    licence: str
    profiles: tuple[Profile, ...] = ()
    memory_mb: int | None = None
    embedding: Embedding | None = None
    ingredients: tuple[Artifact, ...] = ()
    companions: tuple[Artifact, ...] = ()
    engine: str = ""
    language: str = ""

    @property
    def kept(self) -> tuple[Artifact, ...]:
        """The files that must be on the shelf."""
        return (self.artifact, *self.companions)

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where its bytes come from, in the order in which they are asked for."""
        return self.ingredients[0].sources if self.ingredients else self.artifact.sources
