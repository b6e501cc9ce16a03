from __future__ import annotations

from pathlib import Path

import pytest
from unplugged import cut_memory, cut_rewritten_file, cut_sqlite


@pytest.mark.parametrize("seed", range(3))
def test_no_power_cut_loses_an_answered_turn(tmp_path: Path, seed: int) -> None:
    damage = cut_memory(tmp_path, turns=12, share=0.1, seed=seed)
    assert damage.cuts > 20
    assert (damage.lost, damage.broken) == (0, 0)


def test_no_power_cut_hurts_a_file_of_an_older_version(tmp_path: Path) -> None:
    damage = cut_memory(tmp_path, turns=6, share=0.1, seed=1, older=True)
    assert damage.cuts > 20
    assert (damage.lost, damage.broken) == (0, 0)


def test_the_same_cuts_are_seen_to_hurt_what_syncs_less(tmp_path: Path) -> None:
    normal = cut_sqlite(tmp_path, turns=100, share=0.3, seed=1, synchronous="NORMAL")
    assert normal.lost > 0
    rewritten = cut_rewritten_file(turns=30, share=0.5, seed=1)
    assert rewritten.broken > 0
