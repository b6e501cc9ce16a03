"""Nothing leaves this machine, also by what is written in C: no call of a whole life names another address."""

from __future__ import annotations

from pathlib import Path

import pytest
from isolated import cannot, live

pytestmark = pytest.mark.weights


@pytest.mark.skipif(bool(cannot()), reason=cannot() or "it can be done")
def test_a_traced_life_without_a_network_names_no_other_address(tmp_path: Path) -> None:
    found = live(tmp_path, "tiny", voice=False)
    assert "Mirko" in found.said
    assert found.inside > 0  # the trace did see the calls
    assert found.outside == ()
