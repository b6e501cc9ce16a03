"""The catalogue of weights: a TOML file read into frozen values, refused as a whole if any entry is wrong."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from firmware_bridge.errors import UnknownModel, WeightsError
from firmware_bridge.weights.model import (
    PROFILE_ROLES,
    SPEECH_ROLES,
    Artifact,
    Embedding,
    HubFile,
    Model,
    PackageParts,
    Part,
    Profile,
    Role,
    Source,
)
from firmware_bridge.weights.table import Table, fault

_CHECKOUT_MODELS = Path(__file__).resolve().parents[2] / "models"
_CHECKOUT_FILE = _CHECKOUT_MODELS / "catalogue.toml"
_INSTALLED_FILE = Path(__file__).with_name("catalogue.toml")

_NAME = r"[a-z0-9][a-z0-9._-]*"
_FILE = r"(?:[A-Za-z0-9][A-Za-z0-9._-]*/)?[A-Za-z0-9][A-Za-z0-9._-]*"  # at most one folder
_LANGUAGE = r"[a-z]{2}"
_ENGINE = r"whisper|moonshine|silero|piper"
_SHA256 = r"[0-9a-f]{64}"
_REPOSITORY = r"\w[\w.-]*/[\w.-]+"
_PINNED = r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!_-]+"
_HUB_NAME = re.compile(rf"(?P<repository>{_REPOSITORY})/(?P<path>\w[\w./-]*\.gguf)")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All known models, in the order of the file."""

    models: tuple[Model, ...]

    def model(self, name: str) -> Model:
        """The model of a catalogue name, or of a hub file as `owner/repository/file.gguf`; else UnknownModel."""
        for model in self.models:
            if model.name == name:
                return model
        if match := _HUB_NAME.fullmatch(name):
            return _hub_model(name, HubFile(match["repository"], match["path"]))
        names = [model.name for model in self.models]
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
        raise UnknownModel(f"the catalogue has no model {name!r}", f"{hint} (lobug models list)")

    def of_profile(self, profile: Profile) -> tuple[Model, ...]:
        """What a profile needs: its chat model, then its embedder."""
        return tuple(self._pick(profile, role) for role in PROFILE_ROLES)

    def chat(self, profile: Profile) -> Model:
        return self._pick(profile, Role.CHAT)

    def embedder(self, profile: Profile) -> Model:
        return self._pick(profile, Role.EMBEDDING)

    def of_role(self, role: Role) -> tuple[Model, ...]:
        """All models of a role; the first is its default."""
        return tuple(model for model in self.models if model.role is role)

    def speech(self) -> tuple[Model, ...]:
        """The default recogniser, voice-activity detector and voice."""
        return tuple(self.of_role(role)[0] for role in SPEECH_ROLES)

    def _pick(self, profile: Profile, role: Role) -> Model:
        return next(model for model in self.models if model.role is role and profile in model.profiles)


def load_catalogue(path: Path | None = None) -> Catalogue:
    """Reads `path`, else the checkout's catalogue, else the one inside the wheel. Raises WeightsError."""
    path = path or (_CHECKOUT_FILE if _CHECKOUT_FILE.is_file() else _INSTALLED_FILE)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"cannot read the catalogue {path}: {error.strerror}", "install lobug again") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise fault(str(path), f"is not TOML ({error})") from error
    table = Table(content, str(path))
    models = table.each("model", _read_model)
    table.close()
    _refuse_doubles(path, models)
    _refuse_gaps(path, models)
    return Catalogue(models)


def weights_dir(data_dir: Path) -> Path:
    """Where weights are kept: `models/` of a checkout, `<data_dir>/models` of an install."""
    return _CHECKOUT_MODELS if _CHECKOUT_FILE.is_file() else data_dir / "models"


def _hub_model(name: str, source: HubFile) -> Model:
    file = f"{source.repository}/{source.path}".replace("/", "--")
    return Model(name, Role.CHAT, Artifact(file, None, None, (source,)), licence="see its page on the hub")


