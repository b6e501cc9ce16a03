"""Where a companion process meets Wyoming clients."""

from __future__ import annotations

import re

from companion_process import Companion

ANY_PORT = {"LOBUG_WYOMING__PORT": "0"}


def port_of(companion: Companion) -> int:
    found = re.search(r"Wyoming clients are met at 127\.0\.0\.1:(\d+)", companion.log())
    assert found is not None, companion.log()
    return int(found[1])
