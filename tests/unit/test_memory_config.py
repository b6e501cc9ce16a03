from __future__ import annotations

import dataclasses
import math

import pytest

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadConfig

SWITCHES = [spec for spec in dataclasses.fields(MemoryConfig) if isinstance(spec.default, bool)]
FIELDS = [spec for spec in dataclasses.fields(MemoryConfig) if not isinstance(spec.default, bool)]
LOOSE = {"short_term_keep": 0, "long_term_keep": 0, "short_term_threshold": 10_000, "long_term_threshold": 10_000}
each_field = pytest.mark.parametrize("spec", FIELDS, ids=lambda spec: spec.name)


@each_field
def test_a_tunable_says_what_it_means_and_takes_its_range(spec: dataclasses.Field[float]) -> None:
    assert spec.metadata["doc"]
    low, high = spec.metadata["low"], spec.metadata["high"]
    for value in (low, high):
        others = {name: 0 if name.endswith("keep") else 10_000 for name in LOOSE if name != spec.name}
        if not (spec.name.endswith("keep") and value == high):  # the threshold of the same name must stay above
            assert getattr(MemoryConfig(**others | {spec.name: value}), spec.name) == value


@each_field
def test_a_tunable_refuses_what_is_outside(spec: dataclasses.Field[float]) -> None:
    low, high = spec.metadata["low"], spec.metadata["high"]
    wrong = [low - 1, high + 1, math.nan, math.inf, "5", None, True, [1]]
    if isinstance(spec.default, int):
        wrong.append(low + 0.5)
    for value in wrong:
        with pytest.raises(BadConfig, match=spec.name):
            MemoryConfig(**{spec.name: value})


@pytest.mark.parametrize("spec", SWITCHES, ids=lambda spec: spec.name)
def test_a_switch_is_on_or_off(spec: dataclasses.Field[bool]) -> None:
    assert spec.metadata["doc"]
    for value in (True, False):
        assert getattr(MemoryConfig(**{spec.name: value}), spec.name) is value
    for wrong in (0, 1, "true", None):
        with pytest.raises(BadConfig, match=spec.name):
            MemoryConfig(**{spec.name: wrong})


@pytest.mark.parametrize("cascade", ["short_term", "long_term"])
def test_a_cascade_must_leave_less_than_what_starts_it(cascade: str) -> None:
    with pytest.raises(BadConfig, match=f"{cascade}_keep"):
        MemoryConfig(**{f"{cascade}_keep": 12, f"{cascade}_threshold": 12})


def test_the_defaults_are_the_seed_s() -> None:
    config = MemoryConfig()
    assert (config.working_messages, config.short_term_threshold, config.short_term_keep) == (20, 30, 10)
    assert (config.long_term_threshold, config.long_term_keep, config.base_memory_words) == (20, 10, 400)
    assert (config.retrieval_top_k, config.retrieval_min_similarity) == (5, 0.3)
    assert config.duplicate_distance_threshold == 0.15
    assert (config.surprise_threshold, config.most_active_records) == (0.3, 10_000)
    assert (config.recency_half_life_days, config.decay_half_life_days, config.dedup_lookback) == (30.0, 90.0, 5)
    assert all(getattr(config, spec.name) for spec in SWITCHES)


def test_it_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        MemoryConfig().retrieval_top_k = 9
