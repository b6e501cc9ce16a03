"""A model at work: the native context with its KV cells, shared by a few numbered sequences."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.errors import InferenceError, ModelUnusable
from firmware_bridge.inference.model import Model
from firmware_bridge.inference.native import llama


class Batch:
    """The native list of tokens that one call reads. Frees itself."""

    def __init__(self, room: int) -> None:
        self.native = llama.llama_batch_init(room, 0, 1)
        self.room = room
        self._free = weakref.finalize(self, llama.llama_batch_free, self.native)

    def clear(self) -> None:
        self.native.n_tokens = 0

    def add(self, tokens: Sequence[int], *, sequence: int, position: int) -> None:
        """Appends `tokens` as positions `position`... of `sequence`; output is asked for the last one only."""
        native = self.native
        start = native.n_tokens
        for index, token in enumerate(tokens, start):
            native.token[index] = token
            native.pos[index] = position + index - start
            native.n_seq_id[index] = 1
            native.seq_id[index][0] = sequence
            native.logits[index] = 0
        native.n_tokens = start + len(tokens)
        native.logits[native.n_tokens - 1] = 1


class Context:
    """KV cells for `n_ctx` tokens, shared by sequences 0 to `sequences` - 1. Not safe for several threads.

    Frees itself, at the latest when it is garbage-collected; the model lives at least as long.
    """

    def __init__(self, model: Model, *, n_ctx: int, n_batch: int, sequences: int, threads: int) -> None:
        """Raises ModelUnusable if the model cannot write text, or llama.cpp refuses these sizes."""
        params = llama.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = n_ctx, n_batch, n_batch
        params.n_seq_max, params.kv_unified = sequences, True
        params.n_threads, params.n_threads_batch = threads, threads
        pointer = llama.llama_init_from_model(model.pointer, params)
        if not pointer:
            raise ModelUnusable(
                f"llama.cpp cannot make a context of {n_ctx} tokens for {model.name}", "choose a smaller context"
            )
        self.model = model
        self.sequences = sequences
        self.n_ctx = int(llama.llama_n_ctx(pointer))
        self.n_batch = n_batch
        self._pointer = pointer
        self._free = weakref.finalize(self, _free_context, pointer, model)
        self._batch = Batch(n_batch)
        self._cells = llama.llama_get_memory(pointer)
        if not self._cells:
            raise ModelUnusable(f"{model.name} is not a chat model", "it may be an embedding model")

    @property
    def pointer(self) -> int:
        """The native context. Raises InferenceError once it is freed."""
        self._check()
        return int(self._pointer)

    def read(self, sequence: int, tokens: Sequence[int], position: int) -> bool:
        """Reads 1 to `n_batch` tokens as positions `position`... of `sequence`; `logits` are then those of the last.

        False, and nothing has changed, if too few cells are free. Raises InferenceError if the computation fails.
        """
        self._batch.clear()
        self._batch.add(tokens, sequence=sequence, position=position)
        result = llama.llama_decode(self.pointer, self._batch.native)
        if result not in (0, 1):
            raise InferenceError(f"llama.cpp could not read the prompt (error {result})")
        return bool(result == 0)

    def logits(self) -> NDArray[np.float32]:
        """Scores of all tokens after the last one read, shape (vocabulary_size,). A view: gone with the next read."""
        row = llama.llama_get_logits_ith(self.pointer, -1)
        return np.ctypeslib.as_array(row, (self.model.vocabulary_size,))

    def cut(self, sequence: int, length: int) -> bool:
        """Keeps the first `length` tokens of `sequence`. False if this kind of model can only drop all of them."""
        return bool(llama.llama_memory_seq_rm(self._memory, sequence, length, -1))

    def share(self, source: int, target: int, length: int) -> None:
        """Makes the first `length` tokens of `source` the content of the empty `target`, without copying cells."""
        llama.llama_memory_seq_cp(self._memory, source, target, 0, length)

    def length(self, sequence: int) -> int:
        """How many tokens `sequence` holds."""
        return int(llama.llama_memory_seq_pos_max(self._memory, sequence)) + 1

    def close(self) -> None:
        """Frees cells and buffers; may be repeated."""
        self._free()

    @property
    def _memory(self) -> int:
        self._check()
        return int(self._cells)

    def _check(self) -> None:
        if not self._free.alive:
            raise InferenceError("the model has been unloaded")


def _free_context(pointer: int, _model: Model) -> None:
    # The model is an argument so that it outlives the context that points to it.
    llama.llama_free(pointer)
