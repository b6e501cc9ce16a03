"""`re` for rules: an expression is compiled when it is first used, or by `compile_all`.

To compile all rules takes a second on a computer and several on a Pi. Most commands never read a sentence, and the
companion can do it once it answers.
"""

from __future__ import annotations

import re
from re import DOTALL, IGNORECASE, Match, Pattern, escape, findall, finditer, fullmatch, match, search, split, sub, subn
from typing import Any, cast

__all__ = [
    "DOTALL",
    "IGNORECASE",
    "I",
    "Match",
    "Pattern",
    "compile",
    "compile_all",
    "escape",
    "findall",
    "finditer",
    "fullmatch",
    "match",
    "search",
    "split",
    "sub",
    "subn",
]
I = IGNORECASE  # noqa: E741 - as in `re`


class _Lazy:
    """Stands for a compiled expression. From the first use on it holds that one's methods."""

    def __init__(self, expression: str, flags: int) -> None:
        self.pattern = expression
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for method in ("search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split", "flags"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


_all: list[_Lazy] = []


def compile(expression: str, flags: int = 0) -> Pattern[str]:  # noqa: A001 - as in `re`
    """For a module's own expressions: it is kept for good."""
    lazy = _Lazy(expression, flags)
    _all.append(lazy)
    return cast(Pattern[str], lazy)


def compile_all() -> None:
    """What is not compiled yet. For a thread beside: it takes a second or more."""
    for lazy in _all:
        lazy.search  # noqa: B018
