"""A BERT embedder's safetensors, vocabulary and configuration, written as GGUF for llama.cpp.

The layout is the one of llama.cpp's own converter: matrices in f16, everything small in f32, mean pooling, and a
WordPiece vocabulary that marks the start of a word instead of its continuation. The same input gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import gguf
import numpy as np

from firmware_bridge.errors import WeightsDamaged
from firmware_bridge.weights.safetensors import read_tensors

_WORD_START = "\u2581"
_CONTINUATION = "##"
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_ALWAYS_F32 = ("position_embd.weight", "token_types.weight")  # llama.cpp adds them to f32 activations
_UNUSED = ("pooler.",)  # a head for classification


def convert_bert(source: Path, target: Path, name: str) -> None:
    """Writes `target` from model.safetensors, vocab.txt and config.json in `source`. Raises WeightsDamaged."""
    try:
        config = json.loads((source / "config.json").read_text(encoding="utf-8"))
        words = (source / "vocab.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
        writer = gguf.GGUFWriter(target, "bert")
        writer.add_name(name)
        _add_shape(writer, config)
        _add_vocabulary(writer, words)
        _add_tensors(writer, source / "model.safetensors", int(config["num_hidden_layers"]))
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsDamaged(f"{name} cannot be converted: {error!r}") from error
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_shape(writer: gguf.GGUFWriter, config: Mapping[str, float]) -> None:
    writer.add_context_length(int(config["max_position_embeddings"]))
    writer.add_embedding_length(int(config["hidden_size"]))
    writer.add_feed_forward_length(int(config["intermediate_size"]))
    writer.add_block_count(int(config["num_hidden_layers"]))
    writer.add_head_count(int(config["num_attention_heads"]))
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_token_type_count(int(config["type_vocab_size"]))
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)


def _add_vocabulary(writer: gguf.GGUFWriter, words: list[str]) -> None:
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("bert-bge")
    writer.add_token_list([_phantom(word) for word in words])
    writer.add_token_types([_kind(word) for word in words])
    pad, unknown, begin, separator, mask = (words.index(word) for word in _SPECIAL)
    writer.add_bos_token_id(begin)
    writer.add_eos_token_id(separator)
    writer.add_unk_token_id(unknown)
    writer.add_sep_token_id(separator)
    writer.add_pad_token_id(pad)
    writer.add_mask_token_id(mask)


def _phantom(word: str) -> str:
    if word in _SPECIAL:
        return word
    if word.startswith(_CONTINUATION):
        return word.removeprefix(_CONTINUATION)
    return _WORD_START + word


def _kind(word: str) -> gguf.TokenType:
    return gguf.TokenType.CONTROL if word in _SPECIAL else gguf.TokenType.NORMAL


def _add_tensors(writer: gguf.GGUFWriter, path: Path, blocks: int) -> None:
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.BERT, blocks)
    for theirs, tensor in read_tensors(path):
        if theirs.startswith(_UNUSED):
            continue
        name = names.get_name(theirs, try_suffixes=(".weight", ".bias"))
        if name is None:
            raise ValueError(f"unknown tensor {theirs}")
        small = tensor.ndim < 2 or name in _ALWAYS_F32
        writer.add_tensor(name, tensor.astype(np.float32 if small else np.float16))
