"""The OpenAI shapes that this project reads, and nothing else of them. Unknown fields are ignored.

Source: https://platform.openai.com/docs/api-reference/chat and .../embeddings
"""

from __future__ import annotations

import json

from pydantic import BaseModel, Field


class PromptDetails(BaseModel):
    cached_tokens: int = 0


class Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: PromptDetails | None = None


class Text(BaseModel):
    content: str | None = None


class Choice(BaseModel):
    delta: Text = Text()  # while streaming
    message: Text = Text()  # otherwise
    finish_reason: str | None = None


class Chat(BaseModel):
    """A whole answer, or one chunk of a streamed one."""

    choices: list[Choice] = Field(default_factory=list)
    usage: Usage | None = None
    error: object = None

    @property
    def choice(self) -> Choice:
        """The first choice; an empty one in chunks that only carry the usage."""
        return self.choices[0] if self.choices else Choice()


class Embedding(BaseModel):
    index: int
    embedding: list[float]


class Embeddings(BaseModel):
    data: list[Embedding]


def error_message(body: str) -> str:
    """What a refusal says, from the differing shapes of servers: an object, a text, or no JSON at all."""
    try:
        content = json.loads(body)
    except ValueError:
        return body[:200].strip()
    error = content.get("error", content) if isinstance(content, dict) else content
    return str(error.get("message", error) if isinstance(error, dict) else error)[:200]
