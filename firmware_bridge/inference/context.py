"""A model at work: the native context with its KV cells, shared by a few numbered sequences."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.errors import InferenceError, ModelUnusable
from firmware_bridge.inference.footprint import CellType
from firmware_bridge.inference.model import Model, unloaded
from firmware_bridge.inference.native import StopFlag, llama

_NATIVE_TYPES = {"f16": llama.GGML_TYPE_F16, "q8_0": llama.GGML_TYPE_Q8_0}


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of a context: KV cells in tokens, the most tokens of one call, sequences, threads, and how cells are stored."""

    n_ctx: int
    n_batch: int
    sequences: int
    threads: int
    cells: CellType = "f16"


class ReadResult(Enum):
    """What became of one call. Unless DONE, nothing has changed."""

    DONE = auto()
    NO_ROOM = auto()  # too few cells are free
    STOPPED = auto()  # `stop` was set meanwhile


RESULTS = {0: ReadResult.DONE, 1: ReadResult.NO_ROOM, 2: ReadResult.STOPPED}  # what llama_decode returns


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
    """KV cells shared by sequences 0 to `sequences` - 1. Not safe for several threads, but for `stop`.

    Frees itself, at the latest when it is garbage-collected; the model lives at least as long.
    """

    def __init__(self, model: Model, sizes: Sizes) -> None:
        """Raises ModelUnusable if the model cannot write text, or llama.cpp refuses these sizes."""
        self.stop = StopFlag()
        pointer = llama.llama_init_from_model(model.pointer, self._params(sizes))
        if not pointer:
            raise ModelUnusable(
                f"llama.cpp cannot make a context of {sizes.n_ctx} {sizes.cells} tokens for {model.name}",
                "choose a smaller context, and f16 as model.kv_type",
            )
        self.model = model
        self.sequences = sizes.sequences
        self.cells = sizes.cells
        self.n_ctx = int(llama.llama_n_ctx(pointer))
        self.n_batch = sizes.n_batch
        self._pointer = pointer
        self._free = weakref.finalize(self, free_context, pointer, model, self.stop)
        self._batch = Batch(sizes.n_batch)
        self._cells = llama.llama_get_memory(pointer)
        if not self._cells:
            raise ModelUnusable(f"{model.name} is not a chat model", "it may be an embedding model")

    def _params(self, sizes: Sizes) -> Any:
        params = llama.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = sizes.n_ctx, sizes.n_batch, sizes.n_batch
        params.n_seq_max, params.kv_unified = sizes.sequences, True
        params.n_threads = params.n_threads_batch = sizes.threads
        params.type_k = params.type_v = _NATIVE_TYPES[sizes.cells]
        self.stop.attach(params)
        return params

    @property
    def pointer(self) -> int:
        """The native context. Raises InferenceError once it is freed."""
        self._check()
        return int(self._pointer)

    def read(self, sequence: int, tokens: Sequence[int], position: int) -> ReadResult:
        """Reads 1 to `n_batch` tokens as positions `position`... of `sequence`; `logits` are then those of the last.

        Raises InferenceError if the computation fails; what the sequence then holds is not known.
        """
        self._batch.clear()
        self._batch.add(tokens, sequence=sequence, position=position)
        result = llama.llama_decode(self.pointer, self._batch.native)
        if result not in RESULTS:
            raise InferenceError(f"llama.cpp could not read the prompt (error {result})")
        return RESULTS[result]

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

    def state(self, sequence: int) -> bytes:
        """The cells of `sequence`, to be given to `restore`."""
        size = llama.llama_state_seq_get_size(self.pointer, sequence)
        buffer = (ctypes.c_uint8 * size)()
        return bytes(memoryview(buffer)[: llama.llama_state_seq_get_data(self.pointer, buffer, size, sequence)])

    def restore(self, sequence: int, state: bytes) -> bool:
        """Makes a state of the same weights and cell type the content of the empty `sequence`. False if it does not
        fit. Only for bytes that are known to be whole: llama.cpp takes damaged ones for good.
        """
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        return bool(llama.llama_state_seq_set_data(self.pointer, buffer, len(state), sequence))

    @property
    def is_open(self) -> bool:
        return bool(self._free.alive)

    def close(self) -> None:
        """Frees cells and buffers; may be repeated."""
        self._free()

    @property
    def _memory(self) -> int:
        self._check()
        return int(self._cells)

    def _check(self) -> None:
        if not self.is_open:
            raise unloaded()


def free_context(pointer: int, _model: Model, _stop: StopFlag) -> None:
    """For finalizers. Model and flag are arguments so that they outlive the context that points to them."""
    llama.llama_free(pointer)
