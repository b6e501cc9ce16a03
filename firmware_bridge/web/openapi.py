"""`GET /openapi.json`: OpenAPI 3.1, made of the table of operations and the table of doors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from aiohttp import web
from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from edge_memory.errors import StoreError, StoreFull
from firmware_bridge import __version__
from firmware_bridge.errors import (
    BadJson,
    BadRequest,
    BodyCutShort,
    BodyTooSlow,
    NotForDevices,
    NotPaired,
    TooManyTries,
    TooOften,
)
from firmware_bridge.web.answers import ErrorBody, OpenAIErrorBody
from firmware_bridge.web.doors import DOORS, Access
from firmware_bridge.web.failures import body, http_code, http_status
from firmware_bridge.web.openai_errors import PREFIX, as_openai_error
from firmware_bridge.web.operations import JSON, OPERATIONS, Failure, Operation

_ABOUT = (
    "An offline companion. On this machine no token is needed; elsewhere a paired device sends its own as a bearer "
    "token. Every error has a stable code, a message and a hint. Beside what stands here, any request may be answered "
    "400 `bad_http` when it is not HTTP, and 417 `unknown_expectation` when it expects what cannot be."
)
_TOKEN = "device"  # noqa: S105 - the name of the scheme
_SCHEMES = {_TOKEN: {"type": "http", "scheme": "bearer", "description": "the token that pairing gave to a device"}}
_MEANINGS = {101: "it becomes a WebSocket", 200: "done", 202: "under way", 204: "done; there is nothing to tell"}
_PAGES = ("", "docs", "events", "openapi.json", "static")
_REFERENCES = "#/components/schemas/{model}"
_Schemas = Mapping[tuple[Any, JsonSchemaMode], dict[str, Any]]


class DocumentRoutes:
    def routes(self) -> list[web.RouteDef]:
        return [web.get("/openapi.json", self.document)]

    async def document(self, _: web.Request) -> web.Response:
        return web.json_response(document())


@cache
def document() -> dict[str, Any]:
    """The whole document, as JSON has it."""
    schemas, shared = _schemas()
    paths: dict[str, dict[str, Any]] = {}
    for (method, path), operation in OPERATIONS.items():
        paths.setdefault(path, {})[method.lower()] = _described(method, path, operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Lo-Bug", "version": __version__, "description": _ABOUT, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {"schemas": shared, "securitySchemes": _SCHEMES},
    }


def _schemas() -> tuple[_Schemas, dict[str, Any]]:
    """The JSON schema of each type in the table, and what they share."""
    wanted: dict[tuple[Any, JsonSchemaMode], None] = {(ErrorBody, "serialization"): None}
    wanted[OpenAIErrorBody, "serialization"] = None
    for operation in OPERATIONS.values():
        wanted |= dict.fromkeys(
            (answer, "serialization") for told in operation.answers.values() for answer in _types(told)
        )
        wanted |= dict.fromkeys((given, "validation") for given in _types(operation.body))
    schemas, shared = TypeAdapter.json_schemas(
        [(key, mode, TypeAdapter(key)) for key, mode in wanted], ref_template=_REFERENCES
    )
    components: dict[str, Any] = shared["$defs"]
    for model in {model for operation in OPERATIONS.values() for model in (operation.path, operation.query) if model}:
        components |= model.model_json_schema(ref_template=_REFERENCES).get("$defs", {})
    return schemas, dict(sorted(components.items()))


def _types(told: Any) -> list[Any]:
    """Those that are JSON."""
    told = told.get(JSON) if isinstance(told, Mapping) else told
    return [] if told is None else [told]


def _described(method: str, path: str, operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    access = DOORS.get((method, path), Access.OWNER)
    described: dict[str, Any] = {
        "summary": operation.summary,
        "tags": [_tag(path)],
        "parameters": list(_parameters(operation)),
        "responses": {
            str(status): _content(told, schemas, "serialization") | {"description": _MEANINGS[status]}
            for status, told in operation.answers.items()
        },
        "security": [{}, {_TOKEN: []}] if access is Access.DEVICE else [{}],
    }
    if operation.body is not None:
        described["requestBody"] = {"required": operation.needs_body} | _content(operation.body, schemas, "validation")
    for status, codes in sorted(_failures(path, operation, access).items()):
        told = schemas[OpenAIErrorBody if path.startswith(PREFIX) else ErrorBody, "serialization"]
        described["responses"][str(status)] = {
            "description": ", ".join(f"`{code}`" for code in codes),
            "content": {JSON: {"schema": told}},
        }
    return described


def _tag(path: str) -> str:
    first = path.split("/")[1]
    return "pages" if first in _PAGES else first


def _parameters(operation: Operation) -> Iterator[dict[str, Any]]:
    for place, model in (("path", operation.path), ("query", operation.query)):
        schema = model.model_json_schema(ref_template=_REFERENCES) if model else {"properties": {}}
        for name, part in schema["properties"].items():
            told = {"name": name, "in": place, "description": part.pop("description", ""), "schema": _present(part)}
            yield told | {"required": name in schema.get("required", ())}
    for name, meaning in operation.headers.items():
        yield {"name": name, "in": "header", "description": meaning, "required": False, "schema": {"type": "string"}}


def _present(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter that may be left out, as it is when it is there: never null."""
    kept = {name: part for name, part in schema.items() if name not in ("anyOf", "title") and part is not None}
    if "enum" in kept:
        kept["enum"] = [value for value in kept["enum"] if value is not None]
    for part in schema.get("anyOf", ()):
        kept |= part if part != {"type": "null"} else {}
    return kept


def _content(told: Any, schemas: _Schemas, mode: JsonSchemaMode) -> dict[str, Any]:
    if told is None:
        return {}
    by_media = told if isinstance(told, Mapping) else {JSON: told}

    def shape(one: Any) -> dict[str, Any]:
        if one is bytes or one is str:
            return {} if one is bytes else {"schema": {"type": "string"}}
        return {"schema": one if isinstance(one, dict) else schemas[one, mode]}

    return {"content": {media: shape(one) for media, one in by_media.items()}}


def _failures(path: str, operation: Operation, access: Access) -> dict[int, list[str]]:
    """The codes by status, of the guards and of the operation."""
    codes: dict[int, list[str]] = {}
    for ours in _told(operation, access):
        status, told = as_openai_error(*ours) if path.startswith(PREFIX) else ours
        known = codes.setdefault(status, [])
        if (code := told["error"]["code"]) not in known:
            known.append(str(code))
    return codes


def _told(operation: Operation, access: Access) -> Iterator[tuple[int, Mapping[str, Mapping[str, str | None]]]]:
    for kind in _failing(operation, access):
        if issubclass(kind, web.HTTPException):
            yield kind.status_code, body(http_code(kind.status_code), "", "")
        else:
            yield http_status(kind), body(kind.code, "", "")


def _failing(operation: Operation, access: Access) -> list[Failure]:
    kinds: list[Failure] = [web.HTTPMisdirectedRequest, StoreError, StoreFull, *operation.errors]
    if access is not Access.ANYONE:
        kinds += (NotPaired, TooManyTries)
    if access is Access.OWNER:
        kinds.append(NotForDevices)
    if operation.path or operation.query or operation.body:
        kinds.append(BadRequest)
    if operation.body is not None:
        kinds += (BadJson, BodyTooSlow, BodyCutShort, web.HTTPRequestEntityTooLarge)
        if access is Access.DEVICE:
            kinds.append(TooOften)
    return kinds
