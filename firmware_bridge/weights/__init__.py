"""Weights: which models there are, where their files are kept, and how they get here.

catalogue = load_catalogue()
shelf = Shelf(catalogue, weights_dir(data_dir))
profile = suggest_profile(shelf, machine_memory().available)
await pull(shelf, catalogue.of_profile(profile), Endpoints.of(os.environ), listener)
path = shelf.locate(catalogue.chat(profile).name)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_bridge.weights.catalogue import Catalogue, load_catalogue, weights_dir
from firmware_bridge.weights.endpoints import Endpoints
from firmware_bridge.weights.model import SPEECH_ROLES, Embedding, Model, Profile, Role
from firmware_bridge.weights.profile import choose_profile, needed_bytes, suggest_profile
from firmware_bridge.weights.shelf import Shelf, State

if TYPE_CHECKING:
    from firmware_bridge.weights.puller import Listener

__all__ = [
    "SPEECH_ROLES",
    "Catalogue",
    "Embedding",
    "Endpoints",
    "Model",
    "Profile",
    "Role",
    "Shelf",
    "State",
    "choose_profile",
    "load_catalogue",
    "needed_bytes",
    "pull",
    "suggest_profile",
    "weights_dir",
]


async def pull(shelf: Shelf, models: Sequence[Model], endpoints: Endpoints, listener: Listener) -> list[Path]:
    """Brings models onto the shelf, one after the other, and returns their files; what is there is not fetched."""
    from firmware_bridge.weights.puller import Puller  # aiohttp stays out of processes that only look

    async with Puller(shelf, endpoints, listener) as puller:
        return [await puller.pull(model) for model in models]
