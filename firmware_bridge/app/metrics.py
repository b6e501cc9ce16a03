"""What `/metrics` tells: how turns went since the start, and what waits now.

Names and units as https://prometheus.io/docs/practices/naming/ has them. Nothing that was said is in them, nor who said
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.metrics_core import Metric

from firmware_bridge.contracts import Heard, Said, TurnEvent
from firmware_bridge.errors import BridgeError
from firmware_bridge.lane import ComputeLane, Priority

_STAGES = ("queue", "embed", "recall", "first_token", "first_clause", "total")
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_TOKENS = (10, 30, 60, 90, 120, 150, 300, 600, 1_200, 2_400, 4_800)
_RATES = (2, 5, 10, 20, 40, 80, 160, 320, 640, 1_280)


class Metrics:
    """Given every event of every turn. For the event loop."""

    def __init__(self, lane: ComputeLane) -> None:
        self._lane = lane
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._turns = Counter("lobug_turns", "Turns that ended, by how", ["action"], registry=registry)
        self._failures = Counter("lobug_turn_failures", "Turns that failed, by error code", ["code"], registry=registry)
        self._stages = Histogram(
            "lobug_turn_stage_seconds",
            "Seconds of a turn's stages; first token, first clause and total count from the beginning",
            ["stage"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._prompt = Counter(
            "lobug_prompt_tokens", "Prompt tokens of turns, read anew or reused", ["source"], registry=registry
        )
        self._read = Histogram(
            "lobug_turn_prompt_tokens_read", "Prompt tokens read in a turn", buckets=_TOKENS, registry=registry
        )
        self._rate = Histogram(
            "lobug_prompt_read_tokens_per_second",
            "How fast a turn's prompt was read",
            buckets=_RATES,
            registry=registry,
        )
        self._replies = Counter("lobug_reply_tokens", "Tokens written in replies", registry=registry)
        self._work = Gauge(
            "lobug_lane_work", "Work that runs or waits in the compute lane", ["priority"], registry=registry
        )
        self._held = Gauge("lobug_memory_items", "What memory holds", ["kind"], registry=registry)
        self._jobs = Gauge(
            "lobug_memory_jobs", "Memory jobs that wait, or failed for good", ["state"], registry=registry
        )
        self._ready = Gauge("lobug_model_ready", "Whether a model is ready", ["role"], registry=registry)

    def __call__(self, heard: Heard, event: TurnEvent | Exception) -> None:
        if isinstance(event, Said):
            self._turns.labels(event.action.value).inc()
            self._note(event.timings)
        elif isinstance(event, Exception):
            self._failures.labels(event.code if isinstance(event, BridgeError) else "internal_error").inc()

    def page(self, health: Mapping[str, Any]) -> bytes:
        """Everything as Prometheus reads it. `health` is what `/health` tells at this moment."""
        waiting = self._lane.waiting()
        for priority in Priority:
            self._work.labels(priority.name.lower()).set(waiting.get(priority, 0))
        memory = health["memory"]
        for kind in ("turns", "records", "vectors", "summaries"):
            self._held.labels(kind).set(memory[kind])
        for state in ("pending", "failed"):
            self._jobs.labels(state).set(memory[f"jobs_{state}"])
        for role, model in health["models"].items():
            self._ready.labels(role).set(model["state"] == "ready")
        return generate_latest(self._registry)

    def described(self) -> list[Metric]:
        """Each metric of ours, with its type and meaning."""
        return [family for family in self._registry.collect() if family.name.startswith("lobug_")]

    def _note(self, timings: Mapping[str, float]) -> None:
        for stage in _STAGES:
            if f"{stage}_ms" in timings:
                self._stages.labels(stage).observe(timings[f"{stage}_ms"] / 1e3)
        if "prompt_tokens_read" in timings:
            read = timings["prompt_tokens_read"]
            self._prompt.labels("read").inc(read)
            self._prompt.labels("reused").inc(max(timings["prompt_tokens"] - read, 0))
            self._read.observe(read)
            self._replies.inc(timings["reply_tokens"])
        if "read_tokens_per_s" in timings:
            self._rate.observe(timings["read_tokens_per_s"])
