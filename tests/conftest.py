"""Tests marked `weights`, `small` or `speech` need files that `scripts/setup` fetches, and run one at a time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.errors import BridgeError
from firmware_bridge.weights import Profile, Shelf, load_catalogue, weights_dir

_PROFILES = {"weights": Profile.TINY, "small": Profile.SMALL}


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _require_weights(items)
    if config.getoption("loadgroup", False):
        _group(items)


def _group(items: list[pytest.Item]) -> None:
    """For several workers: all that computes in native models is one group, begun first, and else each file is one.
    Two models at once would stall each other, for their threads spin.
    """
    items.sort(key=lambda item: not _is_native(item))
    for item in items:
        item.add_marker(pytest.mark.xdist_group("native" if _is_native(item) else item.path.stem))


def _is_native(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(marker) for marker in (*_PROFILES, "speech"))


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
