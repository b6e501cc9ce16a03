"""One model in memory: its weights and its vocabulary."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from pathlib import Path

from firmware_bridge.errors import InferenceError, ModelUnusable
from firmware_bridge.inference.header import read_header
from firmware_bridge.inference.native import llama

CANNOT_CUT = "this kind of model cannot take back what it read: between turns it reads the whole conversation again"
_PIECE_BYTES = 256  # longer than any token of a known vocabulary


def can_cut(path: Path) -> bool:
    """Whether a model's memory of a prompt can be cut at any place, so that a changed end costs only the end.

    Quick: reads the header and the vocabulary alone. Raises ModelUnusable.
    """
    model = Model(path, vocabulary_only=True)
    try:
        return not model.is_recurrent
    finally:
        model.close()


class Model:
    """Weights and vocabulary of a GGUF file. Frees itself, at the latest when it is garbage-collected."""

    def __init__(self, path: Path, *, vocabulary_only: bool = False) -> None:
        """Reads the weights, which takes seconds. Raises ModelUnusable."""
        read_header(path)  # llama.cpp aborts the process on some damaged headers
        self.name = path.stem
        params = llama.llama_model_default_params()
        params.vocab_only = vocabulary_only
        pointer = llama.llama_model_load_from_file(bytes(path), params)
        if not pointer:
            raise ModelUnusable(
                f"llama.cpp cannot load {path}", "the file is cut short, or of a kind that this version does not know"
            )
        self._pointer = pointer
        self._vocabulary = llama.llama_model_get_vocab(pointer)
        self._free = weakref.finalize(self, llama.llama_model_free, pointer)
        self.vocabulary_size = int(llama.llama_vocab_n_tokens(self._vocabulary))
        self.trained_context = int(llama.llama_model_n_ctx_train(pointer))
        self.width = int(llama.llama_model_n_embd_out(pointer))
        # Such a memory cannot be cut or shared in the middle, only used up to where it stands.
        self.is_recurrent = bool(llama.llama_model_is_recurrent(pointer) or llama.llama_model_is_hybrid(pointer))

    @property
    def pointer(self) -> int:
        """The native model. Raises InferenceError once it is freed."""
        self._check()
        return int(self._pointer)

    @property
    def vocabulary(self) -> int:
        """The native vocabulary. Raises InferenceError once it is freed."""
        self._check()
        return int(self._vocabulary)

    @property
    def chat_template(self) -> bytes | None:
        """The file's own template source, to recognise its family by. It is never executed."""
        source: bytes | None = llama.llama_model_chat_template(self.pointer, None)
        return source

    def tokenize(self, text: str, *, special: bool = False, ends: bool = False) -> list[int]:
        """The tokens of `text`. Control tokens are read as such only with `special`; `ends` adds the model's own
        first and last token. Unpaired surrogates become question marks."""
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        buffer = (llama.llama_token * room)()
        count = llama.llama_tokenize(self.vocabulary, data, len(data), buffer, room, ends, special)
        if count < 0:
            raise InferenceError("llama.cpp could not split a text into tokens", "say it in other words")
        return list(buffer[:count])

    def piece(self, token: int) -> bytes:
        """The bytes that `token` stands for, possibly a part of a character; empty for control tokens."""
        buffer = ctypes.create_string_buffer(_PIECE_BYTES)
        count = llama.llama_token_to_piece(self.vocabulary, token, buffer, _PIECE_BYTES, 0, False)
        return buffer.raw[: max(count, 0)]

    def ends_reply(self, token: int) -> bool:
        return bool(llama.llama_vocab_is_eog(self.vocabulary, token))

    def with_first_token(self, tokens: Sequence[int]) -> list[int]:
        """`tokens`, with the begin-of-text token in front if the model wants one and it is not there."""
        begin = int(llama.llama_vocab_bos(self.vocabulary))
        wanted = llama.llama_vocab_get_add_bos(self.vocabulary) and (not tokens or tokens[0] != begin)
        return [begin, *tokens] if wanted else list(tokens)

    def close(self) -> None:
        """Frees the weights; nothing of this model may be used afterwards. May be repeated."""
        self._free()

    def _check(self) -> None:
        if not self._free.alive:
            raise unloaded()


def unloaded() -> InferenceError:
    """What becomes of work for a model that is not in memory any more."""
    return InferenceError("the model has been unloaded", "start the companion again")
