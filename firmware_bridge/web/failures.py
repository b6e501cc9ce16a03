"""Every failure leaves as the same body: {"error": {"code", "message", "hint"}}."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping

from aiohttp import web
from aiohttp.typedefs import Handler

from edge_memory.errors import (
    BadQuery,
    DeviceKnown,
    DeviceNotFound,
    EdgeMemoryError,
    ModelUnavailable,
    NothingMatches,
    PairingClosed,
    PairingTaken,
    RecordNotFound,
    StoreError,
    StoreFull,
    WrongState,
)
from firmware_bridge.errors import BridgeError, TooOften
from firmware_bridge.web.bodies import LARGEST_JSON_BODY
from firmware_bridge.web.openai_errors import PREFIX, as_openai_error

_log = logging.getLogger(__name__)

_MEMORY_STATUS: dict[type[EdgeMemoryError], int] = {
    RecordNotFound: 404,
    NothingMatches: 404,
    WrongState: 409,
    DeviceNotFound: 404,
    DeviceKnown: 409,
    PairingTaken: 409,
    PairingClosed: 410,
    BadQuery: 422,
    ModelUnavailable: 503,
    StoreFull: 507,
    StoreError: 503,
}
_RETRY_AFTER = {429: "60", 503: "5"}
_HTTP_CODES = {  # code, what is told in place of HTTP's own phrase, hint
    404: (
        "unknown_route",
        "there is no {path}",
        "GET /health shows that this is the companion; GET /docs lists the routes",
    ),
    405: ("unknown_method", "{path} does not take {method}", "this route takes {allowed}"),
    413: ("body_too_large", f"the body is larger than {LARGEST_JSON_BODY // 1024} KiB", "send less at once"),
    421: (
        "unknown_host",
        "{reason}",
        "call it by this machine's name or address, or add the name to server.allowed_hosts",
    ),
}
_ANY_HTTP_CODE = (
    "http_error",
    "{reason}",
    "GET /docs says what each route takes; a WebSocket wants its Upgrade header",
)


def http_code(status: int) -> str:
    """The code of what aiohttp refuses with this status."""
    return _HTTP_CODES.get(status, _ANY_HTTP_CODE)[0]


def body(code: str, message: str, hint: str) -> dict[str, dict[str, str]]:
    return {"error": {"code": code, "message": message, "hint": hint}}


def describe(error: Exception) -> tuple[int, dict[str, dict[str, str]]]:
    """Status and body for an error of ours; anything else is an internal error, told to the log only."""
    if isinstance(error, BridgeError):
        return error.status, body(error.code, error.message, error.hint)
    if isinstance(error, EdgeMemoryError):
        return http_status(type(error)), body(error.code, error.message, error.hint)
    _log.error("internal error", exc_info=error)
    return 500, body("internal_error", "something went wrong inside", "the log says what; the turn is kept")


def http_status(kind: type[BridgeError | EdgeMemoryError]) -> int:
    """What an error of ours is over HTTP."""
    if issubclass(kind, BridgeError):
        return kind.status
    return next((status for known, status in _MEMORY_STATUS.items() if issubclass(kind, known)), 500)


@web.middleware
async def failures(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        code, *told = _HTTP_CODES.get(error.status, _ANY_HTTP_CODE)
        known = {"path": request.path, "method": request.method, "reason": error.reason}
        message, hint = (text.format(allowed=error.headers.get("Allow", ""), **known) for text in told)
        response = _json(request, error.status, body(code, message, hint))
        if "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
        return response
    except Exception as error:  # noqa: BLE001 - the door: nothing leaves without a body
        response = _json(request, *describe(error))
        if isinstance(error, TooOften):
            response.headers["Retry-After"] = str(math.ceil(error.wait))
        return response


def _json(request: web.Request, status: int, content: Mapping[str, Mapping[str, str | None]]) -> web.Response:
    if request.path.startswith(PREFIX):
        status, content = as_openai_error(status, content)
    response = web.json_response(content, status=status, dumps=lambda value: json.dumps(value, ensure_ascii=False))
    if status in _RETRY_AFTER:
        response.headers["Retry-After"] = _RETRY_AFTER[status]
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response
