from __future__ import annotations

from pathlib import Path

from killed import kill_companion, kill_memory, kill_peer


def test_kills_at_random_moments_lose_and_double_nothing(tmp_path: Path) -> None:
    outcome = kill_companion(tmp_path / "home", kills=8, seed=8)
    assert outcome.kills == 8
    assert outcome.answered > 8
    assert outcome.is_clean, outcome


def test_kills_of_the_memory_alone_lose_and_double_nothing(tmp_path: Path) -> None:
    outcome = kill_memory(tmp_path / "home", kills=30, seed=8)
    assert outcome.kills == 30
    assert outcome.answered > 0
    assert outcome.is_clean, outcome


def test_the_same_kills_are_seen_to_hurt_a_file_that_is_written_anew(tmp_path: Path) -> None:
    outcome = kill_peer(tmp_path / "home", kills=60, seed=8)
    assert outcome.broken > 0, outcome
    assert outcome.lost > 0, outcome
