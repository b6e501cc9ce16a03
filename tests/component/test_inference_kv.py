"""Prefix reuse must not change what the model thinks.

Scores depend a little on how tokens are split into batches, so each case is compared with a fresh context that read
the same tokens in the same batches. The scores are then the same to the last bit.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from firmware_bridge.errors import InferenceError

TINY = Path(__file__).parents[2] / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"

pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(not TINY.exists(), reason=f"{TINY.name} is not in models/: lobug models pull"),
]

TOKENS = random.Random(5).sample(range(1000, 40_000), 400)
STEP = 16


class Reader:
    """A context of its own, and how many tokens it has read in all."""

    def __init__(self, n_ctx: int = 512) -> None:
        from firmware_bridge.inference.context import Context, Sizes
        from firmware_bridge.inference.kv import PrefixCache
        from firmware_bridge.inference.model import Model

        self._context = Context(Model(TINY), Sizes(n_ctx, STEP, sequences=4, threads=1))
        self._cache = PrefixCache(self._context)
        self.read = 0

    def scores(self, key: str, tokens: Sequence[int]) -> NDArray[np.float32]:
        missing = 1
        while missing:
            read, missing = self._cache.extend(key, tokens, STEP)
            self.read += read
        return self._context.logits().copy()


@pytest.fixture
def reader() -> Reader:
    return Reader()


def test_growing_cutting_and_regrowing_reads_only_what_differs(reader: Reader) -> None:
    turns = [
        (TOKENS[:50], 50),
        (TOKENS[:70], 20),
        (TOKENS[:60], 1),
        (TOKENS[:60] + TOKENS[200:230], 30),
        (TOKENS[:60] + TOKENS[200:230], 1),
    ]
    for tokens, expected in turns:
        before = reader.read
        reader.scores("a", tokens)
        assert reader.read - before == expected


def test_other_conversations_do_not_show_in_the_scores(reader: Reader) -> None:
    a = [TOKENS[:50], TOKENS[:70] + TOKENS[200:230], TOKENS[:60] + TOKENS[300:345]]
    b = [TOKENS[100:150], TOKENS[100:190], TOKENS[100:120] + TOKENS[350:390]]
    mixed = []
    for ours, theirs in zip(a, b, strict=True):
        mixed.append(reader.scores("a", ours))
        reader.scores("b", theirs)
    alone = Reader()
    for ours, scores in zip(a, mixed, strict=True):
        assert np.array_equal(alone.scores("a", ours), scores)


def test_a_shared_head_scores_as_if_it_had_been_read(reader: Reader) -> None:
    reader.scores("a", TOKENS[:64])
    before = reader.read
    shared = reader.scores("b", TOKENS[:50] + TOKENS[100:130])
    assert reader.read - before == 30
    fresh = Reader()
    fresh.scores("b", TOKENS[:64])
    assert np.array_equal(fresh.scores("b", TOKENS[:50] + TOKENS[100:130]), shared)
    # The owner of the head still has all of its own.
    before = reader.read
    reader.scores("a", TOKENS[:70])
    assert reader.read - before == 6


def test_the_oldest_conversation_leaves_when_cells_run_out() -> None:
    reader = Reader(n_ctx=256)
    first = reader.scores("a", TOKENS[:120])
    reader.scores("b", TOKENS[120:240])
    before = reader.read
    reader.scores("c", TOKENS[240:360])  # "a" leaves, "b" stays
    reader.scores("b", TOKENS[120:240])
    assert reader.read - before == 121
    # Its cells now lie in another order, and so the rounding differs; other content would give less than 0.8.
    assert np.corrcoef(reader.scores("a", TOKENS[:120]), first)[0, 1] > 0.99


def test_the_least_recently_used_key_leaves_when_sequences_run_out(reader: Reader) -> None:
    for number in range(4):
        reader.scores(f"key {number}", TOKENS[number * 20 : number * 20 + 20])
    reader.scores("key 0", TOKENS[:20])
    reader.scores("key 4", TOKENS[80:100])  # "key 1" leaves
    before = reader.read
    for number in (0, 2, 3, 4):
        reader.scores(f"key {number}", TOKENS[number * 20 : number * 20 + 20])
    assert reader.read - before == 4
    reader.scores("key 1", TOKENS[20:40])
    assert reader.read - before == 24


def test_more_tokens_than_cells_is_an_error_and_the_next_prompt_is_fine() -> None:
    reader = Reader(n_ctx=256)
    with pytest.raises(InferenceError, match="too few cells"):
        reader.scores("a", TOKENS[:300])
    assert np.array_equal(reader.scores("a", TOKENS[:50]), Reader(n_ctx=256).scores("a", TOKENS[:50]))


def test_any_order_of_asking_leaves_the_cache_in_step_with_its_cells(reader: Reader) -> None:
    dice = random.Random(11)
    held: dict[str, list[int]] = {}
    for _ in range(30):
        key = f"key {dice.randrange(6)}"
        base = held.get(key, TOKENS[:20])
        start = dice.randrange(300)
        held[key] = base[: dice.randrange(1, len(base) + 1)] + TOKENS[start : start + dice.randrange(1, 30)]
        reader.scores(key, held[key])
        before = reader.read
        reader.scores(key, held[key])
        assert reader.read - before == 1
