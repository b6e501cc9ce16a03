"""Something to eat or drink that goes against no constraint, from a short list whose contents are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from edge_memory import lazy_re as re


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is wanted, by the words that ask for it, and what would do, the likeliest one first."""

    asked: re.Pattern[str]
    ideas: tuple[str, ...]


def occasion_of(text: str, occasions: Iterable[Occasion]) -> Occasion | None:
    return next((one for one in occasions if one.asked.search(text)), None)


def idea_for(text: str, occasions: Iterable[Occasion], is_forbidden: Callable[[str], bool]) -> str:
    """What would do; empty where nothing is known to."""
    occasion = occasion_of(text, occasions)
    return next((idea for idea in occasion.ideas if not is_forbidden(idea)), "") if occasion else ""
