"""Weights: tests marked `weights` or `small` need files that `scripts/setup` fetches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_bridge.errors import BridgeError
from firmware_bridge.weights import Profile, Shelf, load_catalogue, weights_dir

_PROFILES = {"weights": Profile.TINY, "small": Profile.SMALL}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
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
