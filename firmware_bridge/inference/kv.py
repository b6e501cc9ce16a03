"""Which sequence of the KV cache holds which tokens, so that a prompt is read only where it is new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from firmware_bridge.errors import InferenceError
from firmware_bridge.inference.context import Context


class Progress(NamedTuple):
    """`read` tokens went through the model in this step; `missing` ones still have to."""

    read: int
    missing: int


@dataclass(slots=True, eq=False)
class _Held:
    """A native sequence. `tokens` is at every step boundary exactly what its KV cells hold."""

    id: int
    key: str | None = None
    tokens: list[int] = field(default_factory=list)
    used_at: int = 0


class PrefixCache:
    """One native sequence per key, for the most recently used keys.

    Nothing has to be announced or given back: a caller asks again and again for its whole token list to be held, and
    whatever others did to its sequence in the meantime only shows in how much must be read.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._held = [_Held(number) for number in range(context.sequences)]
        self._clock = count(1)

    def extend(self, key: str, tokens: Sequence[int], at_most: int) -> Progress:
        """Brings the sequence of `key` up to `at_most` tokens closer to holding `tokens` (at least one, and no more
        than the context has cells) and nothing else. With nothing missing, the context has the logits of the last one.

        Raises InferenceError if the model fails; the sequence is then empty.
        """
        held = self._prepare(key, tokens)
        start = len(held.tokens)
        part = tokens[start : start + at_most]
        try:
            while not self._context.read(held.id, part, start):
                self._make_room(held)
        except InferenceError:
            self._drop(held)
            raise
        held.tokens.extend(part)
        return Progress(len(part), len(tokens) - len(held.tokens))

    def _prepare(self, key: str, tokens: Sequence[int]) -> _Held:
        """The sequence of `key`, holding the longest known beginning of `tokens` short of its last one."""
        best = max(self._held, key=lambda held: (_common(held.tokens, tokens), held.key == key))
        held = next((held for held in self._held if held.key == key), None) or self._oldest(self._held)
        # The last token is always read (again), because its logits are what the caller is after.
        shared = min(_common(best.tokens, tokens), len(tokens) - 1)
        held.key, held.used_at = key, next(self._clock)
        if best is held or self._context.model.is_recurrent:
            self._cut(held, min(_common(held.tokens, tokens), len(tokens) - 1))
        else:
            self._drop(held)
            self._context.share(best.id, held.id, shared)
            held.tokens = list(tokens[:shared])
        if self._context.length(held.id) != len(held.tokens):  # a kind of model that cannot share or cut
            self._drop(held)
        return held

    def _cut(self, held: _Held, length: int) -> None:
        if length == len(held.tokens):
            return
        if self._context.cut(held.id, length):
            del held.tokens[length:]
        else:
            self._drop(held)

    def _drop(self, held: _Held) -> None:
        self._context.cut(held.id, 0)
        held.tokens.clear()

    def _make_room(self, user: _Held) -> None:
        others = [held for held in self._held if held is not user and held.tokens]
        if not others:
            raise InferenceError("the context has too few cells left", "choose a larger context")
        self._drop(self._oldest(others))

    @staticmethod
    def _oldest(candidates: Sequence[_Held]) -> _Held:
        return min(candidates, key=lambda held: (bool(held.tokens), held.used_at))


def _common(held: Sequence[int], wanted: Sequence[int]) -> int:
    """Length of the common beginning."""
    length = min(len(held), len(wanted))
    if held[:length] == wanted[:length]:  # the usual case, at the speed of C
        return length
    return next(index for index in range(length) if held[index] != wanted[index])
