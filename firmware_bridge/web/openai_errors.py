"""Errors on the routes that OpenAI's clients call: OpenAI's fields beside ours, and the statuses that they look for.

Source: https://platform.openai.com/docs/guides/error-codes; openai-python maps 400, 401, 404, ... to its exceptions and
reads `message`, `type`, `param` and `code`; LangChain and LiteLLM know a prompt too long by `context_length_exceeded`.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_bridge.errors import PromptTooLong

PREFIX = "/v1/"
Told = Mapping[str, Mapping[str, str | None]]
_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


def as_openai_error(status: int, content: Told) -> tuple[int, Told]:
    """Our status and body in OpenAI's form; the hint stays, and joins the message, which is all that clients show."""
    ours = content["error"]
    code = "context_length_exceeded" if ours["code"] == PromptTooLong.code else ours["code"]
    told = f"{ours['message']} ({ours['hint']})" if ours["hint"] else ours["message"]
    kind = _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    if status == 422 or ours["code"] == PromptTooLong.code:
        status = 400
    return status, {"error": {"message": told, "type": kind, "param": None, "code": code, "hint": ours["hint"]}}
