"""The folder of weights: what is in it, and whether it is what it should be."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from firmware_bridge.errors import UnknownModel, WeightsDamaged, WeightsError, WeightsMissing
from firmware_bridge.weights.catalogue import Catalogue
from firmware_bridge.weights.checksum import Digests, read_record
from firmware_bridge.weights.model import Artifact, Model

_GGUF_MAGIC = b"GGUF"


class State(StrEnum):
    """What is true of one model's file."""

    READY = "ready"
    PARTIAL = "partial"
    MISSING = "missing"
    DAMAGED = "damaged"


class Shelf:
    """Weights in one folder. Methods that read whole files (the first time) say so: call those off the event loop."""

    def __init__(self, catalogue: Catalogue, directory: Path) -> None:
        self.catalogue = catalogue
        self.directory = directory
        self._digests = Digests(directory / ".checksums.json")

    def find(self, name: str) -> Model | Path:
        """What a name means: a model of the catalogue or the hub, or the path of a GGUF of the user's own.

        Raises UnknownModel for a name that is neither. Whether a file is there is not looked at.
        """
        path = Path(name).expanduser()
        try:
            model = self.catalogue.model(name)
        except UnknownModel:
            if "/" in name or path.suffix == ".gguf":
                return path
            raise
        return path if path.is_file() and model not in self.catalogue.models else model

    def locate(self, name: str) -> Path:
        """The checked file of a catalogue name, of `owner/repository/file.gguf`, or of a path to any GGUF.

        Raises WeightsMissing, WeightsDamaged or UnknownModel. Reads a whole file the first time, then never again
        while it does not change.
        """
        found = self.find(name)
        return self.verify(found) if isinstance(found, Model) else _local(found)

    def verify(self, model: Model, *, fresh: bool = False) -> Path:
        """The model's file if all its checksums are right, else WeightsMissing or WeightsDamaged.

        With `fresh` the files are read even if their checksums are remembered.
        """
        for artifact in model.kept:
            self._verify(model.name, artifact, fresh)
        return self.path(model)

    def _verify(self, name: str, artifact: Artifact, fresh: bool) -> None:
        path = self.directory / artifact.file
        remedy = f"run: lobug models pull {name}"
        expected = artifact.sha256 or read_record(path)
        try:
            if expected is None and path.exists():
                raise WeightsMissing(f"nothing tells which checksum {path.name} must have", remedy)
            size = path.stat().st_size
            if artifact.size not in (None, size):
                raise WeightsDamaged(f"{path} has {size} bytes instead of {artifact.size}", remedy)
            if self._digests.of(path, fresh=fresh) != expected:
                raise WeightsDamaged(f"{path} is not what its checksum says", remedy)
        except FileNotFoundError as error:
            raise WeightsMissing(f"the weights of {name} are not here", remedy) from error
        except OSError as error:
            raise WeightsDamaged(f"{path} cannot be read: {error.strerror}", remedy) from error

    def state(self, model: Model) -> State:
        """As `verify` sees it, and whether a pull of it was begun."""
        try:
            self.verify(model)
        except WeightsMissing:
            return State.PARTIAL if self.workshop(model).is_dir() else State.MISSING
        except WeightsDamaged:
            return State.DAMAGED
        return State.READY

    def lacking(self, model: Model) -> list[Artifact]:
        """Those of its files that are not here or not right."""
        missing = []
        for artifact in model.kept:
            try:
                self._verify(model.name, artifact, fresh=False)
            except WeightsError:
                missing.append(artifact)
        return missing

    def path(self, model: Model) -> Path:
        """Where its file is or will be."""
        return self.directory / model.artifact.file

    def workshop(self, model: Model) -> Path:
        """Where a pull keeps what is not finished."""
        return self.directory / f"{model.artifact.file}.part"

    def learn(self, path: Path, sha256: str) -> None:
        """Takes over a checksum computed by a pull, so that the file is not read again."""
        self._digests.learn(path, sha256)


def _local(path: Path) -> Path:
    """Any GGUF of the user's own: no checksum is known, but it must be there and begin as one."""
    if not path.is_file():
        raise WeightsMissing(
            f"there is no file {path}", "give the path of a .gguf file, or a name of: lobug models list"
        )
    try:
        with path.open("rb") as file:
            magic = file.read(len(_GGUF_MAGIC))
    except OSError as error:
        raise WeightsDamaged(f"{path} cannot be read: {error.strerror}", "check its owner and permissions") from error
    if magic != _GGUF_MAGIC:
        raise WeightsDamaged(f"{path} is not a GGUF file", "only models in GGUF form can be used")
    return path.resolve()
