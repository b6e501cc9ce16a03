"""From messages to the tokens of a prompt, in the form the model was trained on."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from functools import lru_cache

from edge_memory.records import Message, Role
from firmware_bridge.errors import InferenceError
from firmware_bridge.inference.model import Model
from firmware_bridge.inference.native import llama

_FALLBACK = b"chatml"
_REMEMBERED = 1_000  # texts whose tokens are kept
_MARK = re.compile("\x1a(\\d+)\x1a")  # not white space, which some templates trim


class ChatTemplate:
    """Renders prompts with the template family that llama.cpp recognises in the model's file, ChatML if none.

    The file's own template is a program and is never run. Contents never pass through a template either: it is
    rendered with marks in their place, and only its own text may become control tokens. What somebody said stays what
    was said, even if it spells `<|im_end|>`.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        source = model.chat_template
        recognised = source is not None and _render(source, ["user"]) is not None
        self._source = source if source is not None and recognised else _FALLBACK
        self._split = lru_cache(_REMEMBERED)(self._tokens_of)  # a history is the same from turn to turn

    def prompt(self, messages: Sequence[Message]) -> list[int]:
        """The tokens of `messages`, and of the head of the assistant's reply to them.

        Raises InferenceError if the model's template leaves one of them out.
        """
        return self._tokens(messages, len(messages))

    def opening(self, messages: Sequence[Message]) -> list[int]:
        """The tokens that every prompt begins with which goes on from `messages` with words of the user.

        Raises as `prompt` does.
        """
        return self._tokens([*messages, Message(Role.USER, "")], len(messages))

    def count(self, text: str) -> int:
        """How many tokens `text` is as a message's content. Safe from any thread."""
        return len(self._split(text, False))

    def _tokens_of(self, text: str, special: bool) -> list[int]:
        return self._model.tokenize(text, special=special)

    def _tokens(self, messages: Sequence[Message], until: int) -> list[int]:
        """The tokens in front of the content of the message with the number `until`; all if there is none."""
        parts = _MARK.split(_render(self._source, [message.role.value for message in messages]) or "")
        if sorted(map(int, parts[1::2])) != list(range(len(messages))):
            raise InferenceError(
                "the model's chat template has no place for one of the messages", "choose another: `lobug models list`"
            )
        tokens: list[int] = []
        for index, part in enumerate(parts):
            is_content = index % 2 == 1
            if is_content and int(part) == until:
                break
            text = messages[int(part)].content if is_content else part
            tokens += self._split(text, not is_content)
        return self._model.with_first_token(tokens)


def _render(source: bytes, roles: Sequence[str]) -> str | None:
    """The prompt for messages of these roles, with marks for contents. None if llama.cpp does not know `source`."""
    chat = (llama.llama_chat_message * len(roles))()
    for index, role in enumerate(roles):
        chat[index].role = role.encode()
        chat[index].content = f"\x1a{index}\x1a".encode()
    size = 0
    needed = 256 * (len(roles) + 1)
    while needed > size:
        size = needed
        buffer = ctypes.create_string_buffer(size)
        needed = llama.llama_chat_apply_template(source, chat, len(roles), True, buffer, size)
    return None if needed < 0 else buffer.raw[:needed].decode("utf-8")
