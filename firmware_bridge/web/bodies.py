"""What requests must look like, and reading them with limits."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Annotated, Any, NoReturn, TypeVar

from aiohttp import web
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, ValidationError

from firmware_bridge.contracts import ID_PATTERN
from firmware_bridge.errors import BadJson, BadRequest, BodyCutShort, BodyTooSlow

LARGEST_JSON_BODY = 256 * 1024
_MOST_READINGS = 64
_LONGEST_READING = 200
_LARGEST_READINGS = 2_000  # they stand in a prompt
_LARGEST_NUMBER = sys.float_info.max  # JSON's whole numbers have no end

_ReadingName = Annotated[str, Field(min_length=1, max_length=_LONGEST_READING)]
Id = Annotated[str, Field(json_schema_extra={"pattern": ID_PATTERN})]  # held to it by contracts.check_id
B = TypeVar("B", bound=BaseModel)
PATIENCE = web.AppKey("patience", float)  # seconds for each next part of a body, and for all of a short one


def _plain(value: object) -> object:
    """Says in one sentence what a union of types would say once for each of them."""
    if isinstance(value, dict | list) or (isinstance(value, int | float) and not abs(value) <= _LARGEST_NUMBER):
        raise ValueError("readings are plain finite values; nested ones are not taken")
    if isinstance(value, str) and len(value) > _LONGEST_READING:
        raise ValueError(f"at most {_LONGEST_READING} characters are taken")
    return value


Reading = Annotated[
    Annotated[str, Field(max_length=_LONGEST_READING)] | int | float | bool | None, BeforeValidator(_plain)
]


class TurnBody(BaseModel):
    """`POST /turns`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(description="what the user said", json_schema_extra={"pattern": r"\S"})
    session_id: Id | None = Field(None, description="the conversation that it belongs to; a device has its own")
    device_id: Id | None = Field(None, description="the device that heard it")
    turn_id: Id | None = Field(None, description="the client's id of this turn; sent again, it is told again, not run")


class ChatTextBody(TurnBody):
    """`POST /chat/text`."""

    stream: bool = Field(False, description="answer as server-sent events while the reply is written")


class ForgetBody(BaseModel):
    """`POST /memory/records/{id}/forget`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    ids: list[int] | None = Field(None, max_length=10_000, description="what the first answer named, once agreed")


class Readings(RootModel[Annotated[dict[_ReadingName, Reading], Field(min_length=1, max_length=_MOST_READINGS)]]):
    """readings are a flat object such as {"temperature": 21.5}

    `POST /context/sensors`. All together they are not too large for a prompt.
    """

    model_config = ConfigDict(strict=True)


async def read_json(request: web.Request) -> Any:
    """The body as JSON. Raises BadJson, BodyTooSlow or BodyCutShort; aiohttp refuses what is too large."""
    try:
        async with asyncio.timeout(request.app[PATIENCE]):
            raw = await request.read()
    except TimeoutError:
        raise BodyTooSlow("the body did not arrive in time", "send it at once") from None
    except (web.RequestPayloadError, ConnectionError) as error:
        raise BodyCutShort("the body ended early", "check Content-Length") from error
    try:
        return json.loads(raw, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadJson(f"the body is not JSON: {error}", 'send an object such as {"text": "hello"}') from error


def parse(model: type[B], body: Any) -> B:
    """Raises BadRequest that names the first wrong field."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        example = (model.__doc__ or "").splitlines()[0] if issubclass(model, RootModel) else ""
        hint = example or f"the fields are {', '.join(model.model_fields)}"
        wrong = "it should be an object" if first["type"] == "model_type" else first["msg"]  # that names our class
        raise BadRequest(f"{where}: {wrong}", hint) from error


def parse_readings(body: Any) -> dict[str, Reading]:
    """A flat object of readings. Raises BadRequest."""
    readings = parse(Readings, body).root
    if len(json.dumps(readings)) > _LARGEST_READINGS:
        raise BadRequest("the readings are too large", f"at most {_LARGEST_READINGS} characters of JSON")
    return readings


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
