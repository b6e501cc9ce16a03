"""A model behind a server, and the local one for as long as the server does not answer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import numpy as np

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Purpose, Vectors
from edge_memory.records import Message
from firmware_bridge.contracts import ReplyPiece
from firmware_bridge.errors import BackendUnreachable, BridgeError, InferenceError, PromptTooLong, WeightsError
from firmware_bridge.inference.chat import LlamaChat
from firmware_bridge.inference.embedder import LlamaEmbedder
from firmware_bridge.inference.openai import OpenAIChat, OpenAIEmbedder

_log = logging.getLogger(__name__)
_SHORTEST_REST_S, _LONGEST_REST_S = 2.0, 300.0
_SAMPLE = "The quick brown fox jumps over the lazy dog."
_PROBE_S = 2.0
_ALIKE = 0.98  # cosine; one model in two quantisations stays above, two models are nowhere near


class Absence:
    """Whether a server is believed to answer. One that fails again and again is left alone for longer each time."""

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._clock = clock
        self._rest = _SHORTEST_REST_S
        self._since = 0.0
        self.trouble: BridgeError | None = None

    @property
    def may_be_over(self) -> bool:
        return self.trouble is not None and self._clock() >= self._since + self._rest

    def begin(self, error: BridgeError) -> None:
        if self.trouble is None:
            _log.warning("the local %s model answers from now on: %s", self._what, error.message)
        else:
            self._rest = min(self._rest * 2, _LONGEST_REST_S)
        self.trouble, self._since = error, self._clock()

    def end(self) -> None:
        if self.trouble is not None:
            _log.info("the %s model's server answers again", self._what)
        self.trouble = None

    def prove(self) -> None:
        """It did what was asked, which says more than that it is there."""
        self._rest = _SHORTEST_REST_S


class FallbackChat:
    """A served chat model that falls back to the local one; the same interface as both.

    The local model is loaded when it is first needed, and stays. A reply that has begun is not begun again.
    """

    def __init__(self, served: OpenAIChat, load_local: Callable[[], Awaitable[LlamaChat]], patience_s: float) -> None:
        """`patience_s`: how long the server may keep silent before it counts as away."""
        self._served = served
        self._load_local = load_local
        self._patience_s = patience_s
        self._local: LlamaChat | None = None
        self._loading = asyncio.Lock()
        self._absence = Absence("chat")

    @property
    def trouble(self) -> BridgeError | None:
        """Why the local model answers; None while the server does."""
        return self._absence.trouble

    @property
    def context_tokens(self) -> int:
        """The most tokens that a prompt and its reply may have together, at whichever answers now."""
        return self._now().context_tokens

    def count_tokens(self, text: str) -> int:
        return self._now().count_tokens(text)

    async def reply(
        self,
        messages: Sequence[Message],
        *,
        conversation: str,
        max_tokens: int,
        temperature: float = 0.7,
        stop: Sequence[str] = (),
        time_limit: float | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[ReplyPiece]:
        """As of both. Raises BackendUnreachable when the server breaks off in the middle, or no local model is here."""
        options: dict[str, Any] = {
            "conversation": conversation,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "stop": stop,
            "time_limit": time_limit,
            "schema": schema,
        }
        if self.trouble is None:
            begun = False
            try:
                served = _prompt_at_first(self._served.reply(messages, **options), self._patience_s)
                async with aclosing(served) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
                self._absence.prove()
                return
            except PromptTooLong:
                raise
            except InferenceError as error:
                self._lose(error)
                if begun:
                    raise
        local = await self._loaded()
        async with aclosing(local.reply(messages, **options)) as pieces:
            async for piece in pieces:
                yield piece

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
        cache_key: str | None = None,
    ) -> str:
        """As of both."""
        if self.trouble is None:
            try:
                text = await self._unless_silent(
                    self._served.complete(messages, max_tokens=max_tokens, schema=schema, cache_key=cache_key)
                )
            except ModelUnavailable as error:
                self._absence.begin(BackendUnreachable(error.message, error.hint))
            except InferenceError as error:
                self._absence.begin(error)
            else:
                self._absence.prove()
                return text
        try:
            local = await self._loaded()
        except BridgeError as error:
            raise ModelUnavailable(error.message, error.hint) from error
        return await local.complete(messages, max_tokens=max_tokens, schema=schema, cache_key=cache_key)

    async def probe(self) -> None:
        """Looks whether a server that was away is back."""
        if self._absence.may_be_over:
            try:
                await self._served.probe()
            except InferenceError as error:
                self._absence.begin(error)
            else:
                self._absence.end()

    async def aclose(self) -> None:
        await self._served.aclose()
        if self._local is not None:
            await self._local.aclose()

    async def draft(
        self, messages: Sequence[Message], *, conversation: str, temperature: float, enough: Callable[[str], bool]
    ) -> str:
        """As of both: only the local model drafts, while it is the one that answers."""
        return await self._now().draft(messages, conversation=conversation, temperature=temperature, enough=enough)

    async def read_ahead(self, messages: Sequence[Message], *, conversation: str, shared: int) -> int:
        """As of both: only the local model reads ahead, while it is the one that answers."""
        return await self._now().read_ahead(messages, conversation=conversation, shared=shared)

    async def _unless_silent(self, work: Coroutine[Any, Any, str]) -> str:
        """What `work` returns or raises. A whole answer may take long: a server that does not even say that it is there
        meanwhile keeps silent. Raises InferenceError then."""
        asking = asyncio.create_task(work, name="a whole answer of the chat server")
        try:
            while not (await asyncio.wait([asking], timeout=self._patience_s))[0]:
                async with asyncio.timeout(min(_PROBE_S, self._patience_s)):
                    await self._served.probe()
            return await asking
        except TimeoutError as error:
            raise _silent(self._patience_s) from error
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    def _now(self) -> OpenAIChat | LlamaChat:
        return self._served if self.trouble is None or self._local is None else self._local

    def _lose(self, error: InferenceError) -> None:
        if isinstance(error, BackendUnreachable):
            self._absence.begin(error)
        else:
            _log.warning("the local chat model answers this once: %s", error.message)

    async def _loaded(self) -> LlamaChat:
        """Raises BackendUnreachable when there are no weights to fall back on, else what loading raises."""
        async with self._loading:
            if self._local is None:
                try:
                    self._local = await self._load_local()
                except WeightsError as error:
                    away = self.trouble.message if self.trouble else "the server was away"
                    raise BackendUnreachable(f"{away}; and {error.message}", error.hint) from error
            return self._local


class FallbackEmbedder:
    """A served embedding model, and the same model here; an `edge_memory.protocols.Embedder`.

    Vectors of two models cannot be compared, so the server counts only once its vectors have proved to be those of
    the local model.
    """

    def __init__(
        self, connect: Callable[[], Awaitable[OpenAIEmbedder]], local: LlamaEmbedder, patience_s: float
    ) -> None:
        self._connect = connect
        self._local = local
        self._patience_s = patience_s
        self._served: OpenAIEmbedder | None = None
        self._absence = Absence("embedding")

    @property
    def trouble(self) -> BridgeError | None:
        """Why the local model answers; None while the server does."""
        return self._absence.trouble

    @property
    def name(self) -> str:
        return self._local.name

    @property
    def dimension(self) -> int:
        return self._local.dimension

    def count_tokens(self, text: str) -> int:
        return self._local.count_tokens(text)

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Shape (len(texts), dimension), each row of length 1. Raises ModelUnavailable."""
        if self._served is not None and self.trouble is None:
            try:
                async with asyncio.timeout(self._patience_s):
                    vectors = await self._served.embed(texts, purpose)
            except TimeoutError:
                self._absence.begin(_silent(self._patience_s))
            except ModelUnavailable as error:
                self._absence.begin(BackendUnreachable(error.message, error.hint))
            else:
                self._absence.prove()
                return vectors
        return await self._local.embed(texts, purpose)

    async def connect(self) -> None:
        """Looks for the server, and whether it has the same model. Never raises what the local model can bridge."""
        try:
            async with asyncio.timeout(self._patience_s):
                served = self._served or await self._connect()
                self._served = served
                await self._compare(served)
        except TimeoutError:
            self._absence.begin(_silent(self._patience_s))
        except ModelUnavailable as error:
            self._absence.begin(BackendUnreachable(error.message, error.hint))
        except InferenceError as error:
            self._absence.begin(error)
        else:
            self._absence.end()

    async def probe(self) -> None:
        """Looks whether a server that was away is back."""
        if self._absence.may_be_over:
            await self.connect()

    async def aclose(self) -> None:
        if self._served is not None:
            await self._served.aclose()
        await self._local.aclose()

    async def _compare(self, served: OpenAIEmbedder) -> None:
        theirs, ours = [await model.embed([_SAMPLE], Purpose.DOCUMENT) for model in (served, self._local)]
        if theirs.shape != ours.shape or float(np.sum(theirs * ours)) < _ALIKE:
            raise InferenceError(
                "the server's vectors are not those of the local model", "leave embedding_url_model empty, or serve it"
            )


async def _prompt_at_first(reply: AsyncGenerator[ReplyPiece], patience_s: float) -> AsyncGenerator[ReplyPiece]:
    """The same pieces. Raises BackendUnreachable when the first does not come in time."""
    async with aclosing(reply) as pieces:
        try:
            async with asyncio.timeout(patience_s):
                first = await anext(pieces)
        except TimeoutError as error:
            raise _silent(patience_s) from error
        yield first
        async for piece in pieces:
            yield piece


def _silent(patience_s: float) -> BackendUnreachable:
    return BackendUnreachable(
        f"the model server has kept silent for {patience_s:g} s", "is it overloaded? see model.server_patience_seconds"
    )
