"""The running companion: memory, models and turns put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from edge_memory.clock import HouseClock
from edge_memory.memory import Memory
from edge_memory.records import Language
from edge_memory.store.jobs import JobKind
from edge_memory.store.sensors import Reading
from firmware_bridge.app.engines import SpeechEngines
from firmware_bridge.app.latecomers import Latecomers
from firmware_bridge.app.models import (
    EmbeddingModel,
    MemoryChat,
    MemoryEmbedder,
    ModelLoader,
    Slot,
    SlotState,
    TalkingModel,
    fitting,
)
from firmware_bridge.app.ringing import Ringing
from firmware_bridge.app.unending import unending
from firmware_bridge.app.unlocking import unlocked
from firmware_bridge.app.voice import Voice
from firmware_bridge.app.volumes import Volumes
from firmware_bridge.app.xiaozhi import XiaoZhiHall
from firmware_bridge.contracts import Heard, ModelState, TurnEvent
from firmware_bridge.deaths import Deaths
from firmware_bridge.device import NoticeBoard
from firmware_bridge.errors import ADD_EXTRAS, ExtraMissing
from firmware_bridge.inference import discard_heads
from firmware_bridge.lane import ComputeLane
from firmware_bridge.phrases import PHRASES
from firmware_bridge.settings import Settings
from firmware_bridge.turn import (
    Announcer,
    Dialogue,
    Injection,
    Introduction,
    Manner,
    Persona,
    TurnProgress,
    VolumeCommand,
)
from firmware_bridge.web import Happenings

if TYPE_CHECKING:
    from firmware_bridge.app.metrics import Metrics

_OFF = "off"
_NEEDED = {JobKind.EMBED: "embedding"} | dict.fromkeys(
    (JobKind.EXTRACT, JobKind.AUDIT, JobKind.SUMMARIZE, JobKind.DISTIL), "chat"
)  # the model without which a job waits
_STUCK_SECONDS = 30.0
_CLOCK_SECONDS = 2.0
_MODEL_RETRY_SECONDS, _PROBE_SECONDS = 20.0, 1.0


def _manner(settings: Settings, volumes: Volumes) -> Manner:
    language = Language(settings.persona.language)
    told = settings.persona.manner if "manner" in settings.persona.model_fields_set else PHRASES[language].manner
    persona = Persona(settings.persona.name, told, language)
    return Manner(
        persona,
        settings.turn.prompt_order,
        settings.model.max_reply_tokens,
        settings.model.temperature,
        settings.turn.grounded,
        Injection(settings.turn.injection_format, settings.turn.memory_format, language),
        (VolumeCommand(volumes), Introduction(persona)),
    )


class _PatientSource:
    """Turns wait this long for a model that is still loading."""

    def __init__(self, slot: Slot[TalkingModel], patience: float) -> None:
        self._slot = slot
        self._patience = patience

    async def ready(self) -> TalkingModel:
        return await self._slot.get(self._patience)


class RunningCompanion:
    """An async context manager. Inside it, turns are answered, models load, and memory digests."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lane = ComputeLane(Deaths(settings.cache_dir / "deaths.json"))
        self.happenings = Happenings()
        # What the model has read of memories would lie in the cache in plain.
        heads = settings.cache_dir if settings.store.key_file is None else None
        self._models = ModelLoader(settings.model, settings.data_dir, heads, self._lane)
        self._clock = HouseClock()
        self.memory = Memory(
            unlocked(settings),
            serve=True,
            config=fitting(settings.memory, self._models.profile),
            embedder=MemoryEmbedder(self._models.embedder),
            chat=MemoryChat(self._models.chat),
            digested=self._memory_changed,
            erased=self._erased,
            clock=self._clock,
            ballast=settings.store.ballast_megabytes * 1024 * 1024,
            language=Language(settings.persona.language),
        )
        self.notices = NoticeBoard()
        self._volumes = Volumes(self.notices.post)
        manner = _manner(settings, self._volumes)
        self._patience = settings.turn.model_patience_seconds
        source = _PatientSource(self._models.chat, self._patience)
        self._latecomers = Latecomers(self._models.retry, self.memory.prepare)
        self._metrics = _measures(self._lane)
        announce = Announcer(self.notices.post)

        def watch(heard: Heard, event: TurnEvent | Exception) -> None:
            announce(heard, event)
            self.happenings.turn(heard, event)
            if self._metrics is not None:
                self._metrics(heard, event)

        longest, taken_back = settings.turn.max_text_characters, self.happenings.taken_back
        self._dialogue = Dialogue(self.memory, source, manner, longest, self._clock, watch, taken_back=taken_back)
        engines = SpeechEngines(settings.speech, self._models.shelf, self._lane, settings.cache_dir)
        self.voice = Voice(settings.speech, settings.persona, engines, self._lane, self.memory, self._dialogue)
        self.xiaozhi = XiaoZhiHall(self, self.notices, settings.speech.idle_seconds, settings.server.turns_per_minute)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        try:
            await self._stack.enter_async_context(self.memory)
            await self.memory.dating.start(self._clock)
            await self._stack.enter_async_context(self._lane)
            self._stack.push_async_callback(self._models.aclose)
            settling = asyncio.create_task(unending("dating", self._settle_clock), name="clock")
            self._stack.push_async_callback(_end, settling)
            background = asyncio.create_task(self._background(), name="models and memory work")
            self._stack.push_async_callback(_end, background)
            await self._stack.enter_async_context(self._dialogue)
            await self._stack.enter_async_context(self.voice)
            ringing = Ringing(self.memory, self.notices, self.voice.read_aloud, self._volumes.is_quiet)
            self._stack.push_async_callback(_end, asyncio.create_task(ringing.run(), name="reminders"))
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def talk(self, heard: Heard) -> AsyncGenerator[TurnEvent]:
        return self._dialogue.talk(heard)

    async def chat_model(self) -> TalkingModel:
        """Waits a while if it is still loading. Raises InferenceError or WeightsError."""
        return await self._models.chat.get(self._patience)

    async def embedding_model(self) -> EmbeddingModel:
        """As `chat_model`."""
        return await self._models.embedder.get(self._patience)

    @property
    def hangs(self) -> bool:
        """Whether the model computes on although it was given up: only a new process helps then."""
        return self._lane.stuck(_STUCK_SECONDS)

    def models(self) -> list[ModelState]:
        return [self._chat_state(), self._models.embedder.shown()]

    def running(self, turn_id: str) -> TurnProgress | None:
        return self._dialogue.running(turn_id)

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        await self.memory.sensing.sense(device_id, readings)
        self._volumes.sensed(device_id, readings)

    async def health(self) -> dict[str, Any]:
        """As DESIGN.md's `/health`: degraded names each thing that is not as it should be."""
        models = [*self.models(), *self.voice.shown()]
        stats = await self.memory.vital()
        degraded = [
            f"{model.role} model {model.name}: {model.detail or model.state}"
            for model in models
            if model.state not in (SlotState.READY, _OFF)
        ]
        if await self.memory.is_full():
            degraded.append("the disk is full: it answers and forgets, and remembers nothing new")
        if stats["jobs_failed"]:
            degraded.append(f"{stats['jobs_failed']} memory jobs failed for good (see `lobug doctor`)")
        stuck = _stuck(stats["jobs_by_kind"], models)
        stats |= {"jobs_pending": stats["jobs_pending"] - stuck, "jobs_without_model": stuck}
        wanted = (
            *("turns", "records", "vectors", "summaries", "base_memory_version"),
            *("jobs_pending", "jobs_without_model", "jobs_failed"),
        )
        return {
            "status": "degraded" if degraded else "ok",
            "models": {
                model.role: {"name": model.name, "state": model.state, "detail": model.detail} for model in models
            },
            "memory": {name: stats[name] for name in wanted},
            "degraded": degraded,
        }

    async def metrics(self) -> bytes:
        """In Prometheus' text format. Raises ExtraMissing."""
        if self._metrics is None:
            raise ExtraMissing("prometheus-client is not installed", ADD_EXTRAS)
        return self._metrics.page(await self.health())

    def _chat_state(self) -> ModelState:
        """Not ready before it has read what was talked about last: it answers, but not as quickly as it is going to."""
        state = self._models.chat.shown()
        if state.state != SlotState.READY or self._dialogue.is_warm:
            return state
        return replace(state, state=SlotState.LOADING.value, detail="it reads what was talked about last")

    def _memory_changed(self) -> None:
        self._dialogue.memory_changed()
        self.happenings.memory_changed()

    def _erased(self) -> None:
        discard_heads(self._settings.cache_dir)
        self._memory_changed()

    async def _background(self) -> None:
        """Memory work begins when the models have settled, so that it never competes with their loading."""
        await self._models.load()
        async with asyncio.TaskGroup() as tasks:
            for what, work in (
                ("memory work", self._digest),
                ("the look for models to come", self._await_models),
                ("the look for model servers to come back", self._await_servers),
            ):
                tasks.create_task(unending(what, work), name=what)

    async def _settle_clock(self) -> None:
        await asyncio.sleep(_CLOCK_SECONDS)
        await self.memory.dating.settle(self._clock)

    async def _await_models(self) -> None:
        await asyncio.sleep(_MODEL_RETRY_SECONDS)
        await self._latecomers.look()

    async def _await_servers(self) -> None:
        await asyncio.sleep(_PROBE_SECONDS)
        await self._models.probe()

    async def _digest(self) -> None:
        await self.memory.prepare()
        await self.memory.digest()


def _measures(lane: ComputeLane) -> Metrics | None:
    """None where the optional library is not installed."""
    try:
        from firmware_bridge.app.metrics import Metrics
    except ImportError:
        return None
    return Metrics(lane)


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _stuck(pending: Mapping[str, int], models: Iterable[ModelState]) -> int:
    """How many jobs wait for a model that is not here: nobody should wait for these."""
    absent = {model.role for model in models if model.state in (SlotState.MISSING, SlotState.FAILED)}
    return sum(count for kind, count in pending.items() if _NEEDED.get(JobKind(kind)) in absent)