def _read_model(value: object, place: str) -> Model:
    name = Table(value, place).matching("name", _NAME, "lower-case letters, digits, dots and dashes")
    table = Table(value, f"{place} ({name})")
    table.text("name")
    role = _read_role(table)
    ingredients = table.each("ingredients", _read_artifact)
    model = Model(
        name=name,
        role=role,
        licence=table.text("licence"),
        profiles=table.each("profiles", _read_profile),
        memory_mb=table.count("memory_mb") if "memory_mb" in table else None,
        embedding=_read_embedding(table.within("embedding")) if role is Role.EMBEDDING else None,
        ingredients=ingredients,
        companions=table.each("companions", _read_artifact),
        engine=table.matching("engine", _ENGINE, "a known engine") if role in SPEECH_ROLES else "",
        language=table.matching("language", _LANGUAGE, "two letters") if "language" in table else "",
        artifact=_take_artifact(table),
    )
    table.close()
    if bool(model.artifact.sources) == bool(ingredients):
        raise fault(table.place, "must have either sources or ingredients")
    if ingredients and model.artifact.sha256 is None:
        raise fault(table.place, "a converted model must have size and sha256")
    if model.profiles and model.memory_mb is None:
        raise fault(table.place, "a model of a profile must have memory_mb")
    return model


def _read_artifact(value: object, place: str) -> Artifact:
    table = Table(value, place)
    artifact = _take_artifact(table)
    table.close()
    if not artifact.sources:
        raise fault(table.place, "must have sources")
    return artifact


def _take_artifact(table: Table) -> Artifact:
    known = "sha256" in table or "size" in table
    artifact = Artifact(
        file=table.matching("file", _FILE, "a plain file name"),
        size=table.count("size") if known else None,
        sha256=table.matching("sha256", _SHA256, "64 hexadecimal digits in lower case") if known else None,
        sources=table.each("sources", _read_source),
    )
    for source in artifact.sources:
        if isinstance(source, PackageParts) and sum(part.size for part in source.parts) != artifact.size:
            raise fault(table.place, f"the parts of {source} do not add up to its size")
    return artifact


def _read_source(value: object, place: str) -> Source:
    table = Table(value, place)
    source: Source
    if "hub" in table:
        source = HubFile(table.matching("hub", _REPOSITORY, "owner/repository"), table.text("path"))
    else:
        source = PackageParts(table.each("packages", _read_part))
        if not source.parts:
            raise fault(place, "must have hub and path, or packages")
    table.close()
    return source


def _read_part(value: object, place: str) -> Part:
    table = Table(value, place)
    package, _, version = table.matching("package", _PINNED, "name==version").partition("==")
    part = Part(package, version, table.text("member"), table.count("size"))
    table.close()
    return part


def _read_embedding(table: Table) -> Embedding:
    embedding = Embedding(table.count("dimension"), table.text("query_prefix", ""), table.text("document_prefix", ""))
    table.close()
    return embedding


def _read_role(table: Table) -> Role:
    role = table.text("role")
    if role not in set(Role):
        raise fault(table.place, f"role must be one of {', '.join(Role)}, not {role!r}")
    return Role(role)


def _read_profile(value: object, place: str) -> Profile:
    if value not in set(Profile):
        raise fault(place, f"must be one of {', '.join(Profile)}, not {value!r}")
    return Profile(str(value))


def _refuse_doubles(path: Path, models: tuple[Model, ...]) -> None:
    for what, values in (
        ("name", [m.name for m in models]),
        ("file", [artifact.file for m in models for artifact in m.kept]),
    ):
        for value, times in Counter(values).items():
            if times > 1:
                raise fault(str(path), f"two models have the {what} {value}")


def _refuse_gaps(path: Path, models: tuple[Model, ...]) -> None:
    held = Counter((profile, model.role) for model in models for profile in model.profiles)
    for profile in Profile:
        for role in PROFILE_ROLES:
            if held[profile, role] != 1:
                raise fault(str(path), f"profile {profile} must have one {role} model, not {held[profile, role]}")
