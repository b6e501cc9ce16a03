"""Which sequence of the KV cache holds which tokens, so that a prompt is read only where it is new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from firmware_bridge.errors import InferenceError
from firmware_bridge.inference.context import Context, ReadResult


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

    def __init__(self, context: Context, pinned: str = "") -> None:
        """The sequence of the key `pinned` leaves last when others need its cells."""
        self._context = context
        self._pinned = pinned
        self._held = [_Held(number) for number in range(context.sequences)]
        self._clock = count(1)

    def extend(self, key: str, tokens: Sequence[int], at_most: int) -> Progress:
        """Brings the sequence of `key` up to `at_most` tokens closer to holding `tokens` (at least one, and no more
        than the context has cells) and nothing else. With nothing missing, the context has the logits of the last one.

        Reads nothing if the context's `stop` is set meanwhile. Raises InferenceError if the model fails; the sequence
        is then empty.
        """
        # The last token is always read (again), because its logits are what the caller is after.
        held = self._prepare(key, tokens, len(tokens) - 1)
        return self._read(held, tokens, at_most)

    def read_ahead(self, key: str, tokens: Sequence[int], at_most: int) -> Progress:
        """As `extend`, for a caller that is not after logits: nothing is read of what is held already."""
        held = self._prepare(key, tokens, len(tokens))
        if len(held.tokens) == len(tokens):
            return Progress(0, 0)
        return self._read(held, tokens, at_most)

    def shorten(self, key: str, length: int) -> None:
        """Keeps at most the first `length` tokens of the sequence of `key`, if there is one."""
        held = self._of(key)
        if held is not None and length < len(held.tokens) and self._context.is_open:
            self._cut(held, length)

    def holds(self, key: str, tokens: Sequence[int]) -> bool:
        """Whether the sequence of `key` begins with `tokens`."""
        held = self._of(key)
        return held is not None and held.tokens[: len(tokens)] == list(tokens)

    def state(self, key: str) -> bytes:
        """The cells of the sequence of `key`, to be given to `restore` with its tokens. Empty if there is none."""
        held = self._of(key)
        return b"" if held is None else self._context.state(held.id)

    def restore(self, key: str, tokens: Sequence[int], state: bytes) -> bool:
        """Takes over a state that a cache of the same weights and cell type gave. False if it does not fit."""
        held = self._of(key) or self._oldest(self._held)
        held.key, held.used_at = key, next(self._clock)
        self._drop(held)
        if not self._context.restore(held.id, state) or self._context.length(held.id) != len(tokens):
            self._drop(held)
            return False
        held.tokens = list(tokens)
        return True

    def _read(self, held: _Held, tokens: Sequence[int], at_most: int) -> Progress:
        start = len(held.tokens)
        part = tokens[start : start + at_most]
        try:
            while (result := self._context.read(held.id, part, start)) is ReadResult.NO_ROOM:
                self._make_room(held)
        except InferenceError:
            self._drop(held)
            raise
        if result is ReadResult.STOPPED:
            if self._context.length(held.id) != start:  # a kind of model that cannot go back
                self._drop(held)
            return Progress(0, len(tokens) - len(held.tokens))
        held.tokens.extend(part)
        return Progress(len(part), len(tokens) - len(held.tokens))

    def _prepare(self, key: str, tokens: Sequence[int], most: int) -> _Held:
        """The sequence of `key`, holding the longest known beginning of `tokens`, but no more than `most`."""
        own = self._of(key)
        if own is not None and 0 < len(own.tokens) <= most and tokens[: len(own.tokens)] == own.tokens:
            own.used_at = next(self._clock)  # the usual case: it only has to grow
            return own
        best = max(self._held, key=lambda held: (_common(held.tokens, tokens), held is own))
        shared = min(_common(best.tokens, tokens), most)
        held = own or self._oldest([held for held in self._held if held is not best or not shared])
        held.key, held.used_at = key, next(self._clock)
        if best is held or self._context.model.is_recurrent:
            self._cut(held, min(_common(held.tokens, tokens), most))
        else:
            self._drop(held)
            self._context.share(best.id, held.id, shared)
            held.tokens = list(tokens[:shared])
        if self._context.length(held.id) != len(held.tokens):  # a kind of model that cannot share or cut
            self._drop(held)
        return held

    def _of(self, key: str) -> _Held | None:
        return next((held for held in self._held if held.key == key), None)

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

    def _oldest(self, candidates: Sequence[_Held]) -> _Held:
        return min(candidates, key=lambda held: (held.key == self._pinned, bool(held.tokens), held.used_at))


def _common(held: Sequence[int], wanted: Sequence[int]) -> int:
    """Length of the common beginning. Halves the search by comparing slices, which goes at the speed of C."""
    low, high = 0, min(len(held), len(wanted))
    while low < high:
        middle = (low + high + 1) // 2
        if held[low:middle] == wanted[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
