"""The jobs that keep the past small: summaries of old messages, base memory of old summaries."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from edge_memory.config import MemoryConfig
from edge_memory.distil import base_memory
from edge_memory.distil.evidence import backed_sentences, uncovered
from edge_memory.distil.prompts import DISTIL_SCHEMA, distil_prompt, summarize_prompt
from edge_memory.errors import ModelUnavailable, NonsenseAnswer
from edge_memory.protocols import ChatModel
from edge_memory.records import Record, Role, StoredMessage, Summary
from edge_memory.store import Connection, Store, Transaction, conversation, jobs, records, summaries
from edge_memory.store.jobs import no_effect

_log = logging.getLogger(__name__)
_SUMMARY_TOKENS, _DISTIL_TOKENS = 220, 400
_MOST_SENTENCES = 5
_LONGEST_TEXT, _LONGEST_PROMPT = 400, 4_000  # characters
_MOST_BELIEFS = 60
T = TypeVar("T")


def due_cascades(connection: Connection, session_id: str, user_id: str, config: MemoryConfig, now: float) -> None:
    """Leaves the jobs whose thresholds are reached, for the session and for the user."""
    if conversation.count_unsummarized(connection, session_id) >= config.short_term_threshold:
        payload = {"session_id": session_id, "user_id": user_id}
        jobs.enqueue(connection, jobs.JobKind.SUMMARIZE, session_id, payload, now)
    due_distillation(connection, user_id, config, now)


def due_distillation(connection: Connection, user_id: str, config: MemoryConfig, now: float) -> None:
    if summaries.count_unincorporated(connection, user_id) >= config.long_term_threshold:
        jobs.enqueue(connection, jobs.JobKind.DISTIL, user_id, {"user_id": user_id}, now)


class Cascades:
    """Needs a chat model; without one the jobs wait.

    `retell` gives what an utterance of a Unix time states, told in the third person; empty when it states nothing.
    What `demands` something of the assistant is in no summary.
    `tell` is a record as it can be read at any time: with dates for its "tomorrow".
    """

    def __init__(
        self,
        store: Store,
        chat: ChatModel | None,
        retell: Callable[[str, float], list[str]],
        demands: Callable[[str], bool],
        tell: Callable[[Record], Record],
        config: MemoryConfig,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._chat = chat
        self._retell = retell
        self._demands = demands
        self._tell = tell
        self._config = config
        self._clock = clock

    async def summarize(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `summarize`: condense all but the newest messages of `session_id`."""
        session_id, user_id = str(payload["session_id"]), str(payload["user_id"])
        waiting = await self._store.read(lambda connection: conversation.unsummarized(connection, session_id))
        old = _take_old(waiting, self._config.short_term_keep, self._config.short_term_threshold)
        if not old:
            return no_effect
        content = await self._condense([message for message in old if message.action != "ignore"])
        id_range = (old[0].id, old[-1].id)

        def effect(connection: Connection) -> None:
            if content:
                summaries.insert_summary(connection, content, session_id, user_id, id_range, self._clock())
            conversation.mark_summarized(connection, session_id, id_range[1])
            due_cascades(connection, session_id, user_id, self._config, self._clock())

        return effect

    async def distil(self, payload: Mapping[str, Any]) -> Transaction[None]:
        """The job `distil`: fold all but the newest summaries of `user_id` into a new base memory."""
        user_id = str(payload["user_id"])
        waiting, base, believed = await self._store.read(lambda connection: _distil_input(connection, user_id))
        old = _take_old(waiting, self._config.long_term_keep, self._config.long_term_threshold)
        if not old:
            return no_effect
        topics, history = await self._distilled(base, [summary.content for summary in old])
        document = base_memory.compose(list(map(self._tell, believed)), topics, history, self._config.base_memory_words)
        reason = f"summaries {old[0].id} to {old[-1].id}"

        def effect(connection: Connection) -> None:
            summaries.set_base_memory(connection, user_id, document, reason, self._clock())
            summaries.mark_incorporated(connection, user_id, old[-1].id)
            due_distillation(connection, user_id, self._config, self._clock())

        return effect

    async def _condense(self, messages: Sequence[StoredMessage]) -> str:
        """The model's sentences as far as the user's words back them, then what the user stated, told by rule.

        What the assistant said is no evidence about the user, so the model does not see it.
        """
        heard = [message for message in messages if message.role is Role.USER and message.content]
        stated = await asyncio.to_thread(self._stated, heard)
        harmless = (message.content for message in heard if not stated and not self._demands(message.content))
        said = _within(stated or [f'The user said: "{content}"' for content in harmless])
        if not said:
            return ""
        answer = await self._model().complete(summarize_prompt(said), max_tokens=_SUMMARY_TOKENS, cache_key="summarize")
        sentences = backed_sentences(answer, said)[:_MOST_SENTENCES]
        _log.info("%d sentences of a summary are backed by what was said", len(sentences))
        missing = [f"{text}." for text in uncovered(said, sentences)]
        return " ".join([*sentences, *missing[: _MOST_SENTENCES - len(sentences)]])

    def _stated(self, heard: Sequence[StoredMessage]) -> list[str]:
        return list(dict.fromkeys(text for said in heard for text in self._retell(said.content, said.created_at)))

    async def _distilled(self, base: str, told: Sequence[str]) -> tuple[list[str], list[str]]:
        answer = await self._model().complete(
            distil_prompt(base, _within(told)), max_tokens=_DISTIL_TOKENS, schema=DISTIL_SCHEMA, cache_key="distil"
        )
        try:
            notes = json.loads(answer)
            new_topics, new_history = ("\n".join(notes[name]) for name in ("ongoing_topics", "key_history"))
        except (ValueError, KeyError, TypeError) as error:
            _log.debug("not the JSON that was asked for: %.80r", answer)
            raise NonsenseAnswer("the model's answer is not the JSON that was asked for") from error
        old_topics, old_history = (
            base_memory.section_lines(base, title) for title in (base_memory.TOPICS, base_memory.HISTORY)
        )
        said = [*old_topics, *old_history, *(sentence for text in told for sentence in text.split(". "))]
        topics = backed_sentences(new_topics, said) or old_topics
        return topics, old_history + backed_sentences(new_history, said)

    def _model(self) -> ChatModel:
        if self._chat is None:
            raise ModelUnavailable("no chat model")
        return self._chat


def _distil_input(connection: Connection, user_id: str) -> tuple[list[Summary], str, list[Record]]:
    return (
        summaries.unincorporated(connection, user_id),
        summaries.base_memory(connection, user_id).content,
        records.of_the_user(connection, user_id, _MOST_BELIEFS),
    )


def _within(said: Sequence[str]) -> list[str]:
    """As much of it as a small model's context holds beside the answer."""
    kept = [text[:_LONGEST_TEXT] for text in said]
    while sum(map(len, kept)) > _LONGEST_PROMPT:
        kept.pop()
    return kept


def _take_old(waiting: Sequence[T], keep: int, most: int) -> Sequence[T]:
    """All but the newest `keep`, the oldest `most` at a time: a long wait must not outgrow the model's context."""
    return waiting[: min(max(len(waiting) - keep, 0), most)]
