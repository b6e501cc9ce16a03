"""The embedding model in this process."""

from __future__ import annotations

import weakref
from collections.abc import Generator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path

import numpy as np

from edge_memory.errors import ModelUnavailable
from edge_memory.protocols import Purpose, Vectors
from firmware_bridge.deaths import label_of, label_of_file
from firmware_bridge.errors import InferenceError, ModelUnusable
from firmware_bridge.inference.context import RESULTS, Batch, ReadResult, free_context
from firmware_bridge.inference.footprint import check_memory
from firmware_bridge.inference.model import Model, unloaded
from firmware_bridge.inference.native import StopFlag, llama
from firmware_bridge.inference.vectors import Prefixes, unit_rows
from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.machine import default_threads

_BATCH_TOKENS = 512  # of one text, and of all the texts that one step embeds
_DOCUMENT_STEP = 64  # tokens; what is lost when a live turn comes in the middle
_BATCH_TEXTS = 32
_MOST_KNOWN = 256  # texts whose vectors are kept
_PRIORITIES = {
    Purpose.QUERY: Priority.LIVE,
    Purpose.STATED: Priority.STATED,
    Purpose.DOCUMENT: Priority.PREFILL,
}


class LlamaEmbedder:
    """A GGUF embedding model on llama.cpp; an `edge_memory.protocols.Embedder`.

    What is no query is embedded in small steps. Of a longer text, the first 512 tokens count. Anything more urgent
    stops a step in the middle.
    """

    def __init__(self, encoder: _Encoder, lane: ComputeLane, prefixes: Prefixes) -> None:
        """For `load`, which is what others call."""
        self._encoder = encoder
        self._lane = lane
        self._prefixes = prefixes
        self._known: dict[str, Vectors] = {}

    @classmethod
    async def load(
        cls,
        path: Path,
        lane: ComputeLane,
        *,
        query_prefix: str = "",
        document_prefix: str = "",
        threads: int | None = None,
    ) -> LlamaEmbedder:
        """Reads the weights at `path` in the lane. Raises ModelUnusable or NotEnoughMemory."""

        def load() -> LlamaEmbedder:
            check_memory(path, _BATCH_TOKENS)
            encoder = _Encoder(Model(path), threads or default_threads())
            return cls(encoder, lane, Prefixes(query_prefix, document_prefix))

        return await lane.run(Priority.LIVE, load, label=label_of_file(path))

    @property
    def name(self) -> str:
        """The file's name without its ending, and the prefixes if there are any."""
        return self._prefixes.identify(self._encoder.model.name)

    @property
    def dimension(self) -> int:
        return self._encoder.model.width

    def count_tokens(self, text: str) -> int:
        """How many tokens of `text` count, with the model's own first and last. Quick, and safe from any thread."""
        return len(self._encoder.tokens(text))

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Shape (len(texts), dimension), rows of length 1. Raises ModelUnavailable."""
        most = _BATCH_TOKENS if purpose is Purpose.QUERY else _DOCUMENT_STEP
        prefixed = self._prefixes.apply(texts, purpose)
        found = {text: self._known[text] for text in prefixed if text in self._known}
        new = [text for text in dict.fromkeys(prefixed) if text not in found]
        if new:
            found |= zip(new, await self._computed(new, _PRIORITIES[purpose], most), strict=True)
        self._keep(found)
        return np.stack([found[text] for text in prefixed]) if prefixed else self._nothing()

    def _keep(self, found: Mapping[str, Vectors]) -> None:
        """What is asked again and again is embedded once; what was asked last stays."""
        others = {text: row for text, row in self._known.items() if text not in found}
        self._known = dict([*others.items(), *found.items()][-_MOST_KNOWN:])

    async def _computed(self, texts: Sequence[str], priority: Priority, most: int) -> list[Vectors]:
        try:
            steps, label = partial(self._encoder.encode, texts, most), label_of("embed", *texts[:1])
            streamed = self._lane.stream(priority, steps, interrupt=self._encoder.stop, label=label)
            async with aclosing(streamed) as stream:
                return [row async for part in stream for row in unit_rows(part)]
        except InferenceError as error:
            raise ModelUnavailable(error.message, error.hint) from error

    def _nothing(self) -> Vectors:
        return np.empty((0, self.dimension), dtype=np.float32)

    async def aclose(self) -> None:
        """Frees the model, in the lane; whoever still uses it gets ModelUnavailable."""
        await self._lane.run(Priority.LIVE, self._encoder.close)


class _Encoder:
    """A native context that turns texts into pooled vectors. Not safe for several threads."""

    def __init__(self, model: Model, threads: int) -> None:
        params = llama.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = _BATCH_TOKENS
        params.n_seq_max, params.kv_unified = _BATCH_TEXTS, True
        params.n_threads, params.n_threads_batch = threads, threads
        params.embeddings = True
        self.stop = StopFlag()
        self.stop.attach(params)
        pointer = llama.llama_init_from_model(model.pointer, params)
        if not pointer:
            raise ModelUnusable(f"llama.cpp cannot make a context for {model.name}")
        self.model = model
        self._pointer = pointer
        self._free = weakref.finalize(self, free_context, pointer, model, self.stop)
        self._batch = Batch(_BATCH_TOKENS)
        self._longest = min(_BATCH_TOKENS, model.trained_context)
        pooling = llama.llama_pooling_type(pointer)
        if pooling in (llama.LLAMA_POOLING_TYPE_NONE, llama.LLAMA_POOLING_TYPE_RANK):
            raise ModelUnusable(f"{model.name} is not an embedding model", "choose one such as all-MiniLM-L6-v2")

    def encode(self, texts: Sequence[str], most_tokens: int) -> Generator[Vectors | None, None, None]:
        """The raw vectors of `texts`, in order, a step of about `most_tokens` at a time; a longer text is one step.
        None where `stop` was set meanwhile: the step is then done again.

        Raises InferenceError if the computation fails.
        """
        group: list[list[int]] = []
        for text in texts:
            tokens = self.tokens(text)
            if len(group) == _BATCH_TEXTS or sum(map(len, group)) + len(tokens) > most_tokens:
                yield from self._computed(group)
                group = []
            group.append(tokens)
        yield from self._computed(group)

    def close(self) -> None:
        """Frees context and model; may be repeated."""
        self._free()
        self.model.close()

    def tokens(self, text: str) -> list[int]:
        """Of a text too long, the beginning and the model's closing token."""
        tokens = self.model.tokenize(text, ends=True)
        if not tokens:
            raise InferenceError("a text without any token has no vector", "send one with words in it")
        return tokens if len(tokens) <= self._longest else [*tokens[: self._longest - 1], tokens[-1]]

    def _computed(self, group: Sequence[Sequence[int]]) -> Generator[Vectors | None, None, None]:
        if group:
            while (rows := self._compute(group)) is None:
                yield None
            yield rows

    def _compute(self, group: Sequence[Sequence[int]]) -> Vectors | None:
        if not self._free.alive:
            raise unloaded()
        if memory := llama.llama_get_memory(self._pointer):  # encoders have none
            llama.llama_memory_clear(memory, False)
        self._batch.clear()
        for sequence, tokens in enumerate(group):
            self._batch.add(tokens, sequence=sequence, position=0)
        result = llama.llama_decode(self._pointer, self._batch.native)
        if RESULTS.get(result) is ReadResult.STOPPED:
            return None
        if result != 0:
            raise InferenceError(f"llama.cpp could not embed a text (error {result})")
        rows = [llama.llama_get_embeddings_seq(self._pointer, sequence) for sequence in range(len(group))]
        return np.stack([np.ctypeslib.as_array(row, (self.model.width,)) for row in rows])
