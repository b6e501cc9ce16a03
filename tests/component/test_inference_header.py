from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFWriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import ModelUnusable, NotEnoughMemory
from firmware_bridge.inference.footprint import check_memory, memory_needed
from firmware_bridge.inference.header import read_header


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A file as the reference writer makes it, of a model with 2 layers of 4 heads that share 2 key-value heads."""
    path = tmp_path / "toy.gguf"
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(2)
    writer.add_embedding_length(64)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_token_list(["a", "b", "ü"])
    writer.add_token_types([1, 1, 1])
    writer.add_string("general.note", "after the lists")
    writer.add_tensor("t", np.zeros(8, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_entries_of_every_kind_are_read(gguf: Path) -> None:
    header = read_header(gguf)
    assert header.architecture == "llama"
    assert header.number("block_count") == 2
    assert header.entries["general.note"] == "after the lists"
    assert header.number("missing", 7) == 7


def test_the_size_of_a_cell_follows_from_layers_and_key_value_heads(gguf: Path) -> None:
    # keys and values, 2 bytes each, 16 wide, for 2 key-value heads in 2 layers
    assert read_header(gguf).cell_bytes == 2 * 2 * 16 * 2 * 2
    assert memory_needed(gguf, 1000) - memory_needed(gguf, 0) == 256 * 1000


def test_too_little_memory_is_said_before_loading(gguf: Path) -> None:
    check_memory(gguf, 10)
    with pytest.raises(NotEnoughMemory) as caught:
        check_memory(gguf, 10**12)
    assert "tiny" in caught.value.hint


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"PK\x03\x04" + data[4:],
        lambda data: data[:40],
        lambda data: data[:4] + struct.pack("<I", 99) + data[8:],
        lambda data: data[:16] + b"\xff" * 8 + data[24:],
        lambda data: data[:24] + b"\xff" * 8 + data[32:],
    ],
    ids=["empty", "foreign", "cut", "version", "entries", "length"],
)
def test_a_file_that_is_no_model_is_refused_with_a_hint(gguf: Path, damage: Callable[[bytes], bytes]) -> None:
    gguf.write_bytes(damage(gguf.read_bytes()))
    with pytest.raises(ModelUnusable) as caught:
        read_header(gguf)
    assert caught.value.hint


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing.gguf"):
        with pytest.raises(ModelUnusable):
            check_memory(path, 10)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 400), st.integers(0, 255))
def test_any_flipped_byte_is_read_or_refused(gguf: Path, at: int, value: int) -> None:
    data = bytearray(gguf.read_bytes())
    data[at % len(data)] = value
    damaged = gguf.with_suffix(".damaged")
    damaged.write_bytes(data)
    with suppress(ModelUnusable):
        read_header(damaged)
