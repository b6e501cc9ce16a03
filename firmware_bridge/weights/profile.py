"""Which profile a machine can carry."""

from __future__ import annotations

from firmware_bridge.weights.catalogue import Catalogue
from firmware_bridge.weights.model import Profile
from firmware_bridge.weights.shelf import Shelf

_MEGABYTE = 1_000_000
_HEADROOM = 1.25


def needed_bytes(catalogue: Catalogue, profile: Profile) -> int:
    """The measured peaks of a profile's models, and a quarter for speech, long prompts and everyone else."""
    megabytes = sum(model.memory_mb or 0 for model in catalogue.of_profile(profile))
    return int(megabytes * _MEGABYTE * _HEADROOM)


def choose_profile(catalogue: Catalogue, available_bytes: int) -> Profile:
    """The largest profile that fits, the smallest if none does."""
    fitting = [profile for profile in Profile if needed_bytes(catalogue, profile) <= available_bytes]
    return fitting[-1] if fitting else Profile.TINY


def suggest_profile(shelf: Shelf, available_bytes: int) -> Profile:
    """Of the profiles that fit, the largest whose weights are here, else the largest.

    The free memory differs from start to start; that must not fetch other weights each time.
    """
    largest = choose_profile(shelf.catalogue, available_bytes)
    fitting = list(Profile)[list(Profile).index(largest) :: -1]
    here = (p for p in fitting if all(shelf.path(model).exists() for model in shelf.catalogue.of_profile(p)))
    return next(here, largest)
