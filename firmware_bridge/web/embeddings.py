"""`POST /v1/embeddings` and `GET /v1/models`, in OpenAI's form."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Protocol

from aiohttp import web

from edge_memory.protocols import Purpose, Vectors
from firmware_bridge.contracts import ModelState
from firmware_bridge.errors import BadRequest, NoSuchModel
from firmware_bridge.web.bodies import parse, read_json
from firmware_bridge.web.counting import tokens_of
from firmware_bridge.web.openai_bodies import EmbeddingsBody


class VectorModel(Protocol):
    """What an embedding model is to these routes."""

    @property
    def dimension(self) -> int: ...

    def count_tokens(self, text: str) -> int: ...

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors: ...


class Models(Protocol):
    """What these routes need of the running companion."""

    async def embedding_model(self) -> VectorModel:
        """Waits a while if it is still loading. Raises InferenceError or WeightsError."""

    def models(self) -> Sequence[ModelState]: ...


class EmbeddingRoutes:
    def __init__(self, companion: Models, began: int) -> None:
        """`began`: when these models came to be served, in Unix seconds."""
        self._companion = companion
        self._began = began

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/embeddings", self.embeddings),
            web.get("/v1/models", self.models),
            web.get("/v1/models/{name:.+}", self.model),
        ]

    async def embeddings(self, request: web.Request) -> web.Response:
        body = parse(EmbeddingsBody, await read_json(request))
        if not all(text.strip() for text in body.input):
            raise BadRequest("an input is empty", "an embedding needs a text")
        model = await self._companion.embedding_model()
        name = next(state.name for state in self._companion.models() if state.role == "embedding")
        if body.dimensions not in (None, model.dimension):
            raise BadRequest(f"{name} has {model.dimension} dimensions", "leave `dimensions` out")
        # Documents, also when one is a query: a client that embeds both here compares like with like.
        vectors = await model.embed(body.input, Purpose.DOCUMENT)
        as_base64 = body.encoding_format == "base64"
        data = [
            {"object": "embedding", "index": index, "embedding": _base64(vector) if as_base64 else vector.tolist()}
            for index, vector in enumerate(vectors)
        ]
        tokens = await tokens_of(body.input, model.count_tokens)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return web.json_response({"object": "list", "data": data, "model": name, "usage": usage})

    async def models(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [self._shown(model) for model in self._companion.models()]})

    async def model(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        found = next((model for model in self._companion.models() if model.name == name), None)
        if found is None:
            raise NoSuchModel(f"there is no model {name[:80]!r}", "GET /v1/models lists them")
        return web.json_response(self._shown(found))

    def _shown(self, model: ModelState) -> dict[str, Any]:
        return {"id": model.name, "object": "model", "created": self._began, "owned_by": "lobug", "role": model.role}


def _base64(vector: Vectors) -> str:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()
