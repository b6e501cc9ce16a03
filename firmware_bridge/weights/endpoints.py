"""Where the two kinds of source are: the base addresses of the model hub and of the package index."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass

_PUBLIC_HUB = "https://huggingface.co"
_PUBLIC_INDEX = "https://pypi.org/simple"
_INDEX_LINE = re.compile(r"""^global\.index-url=['"](.+)['"]$""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Base addresses. Where `index` is None, the one that pip is configured for is looked up when needed."""

    hub: str = _PUBLIC_HUB
    index: str | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Endpoints:
        """As hub clients and pip read an environment: HF_ENDPOINT and PIP_INDEX_URL."""
        return cls(environment.get("HF_ENDPOINT") or _PUBLIC_HUB, environment.get("PIP_INDEX_URL") or None)


async def configured_index() -> str:
    """The index in pip's configuration files; PyPI where there is none, or no pip."""
    import asyncio  # a tenth of a second on a small board, which only this function needs

    pip = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "pip", "config", "list"),  # "get" does not see the file that PIP_CONFIG_FILE names
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    output, _ = await pip.communicate()
    found = _INDEX_LINE.search(output.decode(errors="replace"))
    return found[1] if found else _PUBLIC_INDEX
