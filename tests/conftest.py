"""Tests marked `weights`, `small` or `speech` need files that `scripts/setup` fetches, and run one at a time."""

from __future__ import annotations

import os
import re
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from firmware_bridge.app import heap
from firmware_bridge.errors import BridgeError
from firmware_bridge.weights import Profile, Shelf, load_catalogue, weights_dir

# Days and hours are told in the machine's own zone, wherever it stands.
os.environ["TZ"] = "UTC"
time.tzset()

# Nobody's settings are read, and nobody's memory is written.
_HOME = tempfile.TemporaryDirectory(prefix="lobug-home-")
os.environ["HOME"] = _HOME.name
for _folder in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
    os.environ.pop(_folder, None)
heap.grow()  # as `lobug` does: a fifth of the processor time of tests that read sentences

# A busy machine is no failure.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

_PROFILES = {"weights": Profile.TINY, "small": Profile.SMALL}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    _require_weights(items)
    if "PYTEST_XDIST_WORKER" in os.environ:  # begun first, for it lasts longest
        items.sort(key=lambda item: not _is_native(str(item.path)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """For several workers: the files with tests that compute in native models are one scope, and else each is its own.
    Two models at once would stall each other, for their threads spin. (Groups by mark do nothing under pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return "native" if _is_native(str(config.rootpath / file)) else file

    return ByFile(config, log)


@cache
def _is_native(file: str) -> bool:
    """Whether tests of this file are marked to need weights."""
    return re.search(rf"\bmark\.({'|'.join((*_PROFILES, 'speech'))})\b", Path(file).read_text()) is not None


def _require_weights(items: list[pytest.Item]) -> None:
    """Without the weights these tests are skipped on a developer's machine; CI must have them."""
    catalogue = load_catalogue()
    shelf = Shelf(catalogue, weights_dir(Path("unused")))
    wanted = {marker: (catalogue.of_profile(profile), f"--profile {profile}") for marker, profile in _PROFILES.items()}
    wanted["speech"] = (catalogue.speech(), "--dev")
    for marker, (models, option) in wanted.items():
        try:
            for model in models:
                shelf.locate(model.name)
        except BridgeError as error:
            if os.environ.get("CI"):
                raise pytest.UsageError(f"CI needs weights: {error.message}") from error
            for item in items:
                if item.get_closest_marker(marker):
                    item.add_marker(pytest.mark.skip(reason=f"{error.message}: run scripts/setup {option}"))
