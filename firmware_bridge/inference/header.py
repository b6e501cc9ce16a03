"""The head of a GGUF file: what a model is, read without loading it.

Layout (version 2 and 3, little-endian): magic "GGUF", u32 version, u64 tensors, u64 entries, then the entries: name,
u32 type, value. A string is u64 length and bytes; an array is u32 item type, u64 count and the items.
Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from firmware_bridge.errors import ModelUnusable

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_MAX_ENTRIES = 10_000
_MAX_ITEMS = 10_000_000
_MAX_STRING = 4_000_000
_HINT = "fetch it again with `lobug models pull`, or name a GGUF file"

Value = int | float | str


@dataclass(frozen=True, slots=True)
class Header:
    """The scalar entries of a GGUF file, by name; an array of numbers is represented by its largest."""

    entries: dict[str, Value]

    @property
    def architecture(self) -> str:
        return str(self.entries.get("general.architecture", ""))

    def number(self, name: str, default: int = 0) -> int:
        """The entry `name` of this model's architecture, such as "block_count"."""
        value = self.entries.get(f"{self.architecture}.{name}", default)
        return default if isinstance(value, str) else int(value)

    @property
    def cell_bytes(self) -> int:
        """What one token takes in a KV cache of 16-bit floats: keys and values of every layer."""
        heads = self.number("attention.head_count", 1)
        size = self.number("embedding_length") // max(heads, 1)
        both = self.number("attention.key_length", size) + self.number("attention.value_length", size)
        return 2 * both * self.number("attention.head_count_kv", heads) * self.number("block_count")


def read_header(path: Path) -> Header:
    """The header of the GGUF file at `path`. Raises ModelUnusable if it is not one, or cut short."""
    try:
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise ModelUnusable(f"{path} is not a GGUF model file", _HINT)
            return _read_entries(file)
    except OSError as error:
        raise ModelUnusable(f"{path} cannot be read: {error.strerror}", _HINT) from error
    except (struct.error, ValueError, UnicodeDecodeError) as error:
        raise ModelUnusable(f"{path} is damaged: its header makes no sense", _HINT) from error


def _read_entries(file: BinaryIO) -> Header:
    version, _tensors, count = _unpack(file, "IQQ")
    if version not in (2, 3) or count > _MAX_ENTRIES:
        raise ValueError("not a version that this reader knows")
    entries: dict[str, Value] = {}
    for _ in range(count):
        name = _string(file)
        (kind,) = _unpack(file, "I")
        value = _value(file, kind)
        if value is not None:
            entries[name] = value
    if "general.architecture" not in entries:
        raise ValueError("no architecture")
    return Header(entries)


def _value(file: BinaryIO, kind: int) -> Value | None:
    if kind == _STRING:
        return _string(file)
    if kind == _ARRAY:
        return _largest(file)
    if kind not in _SCALARS:
        raise ValueError(f"unknown type {kind}")
    (value,) = _unpack(file, _SCALARS[kind])
    return value


def _largest(file: BinaryIO) -> int | float | None:
    kind, count = _unpack(file, "IQ")
    if count > _MAX_ITEMS or (kind != _STRING and kind not in _SCALARS):
        raise ValueError("an array too long or too strange to be true")
    if kind == _STRING:
        for _ in range(count):
            file.seek(_length(file), 1)
        return None
    return max(_unpack(file, f"{count}{_SCALARS[kind]}"), default=None)


def _string(file: BinaryIO) -> str:
    return file.read(_length(file)).decode("utf-8")


def _length(file: BinaryIO) -> int:
    (length,) = _unpack(file, "Q")
    if length > _MAX_STRING:
        raise ValueError("a string too long to be true")
    return int(length)


def _unpack(file: BinaryIO, layout: str) -> tuple[int, ...]:
    layout = "<" + layout
    return struct.unpack(layout, file.read(struct.calcsize(layout)))
