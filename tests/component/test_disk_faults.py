from __future__ import annotations

from itertools import product
from pathlib import Path

from faults import Fault, operations, suffer

STEP = 11  # every so many operations; scripts/prove takes each


def test_a_failing_or_full_disk_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    count = operations(tmp_path / "well")
    assert count > 50
    seen = {True: 0, False: 0}
    for at, full, lasting in product(range(0, count, STEP), (True, False), (True, False)):
        outcome = suffer(tmp_path / f"{at}{full}{lasting}", Fault(at, full, lasting))
        assert not outcome.wrong, (at, full, lasting, outcome)
        seen[lasting] += outcome.told
    assert seen[True] > seen[False] > 0
