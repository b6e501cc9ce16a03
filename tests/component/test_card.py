from __future__ import annotations

from pathlib import Path

from card import CountingDisk, cost_of_turns, syncs_of
from disks import OnDisk
from memory_house import turn

from edge_memory.memory import Memory


def test_a_turn_with_its_jobs_is_kind_to_the_card(tmp_path: Path) -> None:
    cost = cost_of_turns(tmp_path / "memory.db", 80)
    assert 2.0 <= cost.model_syncs < 2.2  # what was heard, what was answered, and now and then a checkpoint
    assert 1.0 < cost.syncs < 2.0
    assert 0 < cost.kibibytes < 100


def test_what_needs_no_model_is_synced_with_its_answer(tmp_path: Path) -> None:
    said = ["i like tea", "hm", "set a timer for ten minutes", "what timers are there", "cancel the timer"]
    assert syncs_of(tmp_path / "memory.db", said) == [2, 1, 2, 1, 2]


async def test_words_that_need_the_model_after_all_are_synced_by_hearing_them_again(tmp_path: Path) -> None:
    disk = CountingDisk()
    vfs = OnDisk(disk)
    try:
        async with Memory(tmp_path / "memory.db", serve=True) as memory:
            before = disk.syncs
            await memory.hear(turn("t0", "set a timer"), durable=False)
            assert disk.syncs == before
            await memory.hear(turn("t0", "set a timer"))
            assert disk.syncs == before + 1
            assert [one["heard"] for one in await memory.turns(None, 10)] == ["set a timer"]
    finally:
        vfs.unregister()
