"""Where settings come from, as dotted keys: a TOML file and the environment."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from firmware_bridge import URL_VARIABLE
from firmware_bridge.errors import SettingsError

ENVIRONMENT_PREFIX = "LOBUG_"
NESTING = "__"


def variable(key: str) -> str:
    """The setting as it is called in the environment."""
    return ENVIRONMENT_PREFIX + key.upper().replace(".", NESTING)


_TOML_HINT = 'text stands in straight quotes, as in name = "Ada"; `lobug config example` prints a file that is'


def read_file(path: Path) -> dict[str, Any]:
    """Raises SettingsError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}", "check --config") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not TOML: {error}", _TOML_HINT) from error


def dotted(tree: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The keys of a file's content."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from dotted(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def environment_keys() -> Iterator[str]:
    """Of all variables that are meant for settings, known or not."""
    for name in os.environ:
        if name.startswith(ENVIRONMENT_PREFIX) and name != URL_VARIABLE:
            yield name.removeprefix(ENVIRONMENT_PREFIX).lower().replace(NESTING, ".")


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted keys as the tree that a file is."""
    tree: dict[str, Any] = {}
    for key, value in flat.items():
        *sections, name = key.split(".")
        branch = tree
        for section in sections:
            branch = branch.setdefault(section, {})
        branch[name] = value
    return tree
