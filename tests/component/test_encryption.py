from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from encrypted import unnoticed_flips
from memory_house import Clock, tell, texts

from edge_memory.errors import KeyUnusable, StoreError, StoreLocked
from edge_memory.memory import Memory
from edge_memory.store import Backups, copy_checked, decrypt, encrypt, make_key, restore, use_key

SECRET = "Philomena"


@pytest.fixture(autouse=True)
def _no_key() -> Iterator[None]:
    yield
    use_key(None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "memory.db"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "keys" / "lobug.key"
    make_key(file)
    return file


def live(path: Path, *sentences: str) -> list[str]:
    async def run() -> list[str]:
        async with Memory(path, serve=True, clock=Clock()) as memory:
            await tell(memory, *sentences)
            return await texts(memory)

    return asyncio.run(run())


def plain(folder: Path) -> bool:
    """Whether the secret can be read in any file."""
    return any(SECRET.encode() in file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_a_file_and_its_copies_are_encrypted_and_decrypted(path: Path, key: Path, tmp_path: Path) -> None:
    before = live(path, f"my sister is called {SECRET}")
    backups = Backups(path, Clock())
    backups.make("asked")
    assert plain(path.parent)
    encrypt(path, key, backups)
    assert not plain(path.parent)
    assert len(backups.all()) == 1
    assert live(path) == before
    (made,) = backups.all()
    live(path, f"i like {SECRET}s tea")
    assert not plain(path.parent)
    assert restore(made, path, path.with_name("aside.db"))
    assert live(path) == before
    decrypt(path, key, backups)
    use_key(None)
    assert live(path) == before
    assert plain(path.parent)


def test_without_the_key_or_with_another_nothing_is_touched(path: Path, key: Path, tmp_path: Path) -> None:
    live(path, f"my sister is called {SECRET}")
    encrypt(path, key, Backups(path, Clock()))
    make_key(other := tmp_path / "other.key")
    before = path.read_bytes()
    for wrong in (None, other):
        use_key(wrong)
        with pytest.raises(StoreError) as refusal:
            live(path)
        assert "key" in refusal.value.message + refusal.value.hint
        with pytest.raises(StoreError):
            copy_checked(path, tmp_path / "copy.db")
    assert path.read_bytes() == before
    use_key(key)
    assert live(path)


def test_a_key_is_not_taken_for_a_file_that_is_not_encrypted(path: Path, key: Path) -> None:
    live(path, "my name is Alex")
    use_key(key)
    with pytest.raises(StoreLocked):
        live(path)


def test_a_key_that_others_may_read_or_that_is_none_is_refused(key: Path) -> None:
    key.chmod(0o640)
    with pytest.raises(KeyUnusable):
        use_key(key)
    key.chmod(0o600)
    key.write_text("short")
    with pytest.raises(KeyUnusable):
        use_key(key)
    with pytest.raises(KeyUnusable):
        use_key(key.with_name("missing"))


def test_every_flipped_bit_is_noticed(tmp_path: Path) -> None:
    assert unnoticed_flips(tmp_path, 40, seed=5) == 0
