"""Chat and embedding models: on llama.cpp in this process, or behind an OpenAI-compatible server.

Importing this package is cheap; llama.cpp and aiohttp are loaded with the first class that needs them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware_bridge.inference.chat import LlamaChat
    from firmware_bridge.inference.embedder import LlamaEmbedder
    from firmware_bridge.inference.fallback import FallbackChat, FallbackEmbedder
    from firmware_bridge.inference.footprint import check_memory
    from firmware_bridge.inference.heads import discard_heads
    from firmware_bridge.inference.model import CANNOT_CUT, can_cut
    from firmware_bridge.inference.native import library_version
    from firmware_bridge.inference.openai import OpenAIChat, OpenAIEmbedder

__all__ = [
    "CANNOT_CUT",
    "FallbackChat",
    "FallbackEmbedder",
    "LlamaChat",
    "LlamaEmbedder",
    "OpenAIChat",
    "OpenAIEmbedder",
    "can_cut",
    "check_memory",
    "discard_heads",
    "library_version",
]

_HOMES = {
    "CANNOT_CUT": "model",
    "FallbackChat": "fallback",
    "FallbackEmbedder": "fallback",
    "LlamaChat": "chat",
    "LlamaEmbedder": "embedder",
    "OpenAIChat": "openai",
    "OpenAIEmbedder": "openai",
    "can_cut": "model",
    "check_memory": "footprint",
    "discard_heads": "heads",
    "library_version": "native",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
