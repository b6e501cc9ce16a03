"""Choosing the next token."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from firmware_bridge.errors import InferenceError, SchemaUnusable
from firmware_bridge.inference.context import Context
from firmware_bridge.inference.grammar import grammar_of
from firmware_bridge.inference.model import Model
from firmware_bridge.inference.native import llama

# Usual values for small instruction models. The repetition penalty is mild: it also hits words that must come again.
_TOP_K, _TOP_P, _MIN_P = 64, 0.9, 0.05
_PENALTY, _PENALTY_TOKENS = 1.1, 64

_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])  # llama_token_data


class Sampler(Protocol):
    def choose(self, context: Context) -> int:
        """The token to follow the last one read. Each call advances the sampler by that token."""


class FreeSampler:
    """Greedy at temperature 0; otherwise random among the likely tokens, repetitions made less likely."""

    def __init__(self, model: Model, temperature: float) -> None:
        self._chain = llama.llama_sampler_chain_init(llama.llama_sampler_chain_default_params())
        weakref.finalize(self, llama.llama_sampler_free, self._chain)
        for sampler in _random(model, temperature) if temperature > 0 else [llama.llama_sampler_init_greedy()]:
            llama.llama_sampler_chain_add(self._chain, sampler)

    def choose(self, context: Context) -> int:
        return int(llama.llama_sampler_sample(self._chain, context.pointer, -1))


def _random(model: Model, temperature: float) -> list[int]:
    return [
        llama.llama_sampler_init_top_k(_TOP_K),
        llama.llama_sampler_init_penalties(model.vocabulary_size, _PENALTY_TOKENS, _PENALTY, 0.0, 0.0),
        llama.llama_sampler_init_top_p(_TOP_P, 1),
        llama.llama_sampler_init_min_p(_MIN_P, 1),
        llama.llama_sampler_init_temp(temperature),
        llama.llama_sampler_init_dist(llama.LLAMA_DEFAULT_SEED),
    ]


class SchemaSampler:
    """The likeliest token that still leads to JSON of a schema; the reply ends where the JSON does."""

    def __init__(self, model: Model, schema: Mapping[str, Any]) -> None:
        """Raises SchemaUnusable for a schema that no grammar can be made of."""
        self._grammar = llama.llama_sampler_init_grammar(model.vocabulary, grammar_of(schema).encode(), b"root")
        if not self._grammar:
            raise SchemaUnusable("llama.cpp refuses the grammar of this JSON schema", "does it refer to itself?")
        weakref.finalize(self, llama.llama_sampler_free, self._grammar)

    def choose(self, context: Context) -> int:
        """As of the protocol. Raises InferenceError if no token of the vocabulary leads on."""
        logits = context.logits()
        candidates = np.empty(logits.size, dtype=_CANDIDATE)
        candidates["id"] = np.arange(logits.size)
        candidates["logit"] = logits
        # Checking the whole vocabulary takes as long as reading a token, and the favourite mostly fits.
        best = int(np.argmax(logits))
        if not self._allowed(candidates[best : best + 1]):
            self._forbid(candidates)
            best = int(np.argmax(candidates["logit"]))
            if np.isneginf(candidates["logit"][best]):
                raise InferenceError("the model cannot continue within the JSON schema", "ask for a simpler one")
        llama.llama_sampler_accept(self._grammar, best)
        return best

    def _allowed(self, candidates: np.ndarray[Any, np.dtype[np.void]]) -> bool:
        self._forbid(candidates)
        return not np.isneginf(candidates["logit"][0])

    def _forbid(self, candidates: np.ndarray[Any, np.dtype[np.void]]) -> None:
        """Gives minus infinity to the candidates that break the grammar."""
        data = candidates.ctypes.data_as(llama.llama_token_data_p)
        native = llama.llama_token_data_array(data=data, size=candidates.size, selected=-1, sorted=False)
        llama.llama_sampler_apply(self._grammar, ctypes.byref(native))
