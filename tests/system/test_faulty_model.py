from __future__ import annotations

from pathlib import Path

import pytest
from faulty_house import survive


@pytest.mark.parametrize(
    ("way", "stage"),
    [("abort", "reading"), ("segfault", "writing"), ("hang", "ending"), ("bus error", "memory"), ("abort", "loading")],
)
def test_what_ended_the_process_twice_is_not_tried_again_and_no_turn_is_lost(
    tmp_path: Path, way: str, stage: str
) -> None:
    outcome = survive(tmp_path, way, stage)
    assert outcome.wrong == "", outcome
