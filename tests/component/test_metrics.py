"""What `/metrics` tells, read with Prometheus' own parser."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from importlib import resources

import pytest
from prometheus_client.parser import text_string_to_metric_families

from firmware_bridge.app.metrics import Metrics
from firmware_bridge.contracts import Action, Heard, Said
from firmware_bridge.errors import PromptTooLong
from firmware_bridge.lane import ComputeLane

HEARD = Heard("where does my sister live", "kitchen")
TIMINGS = {
    "queue_ms": 2.0,
    "embed_ms": 8.0,
    "recall_ms": 6.0,
    "first_token_ms": 420.0,
    "first_clause_ms": 700.0,
    "total_ms": 1_300.0,
    "prompt_tokens": 900.0,
    "prompt_tokens_read": 80.0,
    "reply_tokens": 21.0,
    "read_tokens_per_s": 200.0,
}
HEALTH = {
    "memory": {"turns": 7, "records": 5, "vectors": 4, "summaries": 1, "jobs_pending": 2, "jobs_failed": 0},
    "models": {"chat": {"state": "ready"}, "embedding": {"state": "missing"}},
}


@pytest.fixture
async def metrics() -> AsyncIterator[Metrics]:
    async with ComputeLane() as lane:
        yield Metrics(lane)


def told(metrics: Metrics) -> dict[tuple[str, tuple[str, ...]], float]:
    families = text_string_to_metric_families(metrics.page(HEALTH).decode())
    return {(s.name, tuple(s.labels.values())): s.value for family in families for s in family.samples}


async def test_a_turn_counts_with_its_stages_and_tokens(metrics: Metrics) -> None:
    for _ in range(2):
        metrics(HEARD, Said(Action.RESPOND, "In Graz.", "t", "kitchen", (), TIMINGS))
    samples = told(metrics)
    assert samples["lobug_turns_total", ("respond",)] == 2
    assert samples["lobug_prompt_tokens_total", ("read",)] == 160
    assert samples["lobug_prompt_tokens_total", ("reused",)] == 1640
    assert samples["lobug_reply_tokens_total", ()] == 42
    for stage in ("queue", "embed", "recall", "first_token", "first_clause", "total"):
        assert samples["lobug_turn_stage_seconds_sum", (stage,)] == pytest.approx(2 * TIMINGS[f"{stage}_ms"] / 1e3)
    assert samples["lobug_turn_prompt_tokens_read_bucket", ("90.0",)] == 2
    assert samples["lobug_turn_prompt_tokens_read_bucket", ("60.0",)] == 0


async def test_failures_count_by_code_and_a_turn_without_the_model_has_no_tokens(metrics: Metrics) -> None:
    metrics(HEARD, PromptTooLong("no room"))
    metrics(HEARD, ValueError("a bug"))
    metrics(HEARD, Said(Action.IGNORE, "", "t", "kitchen", (), {"total_ms": 1.0}))
    samples = told(metrics)
    assert samples["lobug_turn_failures_total", ("prompt_too_long",)] == 1
    assert samples["lobug_turn_failures_total", ("internal_error",)] == 1
    assert samples["lobug_turns_total", ("ignore",)] == 1
    assert samples["lobug_reply_tokens_total", ()] == 0


async def test_it_tells_what_waits_and_what_is_held(metrics: Metrics) -> None:
    samples = told(metrics)
    assert samples["lobug_memory_jobs", ("pending",)] == 2
    assert samples["lobug_memory_items", ("records",)] == 5
    assert samples["lobug_model_ready", ("chat",)] == 1
    assert samples["lobug_model_ready", ("embedding",)] == 0
    assert samples["lobug_lane_work", ("live",)] == 0
    assert samples["process_resident_memory_bytes", ()] > 0


async def test_nothing_that_was_said_is_in_it(metrics: Metrics) -> None:
    metrics(HEARD, Said(Action.RESPOND, "In Graz.", "t-1", "kitchen", (), TIMINGS))
    page = metrics.page(HEALTH).decode()
    assert not any(word in page for word in ("sister", "Graz", "kitchen", "t-1"))


async def test_names_and_units_follow_prometheus_practice(metrics: Metrics) -> None:
    """As `promtool check metrics` has them: https://prometheus.io/docs/practices/naming/"""
    for family in metrics.described():
        assert re.fullmatch(r"lobug_[a-z]+(_[a-z]+)*", family.name)
        assert family.documentation
        assert not re.search(r"_(ms|milliseconds|minutes|hours|kb|mb|kilobytes|megabytes|percent)(_|$)", family.name)
        assert not re.search(r"_(total|count|sum|bucket|info|gauge|counter|histogram)$", family.name)
        assert f"_{family.type}" not in family.name
        labels = {name for sample in family.samples for name in sample.labels}
        assert all(re.fullmatch(r"[a-z]+", label) and f"_{label}_" not in family.name for label in labels)


async def test_every_query_of_the_board_names_what_exists(metrics: Metrics) -> None:
    metrics(HEARD, Said(Action.RESPOND, "In Graz.", "t", "kitchen", (), TIMINGS))
    metrics(HEARD, PromptTooLong("no room"))
    families = text_string_to_metric_families(metrics.page(HEALTH).decode())
    samples = {sample.name: sample.labels.keys() for family in families for sample in family.samples}
    board = json.loads((resources.files("firmware_bridge.integrations") / "grafana_board.json").read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked = {name for query in queries for name in re.findall(r"\b(?:lobug|process)_\w+", query)}
    assert asked <= samples.keys()
    for query in queries:
        names = re.findall(r"\b(?:lobug|process)_\w+", query)
        grouped = re.findall(r"by \((\w+)\)", query) + re.findall(r"{(\w+)=", query)
        assert all(label in samples[name] for name in names for label in grouped), query
    shown = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked}
    assert shown >= {f"{one.name}_total" if one.type == "counter" else one.name for one in metrics.described()}
