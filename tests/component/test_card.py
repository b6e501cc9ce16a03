from __future__ import annotations

from pathlib import Path

from card import cost_of_turns


def test_a_turn_with_its_jobs_is_kind_to_the_card(tmp_path: Path) -> None:
    cost = cost_of_turns(tmp_path / "memory.db", 80)
    assert 2.0 <= cost.model_syncs < 2.2  # what was heard, what was answered, and now and then a checkpoint
    assert 1.0 < cost.syncs < 2.0
    assert 0 < cost.kibibytes < 100
