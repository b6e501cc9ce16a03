"""The models of the companion: found, checked and loaded in the background while everything else runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from edge_memory.config import MemoryConfig
from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import ChatModel, Embedder, Purpose, Vectors
from edge_memory.records import Message
from firmware_bridge.addresses import without_credentials
from firmware_bridge.contracts import ModelState
from firmware_bridge.errors import BackendUnreachable, BridgeError, ModelLoading, ModelUnusable, WeightsError
from firmware_bridge.inference import (
    FallbackChat,
    FallbackEmbedder,
    LlamaChat,
    LlamaEmbedder,
    OpenAIChat,
    OpenAIEmbedder,
)
from firmware_bridge.lane import ComputeLane
from firmware_bridge.machine import machine_memory
from firmware_bridge.settings import ModelSettings
from firmware_bridge.turn import ReplyModel
from firmware_bridge.web import CompletionModel, VectorModel
from firmware_bridge.weights import (
    Embedding,
    Model,
    Profile,
    Shelf,
    load_catalogue,
    suggest_profile,
    weights_dir,
)

_log = logging.getLogger(__name__)
_INJECTION_TOKENS = {Profile.TINY: 200, Profile.SMALL: 400}


class Closable(Protocol):
    async def aclose(self) -> None: ...


class TalkingModel(CompletionModel, ReplyModel, ChatModel, Closable, Protocol):
    """What a chat model is to the companion: it replies in turns and to clients, completes for memory, and can be
    closed."""


class EmbeddingModel(Embedder, VectorModel, Closable, Protocol):
    pass


M = TypeVar("M", bound=Closable)


class SlotState(StrEnum):
    LOADING = "loading"
    READY = "ready"
    FALLBACK = "fallback"  # the server does not answer, the local model does
    MISSING = "missing"  # there are no weights, or not the right ones
    FAILED = "failed"  # the weights are there, and do not load


class Slot(Generic[M]):
    """The place of one model. While it is empty, `state` and the error say why."""

    def __init__(self, role: str, name: str) -> None:
        self.role = role
        self.name = name
        self.state = SlotState.LOADING
        self._model: M | None = None
        self._error: BridgeError | None = None
        self._settled = asyncio.Event()

    async def fill(self, load: Callable[[], Awaitable[M]]) -> None:
        """Loads the model. A failure is kept, to be told to whoever needs the model."""
        try:
            self._model = await load()
        except BridgeError as error:
            self.state = SlotState.MISSING if isinstance(error, WeightsError) else SlotState.FAILED
            if self._error is None or self._error.message != error.message:  # it is looked for again and again
                _log.warning("no %s model: %s (%s)", self.role, error.message, error.hint)
            self._error = error
        except Exception as error:  # noqa: BLE001 - whatever it is, the companion goes on without this model
            self.state = SlotState.FAILED
            self._error = ModelUnusable(f"{type(error).__name__}: {error}", "run `lobug doctor`; the log has more")
            _log.exception("no %s model", self.role)
        else:
            self.state = SlotState.READY
            self._error = None
            _log.info("%s model %s is ready", self.role, self.name)
        finally:
            self._settled.set()

    @property
    def may_come(self) -> bool:
        """Whether trying again can help: weights may be fetched, and a server may start, while the companion runs."""
        return self.state is SlotState.MISSING or isinstance(self._error, BackendUnreachable)

    async def get(self, patience: float) -> M:
        """The model, waiting for it up to `patience` seconds. Raises ModelLoading or what loading failed with."""
        try:
            async with asyncio.timeout(patience):
                await self._settled.wait()
        except TimeoutError:
            raise ModelLoading(
                f"the {self.role} model {self.name} is still loading", "try again in some seconds; /health tells when"
            ) from None
        return self.now()

    def now(self) -> M:
        """The model, without waiting. Raises as `get` does."""
        if self._model is not None:
            return self._model
        raise self._error or ModelLoading(f"the {self.role} model {self.name} is still loading", "try again soon")

    def shown(self) -> ModelState:
        trouble = self._model.trouble if isinstance(self._model, FallbackChat | FallbackEmbedder) else None
        if trouble is not None:
            return ModelState(self.role, self.name, SlotState.FALLBACK, f"the local model answers: {trouble.message}")
        limits = self._model.limits if isinstance(self._model, LlamaChat) else ""
        return ModelState(self.role, self.name, self.state.value, self._error.message if self._error else limits)

    async def probe(self) -> None:
        """Looks for a server that was away."""
        if isinstance(self._model, FallbackChat | FallbackEmbedder):
            await self._model.probe()

    async def aclose(self) -> None:
        if self._model is not None:
            await self._model.aclose()


class MemoryChat:
    """The chat slot as memory uses it: unavailable until it is filled."""

    def __init__(self, slot: Slot[TalkingModel]) -> None:
        self._slot = slot

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        cache_key: str | None = None,
    ) -> str:
        model = _available(self._slot)
        return await model.complete(messages, max_tokens=max_tokens, schema=schema, cache_key=cache_key)


class MemoryEmbedder:
    """The embedder slot as memory uses it: unavailable until it is filled."""

    def __init__(self, slot: Slot[EmbeddingModel]) -> None:
        self._slot = slot

    @property
    def name(self) -> str:
        return _available(self._slot).name

    @property
    def dimension(self) -> int:
        return _available(self._slot).dimension

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        return await _available(self._slot).embed(texts, purpose)


def _available(slot: Slot[M]) -> M:
    try:
        return slot.now()
    except BridgeError as error:
        raise ModelUnavailable(error.message, error.hint) from error


class ModelLoader:
    """Knows from the settings which models there shall be, and loads them one after the other in the lane."""

    def __init__(self, settings: ModelSettings, data_dir: Path, cache_dir: Path | None, lane: ComputeLane) -> None:
        self._settings = settings
        self._cache_dir = cache_dir
        self._lane = lane
        self._catalogue = load_catalogue()
        self.shelf = self._shelf = Shelf(self._catalogue, weights_dir(data_dir))
        self.profile = profile = chosen_profile(settings, self._shelf)
        self._chat_name = settings.chat or self._catalogue.chat(profile).name
        self._embedder_name = settings.embedder or self._catalogue.embedder(profile).name
        self.chat: Slot[TalkingModel] = Slot(
            "chat", _shown(settings.chat_url, settings.chat_url_model) or self._chat_name
        )
        self.embedder: Slot[EmbeddingModel] = Slot(
            "embedding", _shown(settings.embedding_url, settings.embedding_url_model) or self._embedder_name
        )

    async def load(self) -> None:
        """The embedder first: it is small, and recall needs it."""
        await self.load_embedder()
        await self.chat.fill(self._load_chat)

    async def load_embedder(self) -> None:
        await self.embedder.fill(self._load_embedder)

    async def retry(self) -> bool:
        """Tries again what may have come meanwhile. True when a model did."""
        came = False
        if self.embedder.may_come:
            await self.embedder.fill(self._load_embedder)
            came = self.embedder.state is SlotState.READY
        if self.chat.may_come:
            await self.chat.fill(self._load_chat)
            came = came or self.chat.state is SlotState.READY
        return came

    async def aclose(self) -> None:
        await self.chat.aclose()
        await self.embedder.aclose()

    async def probe(self) -> None:
        """Looks for servers that were away."""
        await self.embedder.probe()
        await self.chat.probe()

    async def _load_chat(self) -> TalkingModel:
        settings = self._settings
        if not settings.chat_url:
            return await self._load_local_chat()
        served = OpenAIChat(
            settings.chat_url,
            settings.chat_url_model,
            api_key=settings.api_key or None,
            context_tokens=settings.context,
        )
        if not settings.fallback:
            return served
        return FallbackChat(served, self._load_local_chat, settings.server_patience_seconds)

    async def _load_local_chat(self) -> LlamaChat:
        path = await asyncio.to_thread(self._shelf.locate, self._chat_name)
        settings = self._settings
        return await LlamaChat.load(
            path,
            self._lane,
            n_ctx=settings.context,
            threads=settings.threads or None,
            cells=settings.kv_type,
            cache_dir=self._cache_dir,
        )

    async def _load_embedder(self) -> EmbeddingModel:
        settings = self._settings
        if not settings.embedding_url:
            return await self._load_local_embedder()
        if not (settings.fallback and settings.embedding_url_model == self._embedder_name):
            return await self._connect_embedder()
        embedder = FallbackEmbedder(
            self._connect_embedder, await self._load_local_embedder(), settings.server_patience_seconds
        )
        await embedder.connect()
        return embedder

    async def _connect_embedder(self) -> OpenAIEmbedder:
        settings = self._settings
        return await OpenAIEmbedder.connect(
            settings.embedding_url,
            settings.embedding_url_model,
            api_key=settings.api_key or None,
            **self._prefixes(),
        )

    async def _load_local_embedder(self) -> LlamaEmbedder:
        path = await asyncio.to_thread(self._shelf.locate, self._embedder_name)
        return await LlamaEmbedder.load(path, self._lane, threads=self._settings.threads or None, **self._prefixes())

    def _prefixes(self) -> dict[str, str]:
        known = self._known_embedding()
        return {"query_prefix": known.query_prefix, "document_prefix": known.document_prefix}

    def _known_embedding(self) -> Embedding:
        """What the catalogue knows of the embedder; an unknown one gets no prefixes."""
        name = self._settings.embedding_url_model if self._settings.embedding_url else self._embedder_name
        model = next((model for model in self._catalogue.models if model.name == name), None)
        return model.embedding if isinstance(model, Model) and model.embedding else Embedding(dimension=0)


def fitting(config: MemoryConfig, profile: Profile) -> MemoryConfig:
    """With a budget for memories that a profile's model reads in good time, unless another was set."""
    tokens = _INJECTION_TOKENS.get(profile)
    if tokens is None or config.injection_tokens != MemoryConfig().injection_tokens:
        return config
    return replace(config, injection_tokens=tokens)


def _shown(url: str, model: str) -> str:
    """What a served model is called here; empty without a server."""
    return (model or without_credentials(url)) if url else ""


def chosen_profile(settings: ModelSettings, shelf: Shelf) -> Profile:
    """The profile that was asked for, or the one that suits this machine."""
    if settings.profile != "auto":
        return Profile(settings.profile)
    return suggest_profile(shelf, machine_memory().available)
