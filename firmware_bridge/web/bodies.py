"""What requests must look like, and reading them with limits."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any, NoReturn, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from firmware_bridge.errors import BadJson, BadRequest, BodyCutShort, BodyTooSlow

LARGEST_JSON_BODY = 256 * 1024
_LONGEST_WAIT_SECONDS = 60.0
_MOST_READINGS = 64
_LONGEST_READING = 200
_LARGEST_READINGS = 2_000  # they stand in a prompt

Reading = str | int | float | bool | None
B = TypeVar("B", bound=BaseModel)
PATIENCE = web.AppKey("patience", float)  # seconds for each next part of a body, and for all of a short one


class TurnBody(BaseModel):
    """`POST /turns`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = Field(description="what the user said")
    session_id: str | None = Field(None, description="the conversation that it belongs to; a device has its own")
    device_id: str | None = Field(None, description="the device that heard it")
    turn_id: str | None = Field(None, description="the client's id of this turn; sent again, it is told again, not run")


class ChatTextBody(TurnBody):
    """`POST /chat/text`."""

    stream: bool = Field(False, description="answer as server-sent events while the reply is written")


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
        raise BadRequest(f"{where}: {first['msg']}", f"the fields are {', '.join(model.model_fields)}") from error


def parse_readings(body: Any) -> dict[str, Reading]:
    """A flat object of readings. Raises BadRequest."""
    if not isinstance(body, dict) or not body:
        raise BadRequest("readings must be a JSON object", 'send one such as {"temperature": 21.5}')
    if len(body) > _MOST_READINGS:
        raise BadRequest(f"{len(body)} readings at once, at most {_MOST_READINGS} are taken", "send fewer")
    if len(json.dumps(body)) > _LARGEST_READINGS:
        raise BadRequest("the readings are too large", f"at most {_LARGEST_READINGS} characters of JSON")
    for name, value in body.items():
        if not name or len(str(name)) > _LONGEST_READING or len(str(value)) > _LONGEST_READING:
            raise BadRequest(
                f"reading {str(name)[:40]!r} is empty or too long", f"at most {_LONGEST_READING} characters"
            )
        if not isinstance(value, Reading) or (isinstance(value, float) and not math.isfinite(value)):
            raise BadRequest(f"reading {name!r} is not a plain finite value", "nested readings are not taken")
    return body


def wait_of(request: web.Request, default: float) -> float:
    """The query's `wait` in seconds. Raises BadRequest."""
    text = request.query.get("wait", str(default))
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= _LONGEST_WAIT_SECONDS:
        raise BadRequest(f"wait is {text!r}", f"give seconds from 0 to {_LONGEST_WAIT_SECONDS:.0f}")
    return seconds


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
