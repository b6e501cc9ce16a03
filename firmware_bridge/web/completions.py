"""`POST /v1/chat/completions`: any OpenAI client. Without memory, or, with a session named, as a turn of it."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Protocol

from aiohttp import web
from aiohttp_sse import sse_response

from edge_memory.records import Message, Role
from firmware_bridge.contracts import Heard, ModelState, ReplyPiece, ReplyText, Said, TurnEvent, id_for
from firmware_bridge.errors import BadRequest, PromptTooLong
from firmware_bridge.web.bodies import parse, read_json
from firmware_bridge.web.counting import tokens_of
from firmware_bridge.web.doors import Caller, caller_of, check_still_welcome
from firmware_bridge.web.failures import describe
from firmware_bridge.web.openai_bodies import ChatCompletionBody
from firmware_bridge.web.openai_errors import as_openai_error

SESSION_HEADER = "X-Lobug-Session"
_STATELESS = "v1/stateless"  # a name that no session can have: requests that begin alike share what was read
_LONGEST_REPLY = 1_024  # tokens, where the client names no limit
_TEMPERATURE = 0.7  # where the client names none
_MESSAGE_TOKENS = 8  # what a chat template adds to a message, rounded up


class CompletionModel(Protocol):
    """What a chat model is to these routes."""

    @property
    def context_tokens(self) -> int: ...

    def count_tokens(self, text: str) -> int: ...

    def reply(
        self,
        messages: Sequence[Message],
        *,
        conversation: str,
        max_tokens: int,
        temperature: float,
        stop: Sequence[str] = (),
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[ReplyPiece]: ...


class Chat(Protocol):
    """What these routes need of the running companion."""

    def talk(self, heard: Heard) -> AsyncIterator[TurnEvent]: ...

    async def chat_model(self) -> CompletionModel:
        """Waits a while if it is still loading. Raises InferenceError or WeightsError."""

    def models(self) -> Sequence[ModelState]: ...


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a reply ended, after its last text. `turn` is what a turn of a session has beside."""

    prompt_tokens: int
    cached_tokens: int
    reply_tokens: int
    finish_reason: str
    turn: Mapping[str, Any] | None = None

    def usage(self) -> dict[str, Any]:
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.reply_tokens,
            "total_tokens": self.prompt_tokens + self.reply_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
        }


Reply = AsyncGenerator[str | _Ending]


class CompletionRoutes:
    def __init__(self, companion: Chat) -> None:
        self._companion = companion

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/v1/chat/completions", self.completions)]

    async def completions(self, request: web.Request) -> web.StreamResponse:
        body = parse(ChatCompletionBody, await read_json(request))
        session = request.headers.get(SESSION_HEADER) or body.user
        if session:  # the turn asks for a model where it needs one
            reply = self._in_session(body, id_for(session), caller_of(request))
        else:
            reply = _stateless(body, await self._companion.chat_model())
        reply = _while_welcome(request, reply)
        name = next(state.name for state in self._companion.models() if state.role == "chat")
        head = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": name}
        async with aclosing(reply):
            if body.stream:
                return await _streamed(request, body, head, reply)
            return await _whole(head, reply)

    async def _in_session(self, body: ChatCompletionBody, session: str, caller: Caller) -> Reply:
        """The newest message is heard as any turn is; of all else, memory and the companion's own settings decide."""
        newest = body.messages[-1].message()
        if newest.role is not Role.USER:
            raise BadRequest("the last message is not the user's", "a turn of a session is what the user says")
        if body.schema_of_reply is not None:
            raise BadRequest("a turn of a session is answered in words", "ask for JSON without user and session")
        async for event in self._companion.talk(caller.heard(newest.content, session, None)):
            if isinstance(event, Said):
                yield _ending(event)
            else:
                yield event.text if isinstance(event, ReplyText) else ""


async def _while_welcome(request: web.Request, reply: Reply) -> Reply:
    """Raises NotPaired for a device that is revoked meanwhile."""
    async with aclosing(reply):
        async for part in reply:
            await check_still_welcome(request)
            yield part


async def _stateless(body: ChatCompletionBody, model: CompletionModel) -> Reply:
    """The given messages are the whole prompt, and nothing is kept."""
    messages = [given.message() for given in body.messages]
    told = await tokens_of([message.content for message in messages], model.count_tokens)
    read = told + _MESSAGE_TOKENS * len(messages)
    room = model.context_tokens - read - _MESSAGE_TOKENS  # the reply has a head, too
    if room < 1:
        raise PromptTooLong(f"{read} tokens, and the context has {model.context_tokens}", "send fewer messages")
    pieces = model.reply(
        messages,
        conversation=_STATELESS,
        max_tokens=min(room, body.most_tokens or _LONGEST_REPLY),
        temperature=_TEMPERATURE if body.temperature is None else body.temperature,
        stop=body.stop,
        schema=body.schema_of_reply,
    )
    async with aclosing(pieces):
        async for piece in pieces:
            yield piece.text
            if (usage := piece.usage) is not None:
                reason = "length" if usage.stop_reason == "length" else "stop"
                cached = usage.prompt_tokens - usage.prompt_tokens_read
                yield _Ending(usage.prompt_tokens, cached, usage.reply_tokens, reason)


def _ending(said: Said) -> _Ending:
    """A reply by rule has read and written no tokens."""
    read, new, written = (
        int(said.timings.get(name, 0)) for name in ("prompt_tokens", "prompt_tokens_read", "reply_tokens")
    )
    turn = {
        "action": said.action.value,
        "turn_id": said.turn_id,
        "session_id": said.session_id,
        "memories": list(said.memories),
    }
    return _Ending(read, read - new, written, "stop", turn)


async def _whole(head: Mapping[str, Any], reply: Reply) -> web.Response:
    parts = [part async for part in reply]
    ending = next(part for part in parts if isinstance(part, _Ending))
    text = "".join(part for part in parts if isinstance(part, str))
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": ending.finish_reason, "logprobs": None}
    answer = {**head, "object": "chat.completion", "choices": [choice], "usage": ending.usage()}
    return web.json_response(answer | ({"lobug": ending.turn} if ending.turn else {}))


async def _streamed(
    request: web.Request, body: ChatCompletionBody, head: Mapping[str, Any], reply: Reply
) -> web.StreamResponse:
    """As `chat.completion.chunk` events. What is wrong with the request shows before any status is sent."""
    first = await anext(reply)
    async with sse_response(request, allow_all_methods=True) as response:

        async def send(choices: list[dict[str, Any]], **more: Any) -> None:
            await response.send(json.dumps({**head, "object": "chat.completion.chunk", "choices": choices, **more}))

        try:
            await send([_delta({"role": "assistant", "content": ""})])
            async for part in _with(first, reply):
                if isinstance(part, _Ending):
                    await send([_delta({}, part.finish_reason)], **({"lobug": part.turn} if part.turn else {}))
                    if body.wants_usage:
                        await send([], usage=part.usage())
                elif part:
                    await send([_delta({"content": part})])
            await response.send("[DONE]")
        except ConnectionError:
            pass  # nobody listens any more
        except Exception as error:  # noqa: BLE001 - the status is sent already: the error is an event
            await response.send(json.dumps(as_openai_error(*describe(error))[1]))
    return response


def _delta(delta: Mapping[str, str], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}


async def _with(first: str | _Ending, rest: Reply) -> Reply:
    yield first
    async for part in rest:
        yield part
