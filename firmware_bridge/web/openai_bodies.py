"""What requests in OpenAI's form look like. Fields that are not here are ignored, as other servers do.

Source: https://platform.openai.com/docs/api-reference/chat/create and .../embeddings/create
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from edge_memory.records import Message, Role

_MOST_STOPS, _MOST_INPUTS = 16, 2_048
_ROLES = {"system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}
_ANY_OBJECT: Mapping[str, Any] = {"type": "object"}


def _joined(content: object) -> object:
    """Content that came in parts as one text; what is not text is refused."""
    if content is None:
        return ""  # an assistant's message may have none
    if not isinstance(content, list):
        return content
    texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
    if len(texts) != len(content) or not all(isinstance(text, str) for text in texts):
        raise ValueError("only text parts are understood")
    return "\n".join(map(str, texts))


def _listed(value: object) -> object:
    return [] if value is None else [value] if isinstance(value, str) else value


class Body(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class ChatMessage(Body):
    role: Literal["system", "developer", "user", "assistant"]
    content: Annotated[str, BeforeValidator(_joined)] = ""

    def message(self) -> Message:
        return Message(_ROLES[self.role], self.content)


class StreamOptions(Body):
    include_usage: bool | None = False


class NamedSchema(Body):
    content: dict[str, Any] = Field(default_factory=dict, alias="schema")


class ResponseFormat(Body):
    """`schema` beside `json_object` is llama-server's way to say it."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: NamedSchema | None = None
    content: dict[str, Any] | None = Field(None, alias="schema")

    @model_validator(mode="after")
    def _complete(self) -> ResponseFormat:
        if self.type == "json_schema" and self.json_schema is None:
            raise ValueError("json_schema is missing")
        return self

    @property
    def schema_of_reply(self) -> Mapping[str, Any] | None:
        """None if any text will do."""
        if self.type == "text":
            return None
        return (self.json_schema.content if self.json_schema else self.content) or _ANY_OBJECT


class ChatCompletionBody(Body):
    """`POST /v1/chat/completions`."""

    messages: list[ChatMessage] = Field(min_length=1)
    model: str | None = None
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    temperature: float | None = Field(None, ge=0.0, le=2.0)
    stop: Annotated[list[str], BeforeValidator(_listed), Field(max_length=_MOST_STOPS)] = []
    response_format: ResponseFormat | None = None
    user: str | None = None
    n: int | None = None
    logprobs: bool | None = None
    tool_choice: Any = None
    function_call: Any = None
    modalities: list[str] | None = None

    @model_validator(mode="after")
    def _possible(self) -> ChatCompletionBody:
        """Refuses what would be answered wrongly; `tools` that may go unused are ignored."""
        if self.n not in (None, 1):
            raise ValueError("n: one choice is given, no more")
        if self.logprobs:
            raise ValueError("logprobs are not given")
        if any(choice not in (None, "auto", "none") for choice in (self.tool_choice, self.function_call)):
            raise ValueError("tool_choice: tools are never called here")
        if self.modalities and "audio" in self.modalities:
            raise ValueError("modalities: replies are text; /v1/audio/speech speaks them")
        return self

    @property
    def most_tokens(self) -> int | None:
        return self.max_completion_tokens or self.max_tokens

    @property
    def wants_usage(self) -> bool:
        return self.stream_options is not None and bool(self.stream_options.include_usage)

    @property
    def schema_of_reply(self) -> Mapping[str, Any] | None:
        return self.response_format.schema_of_reply if self.response_format else None


class EmbeddingsBody(Body):
    """`POST /v1/embeddings`. Texts only: tokens of another model mean nothing here."""

    input: Annotated[list[str], BeforeValidator(_listed), Field(min_length=1, max_length=_MOST_INPUTS)]
    model: str | None = None
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None
