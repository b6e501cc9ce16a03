"""The shelf over a real folder: what it finds, what it refuses, when it reads a file again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from weights_servers import sha256

from firmware_bridge.errors import UnknownModel, WeightsDamaged, WeightsMissing
from firmware_bridge.weights import Catalogue, Model, Role, Shelf, State
from firmware_bridge.weights.model import Artifact, HubFile

CONTENT = b"GGUF and then some weights"
MODEL = Model(
    "talker",
    Role.CHAT,
    Artifact("talker.gguf", len(CONTENT), sha256(CONTENT), (HubFile("owner/repository", "talker.gguf"),)),
    "MIT",
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    (tmp_path / "talker.gguf").write_bytes(CONTENT)
    return Shelf(Catalogue((MODEL,)), tmp_path)


def rewrite_unseen(path: Path, content: bytes) -> None:
    """Changes a file without changing size, time or inode, as failing hardware would."""
    stat = path.stat()
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_a_good_file_is_located(shelf: Shelf) -> None:
    assert shelf.locate("talker") == shelf.directory / "talker.gguf"
    assert shelf.state(MODEL) is State.READY


def test_a_missing_file_comes_with_the_command_that_gets_it(shelf: Shelf) -> None:
    shelf.path(MODEL).unlink()

    with pytest.raises(WeightsMissing) as caught:
        shelf.locate("talker")

    assert caught.value.hint == "run: lobug models pull talker"
    assert shelf.state(MODEL) is State.MISSING


def test_a_begun_pull_is_told_from_a_missing_file(shelf: Shelf) -> None:
    shelf.path(MODEL).unlink()
    shelf.workshop(MODEL).mkdir()

    assert shelf.state(MODEL) is State.PARTIAL


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(CONTENT[:-1], "has 25 bytes instead of 26"), (CONTENT[:-1] + b"!", "is not what its checksum says")],
)
def test_a_changed_file_is_noticed_although_it_was_good_before(shelf: Shelf, content: bytes, complaint: str) -> None:
    path = shelf.locate("talker")
    path.write_bytes(content)

    with pytest.raises(WeightsDamaged, match=complaint) as caught:
        shelf.locate("talker")

    assert caught.value.hint == "run: lobug models pull talker"
    assert shelf.state(MODEL) is State.DAMAGED


def test_a_file_that_did_not_change_is_not_read_again_unless_asked(shelf: Shelf) -> None:
    path = shelf.locate("talker")
    rewrite_unseen(path, b"GGUF and then some WEIGHTS")

    assert shelf.locate("talker") == path
    with pytest.raises(WeightsDamaged):
        shelf.verify(MODEL, fresh=True)
    with pytest.raises(WeightsDamaged):
        shelf.locate("talker")


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[]", b'{"talker.gguf": 1}', b"\xff\xfe"])
def test_what_is_remembered_may_be_lost(shelf: Shelf, spoilt: bytes) -> None:
    path = shelf.locate("talker")
    (shelf.directory / ".checksums.json").write_bytes(spoilt)

    assert shelf.locate("talker") == path


def test_an_unknown_name_is_refused(shelf: Shelf) -> None:
    with pytest.raises(UnknownModel):
        shelf.locate("walker")


def test_any_gguf_is_located_by_path(shelf: Shelf, tmp_path: Path) -> None:
    own = tmp_path / "own" / "model.gguf"
    own.parent.mkdir()
    own.write_bytes(b"GGUF of my own")

    assert shelf.locate(str(own)) == own


def test_a_path_is_relative_to_the_working_folder(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    own = tmp_path / "a" / "b" / "model.gguf"
    own.write_bytes(b"GGUF of my own")
    monkeypatch.chdir(tmp_path)

    assert shelf.locate("a/b/model.gguf") == own


@pytest.mark.parametrize("content", [b"", b"GG", b"<html>not found</html>"])
def test_a_path_to_something_else_is_refused(shelf: Shelf, tmp_path: Path, content: bytes) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(content)

    with pytest.raises(WeightsDamaged, match="is not a GGUF file"):
        shelf.locate(str(own))


@pytest.mark.parametrize("name", ["/nowhere/model.gguf", "nowhere.gguf", "some/folder"])
def test_a_path_to_nothing_is_missing(shelf: Shelf, name: str) -> None:
    with pytest.raises(WeightsMissing, match="there is no file"):
        shelf.locate(name)
