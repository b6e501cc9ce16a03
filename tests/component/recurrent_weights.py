"""A GGUF file of a tiny recurrent model (Mamba) with random weights: a real architecture whose memory cannot be cut."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

_WIDTH, _INNER, _STATE, _RANK, _KERNEL, _BLOCKS = 32, 64, 8, 2, 4, 2


def write_recurrent(path: Path, vocabulary_of: Path) -> None:
    """Takes the vocabulary and the chat template of another model's file."""
    source = gguf.GGUFReader(vocabulary_of)
    writer = gguf.GGUFWriter(path, "mamba")
    writer.add_context_length(2048)
    writer.add_embedding_length(_WIDTH)
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    writer.add_block_count(_BLOCKS)
    writer.add_ssm_conv_kernel(_KERNEL)
    writer.add_ssm_inner_size(_INNER)
    writer.add_ssm_state_size(_STATE)
    writer.add_ssm_time_step_rank(_RANK)
    writer.add_layer_norm_rms_eps(1e-5)
    for name, field in source.fields.items():
        if name.startswith("tokenizer."):
            inner = field.types[1] if len(field.types) > 1 else None
            writer.add_key_value(name, field.contents(), field.types[0], inner)
    tokens = len(source.fields["tokenizer.ggml.tokens"].contents())
    for name, shape in _shapes(tokens).items():
        writer.add_tensor(name, _weights(name, shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _shapes(tokens: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (tokens, _WIDTH),
        "output_norm.weight": (_WIDTH,),
        "output.weight": (tokens, _WIDTH),
    }
    for block in range(_BLOCKS):
        shapes |= {
            f"blk.{block}.{name}": shape
            for name, shape in {
                "attn_norm.weight": (_WIDTH,),
                "ssm_in.weight": (2 * _INNER, _WIDTH),
                "ssm_conv1d.weight": (_INNER, _KERNEL),
                "ssm_conv1d.bias": (_INNER,),
                "ssm_x.weight": (_RANK + 2 * _STATE, _INNER),
                "ssm_dt.weight": (_INNER, _RANK),
                "ssm_dt.bias": (_INNER,),
                "ssm_a": (_INNER, _STATE),
                "ssm_d": (_INNER,),
                "ssm_out.weight": (_WIDTH, _INNER),
            }.items()
        }
    return shapes


def _weights(name: str, shape: tuple[int, ...]) -> np.ndarray:
    numbers = np.random.default_rng(len(name)).normal(0.0, 0.2, shape).astype(np.float32)
    return -np.abs(numbers) if name.endswith("ssm_a") else numbers
