"""Every setting as a row: its key, default, range and meaning; what it is now and why; and what is wrong in a file.

`lobug config`, REFERENCE.md's table and the example file are made of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadConfig
from firmware_bridge.errors import SettingsError
from firmware_bridge.settings import (
    SECRET,
    Settings,
    default_config_file,
    default_data_dir,
    hint_for,
    known_keys,
    load_settings,
    value_told,
)
from firmware_bridge.settings_sources import dotted, environment_keys, read_file

_SECTION = re.compile(r"\s*\[\s*([\w.-]+)\s*\]")
_NAME = re.compile(r"\s*([\w.-]+)\s*=")
_SWITCH = "true, false"
_OF_THIS_MACHINE = {"data_dir": lambda: str(default_data_dir())}


@dataclass(frozen=True, slots=True)
class Setting:
    """`default` None: it depends on the machine; "": there is none. `limits` is empty where any value will do."""

    key: str
    default: Any
    limits: str
    meaning: str


class Origin(StrEnum):
    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a setting is now, as plain JSON, and who said so. A secret is only told to be there."""

    key: str
    value: Any
    origin: Origin


@dataclass(frozen=True, slots=True)
class Mistake:
    """`line` counts from 1; 0 means the file as a whole."""

    line: int
    message: str
    hint: str


def settings_table() -> list[Setting]:
    """In the order of the sections."""
    return [_row(key) for key in known_keys()]


def chosen(flags: Mapping[str, Any], config: Path | None) -> list[Chosen]:
    """Every setting as a companion that is started now would have it. Raises SettingsError."""
    settings = load_settings(flags, config).model_dump(mode="json")
    path = config or default_config_file()
    in_file = set(dotted(read_file(path))) if path.exists() else set()
    in_environment, given = set(environment_keys()), {key for key, value in flags.items() if value is not None}

    def origin(key: str) -> Origin:
        for keys, where in ((given, Origin.FLAG), (in_environment, Origin.ENVIRONMENT), (in_file, Origin.FILE)):
            if key in keys:
                return where
        return Origin.DEFAULT

    return [Chosen(key, _shown(key, _value(settings, key)), origin(key)) for key in known_keys()]


def mistakes(path: Path) -> list[Mistake]:
    """All that is wrong in a settings file, in the order of its lines. Raises SettingsError if it cannot be read."""
    try:
        tree = read_file(path)
    except SettingsError as error:
        broken = re.search(r"at line (\d+)", error.message)
        if broken is None:
            raise
        return [Mistake(int(broken[1]), error.message, error.hint)]
    known, lines = set(known_keys()), _lines(path)
    found = [
        Mistake(lines.get(key, 0), f"unknown setting {key}", hint_for(key)) for key in dotted(tree) if key not in known
    ]
    for section, values in tree.items():
        found += [
            Mistake(lines.get(key, 0), *told) for key, *told in _refused(section, values) if key in (known | {section})
        ]
    return sorted(found, key=lambda mistake: mistake.line)


def example_file() -> str:
    """A file with every setting at its default, commented out."""
    told = [
        "# Settings of Lo-Bug. Take away the # of what you want to change; `lobug config check FILE` looks it over."
    ]
    section = ""
    for setting in settings_table():
        at, _, name = setting.key.rpartition(".")
        if at != section:
            section = at
            told += ["", f"[{section}]"]
        limits = f" ({setting.limits})" if setting.limits else ""
        default = _OF_THIS_MACHINE[setting.key]() if setting.default is None else setting.default
        told += [f"# {setting.meaning}{limits}", f"#{name} = {json.dumps(default, ensure_ascii=False)}"]
    return "\n".join(told) + "\n"


def _row(key: str) -> Setting:
    section, _, name = key.rpartition(".")
    if section == "memory":
        spec = next(field for field in fields(MemoryConfig) if field.name == name)
        is_switch = isinstance(spec.default, bool)
        limits = _SWITCH if is_switch else f"{spec.metadata['low']} to {spec.metadata['high']}"
        return Setting(key, spec.default, limits, spec.metadata["doc"])
    model = Settings.model_fields[section].annotation if section else Settings
    field = model.model_fields[name]  # type: ignore[union-attr]  # every other section is a pydantic model
    default = None if field.default is PydanticUndefined else "" if field.default is None else field.default
    return Setting(key, default, _limits(field), field.description or "")


def _limits(field: FieldInfo) -> str:
    choices = getattr(field.annotation, "__args__", ())
    if choices and isinstance(choices[0], str):
        return ", ".join(choices)
    return _SWITCH if field.annotation is bool else _bounds(field.metadata)


def _bounds(metadata: list[Any]) -> str:
    ends = {
        name: getattr(part, name) for part in metadata for name in ("ge", "le", "max_length") if hasattr(part, name)
    }
    if "max_length" in ends:
        return f"at most {ends['max_length']} characters"
    return f"{ends['ge']} to {ends['le']}" if ends else ""


def _value(settings: Mapping[str, Any], key: str) -> Any:
    for part in key.split("."):
        settings = settings[part]
    return settings


def _shown(key: str, value: Any) -> Any:
    return "(set)" if key == SECRET and value else value


def _refused(section: str, values: Any) -> Iterator[tuple[str, str, str]]:
    """Key, message and hint of what a section of a file holds wrongly."""
    field = Settings.model_fields.get(section)
    if section == "memory" and isinstance(values, Mapping):
        yield from _refused_memory(values)
    elif field is not None:
        try:
            TypeAdapter[Any](field.annotation).validate_python(values)  # type: ignore[arg-type]  # each has one
        except ValidationError as error:
            for one in error.errors():
                key = ".".join((section, *map(str, one["loc"][:1])))
                yield key, f"{key}: {one['msg']}", value_told(key, one["input"])


def _refused_memory(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Each value that is out of its range, else the two that contradict each other."""
    known = {field.name for field in fields(MemoryConfig)}
    values = {name: value for name, value in values.items() if name in known}
    whole = list(_memory_trouble(values))
    alone = [trouble for name in values for trouble in _memory_trouble({name: values[name]})]
    yield from (alone or whole) if whole else ()


def _memory_trouble(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    try:
        MemoryConfig(**values)
    except BadConfig as error:
        key = f"memory.{error.message.split()[0]}"
        yield key, f"memory.{error.message}", error.hint


def _lines(path: Path) -> dict[str, int]:
    """Where each key stands."""
    section, found = "", {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if heading := _SECTION.match(line):
            section = f"{heading[1]}."
        elif name := _NAME.match(line):
            found[section + name[1]] = number
    return found
