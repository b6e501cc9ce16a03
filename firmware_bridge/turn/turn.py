"""One turn, from heard to said."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from edge_memory.errors import StoreFull
from edge_memory.memory import Memory
from edge_memory.observe.absolute_dates import dated_memory
from edge_memory.recall import Recalled
from edge_memory.records import Message, Record, StoredMessage, UserTurn
from edge_memory.store.conversation import Answer
from firmware_bridge.clauses import has_clause
from firmware_bridge.contracts import ANY_DEVICE, Action, Heard, ReplyText, Said, TurnBegun, TurnEvent
from firmware_bridge.turn.asking import next_question, settle_doubt, settle_forgetting
from firmware_bridge.turn.commands import Command, Spoken
from firmware_bridge.turn.echo import guard_of
from firmware_bridge.turn.english.grounding import Grounds
from firmware_bridge.turn.manner import Manner, ReplyModel
from firmware_bridge.turn.prompt import PromptParts, build_prompt, fit_prompt
from firmware_bridge.turn.remembering import answer_memory_wish, keep_orders
from firmware_bridge.turn.reminding import answer_wish, is_wish
from firmware_bridge.turn.spared import spared
from firmware_bridge.turn.timings import log_turn, note_told, note_usage
from firmware_bridge.turn.tongue import tongue_of
from firmware_bridge.turn.utterance import is_noise

_log = logging.getLogger(__name__)
_COMMANDS: tuple[Command, ...] = (settle_doubt, settle_forgetting, keep_orders, answer_wish, answer_memory_wish)


class Turn:
    """Born with what was heard, run once, dropped."""

    def __init__(
        self,
        heard: Heard,
        heard_at: float,
        memory: Memory,
        model: ReplyModel,
        manner: Manner,
        clock: Callable[[], float],
    ) -> None:
        """`heard_at`, in Unix seconds, may be long ago: turns of one session wait for each other."""
        self._memory = memory
        self._tongue = tongue_of(memory.language)
        self._model = model
        self._manner = manner
        self._clock = clock
        self._began = time.perf_counter()
        self._action = heard.action
        self._timings: dict[str, float] = dict(heard.timings)
        self._used: list[int] = []
        self._given: tuple[int, ...] = ()
        self._forgets: tuple[int, ...] = ()
        self._is_kept = True
        self._unasked = False
        self._is_cut = False
        self.is_obeyed = False  # a command was
        self._composing: asyncio.Timeout | None = None
        self._recalling: asyncio.Task[Recalled | None] | None = None
        self._turn = UserTurn(
            turn_id=heard.turn_id or uuid.uuid4().hex,
            session_id=heard.session_id,
            user_id=heard.user_id,
            device_id=heard.device_id,
            text=heard.text,
            heard_at=heard_at,
            by_guest=heard.by_guest,
        )

    def cut(self) -> None:
        """Nobody wants the rest of the reply: it ends with what is written of it."""
        if self._composing is not None and not self._is_cut:
            self._composing.reschedule(0)
        self._is_cut = True

    async def run(self) -> AsyncGenerator[TurnEvent, None]:
        """TurnBegun once the words are on disk, ReplyText as it is written, Said once the reply is on disk.

        What needs no model is answered before TurnBegun, so that one sync keeps both. On a full disk nothing of the
        turn is kept, and the reply says so.
        """
        turn, at_once = self._turn, self._is_answered_at_once()
        if not at_once:  # memory is searched while the words are written to disk
            self._recalling = asyncio.create_task(self._memory.recall_for(turn), name=f"recall for {turn.turn_id}")
        try:
            async with aclosing(self._events(at_once=at_once)) as events:
                async for event in events:
                    yield event
        finally:
            if self._recalling is not None:  # a command was obeyed, or the turn broke off
                self._recalling.cancel()

    async def _events(self, *, at_once: bool) -> AsyncGenerator[TurnEvent, None]:
        begun = TurnBegun(self._turn.turn_id, self._turn.session_id)
        history = await self._hear(durable=not at_once)
        if at_once:
            if (said := await self._answer_at_once(history)) is not None:
                yield begun
                if said.text:
                    yield ReplyText(said.text)
                yield said
                return
            await self._hear(durable=True)
        yield begun
        reply, action = "", Action.RESPOND
        try:
            spoken = await self._obey(history)
            if spoken is not None:
                reply, action, self._forgets = spoken.text, spoken.action, spoken.forgets
                yield ReplyText(reply)
            else:
                async with aclosing(self._compose(history)) as written:
                    async for text in written:
                        reply += text
                        yield ReplyText(text)
            if not self._is_kept:
                not_kept = f" {self._tongue.phrases.not_kept}"
                reply += not_kept
                yield ReplyText(not_kept)
        except BaseException:
            # What was heard is digested even if the answer failed or nobody waits for it any more.
            await self._end(Action.RESPOND, reply.strip())
            raise
        yield await self._end(action, reply.strip())

    async def foresee(self) -> str:
        """How the reply would begin: its first clause or more, empty where that is not known before the reply is. What
        the model writes for it the turn itself then goes on from. Nothing is stored and no command obeyed.
        """
        parts, grounds = await self._gather(await self._memory.history(self._turn.session_id))
        if known := grounds.without_model():
            return known

        def told(draft: str) -> str:
            return guard_of(parts, self._tongue).feed(draft)

        draft = await self._model.draft(
            self._prompt(parts),
            conversation=self._turn.session_id,
            temperature=self._manner.temperature,
            enough=(lambda _: False) if grounds.binding else (lambda draft: has_clause(told(draft))),
        )
        if grounds.binding:
            return draft if grounds.accepts(draft) else ""
        guard = guard_of(parts, self._tongue)
        return guard.feed(draft) + guard.end()  # held to the end only where the draft is all of the reply

    async def _hear(self, *, durable: bool) -> Sequence[Message]:
        try:
            return await self._memory.hear(self._turn, durable=durable)
        except StoreFull as error:
            self._is_kept = False
            _log.warning("turn %s is answered and not kept: %s", self._turn.turn_id, error.message)
            return await self._memory.history(self._turn.session_id)

    def _is_answered_at_once(self) -> bool:
        """Whether its words alone tell that no model is asked."""
        turn = self._turn
        is_told = self._action is Action.RESPOND and not is_noise(turn.text)
        return not is_told or is_wish(turn.text, turn.heard_at, self._memory.language)

    async def _answer_at_once(self, history: Sequence[Message]) -> Said | None:
        """The end of a turn without the model; None where it is needed after all."""
        try:
            spoken = await self._spoken_at_once(history)
        except BaseException:
            await self._end(Action.RESPOND, "")
            raise
        if spoken is None:
            return None
        self._forgets = spoken.forgets
        not_kept = "" if self._is_kept or not spoken.text else f" {self._tongue.phrases.not_kept}"
        return await self._end(spoken.action, f"{spoken.text}{not_kept}")

    async def _spoken_at_once(self, history: Sequence[Message]) -> Spoken | None:
        if self._action is Action.CLARIFY:
            return Spoken(self._tongue.phrases.ask_again, Action.CLARIFY)
        if self._action is Action.IGNORE or is_noise(self._turn.text):
            return Spoken("", Action.IGNORE)
        return await self._obey(history)

    async def _obey(self, history: Sequence[Message]) -> Spoken | None:
        for command in (*_COMMANDS, *self._manner.commands):
            spoken = await spared(command(self._memory, self._turn, history), None)
            if spoken is not None:
                self.is_obeyed = True
                self._note(spoken.text, is_whole=True)
                return spoken
        return None

    async def _compose(self, history: Sequence[Message]) -> AsyncGenerator[str, None]:
        """The model's reply, and what memory asks after it, up to where it is cut."""
        reply = ""
        try:
            async with asyncio.timeout(0 if self._is_cut else None) as self._composing:
                parts, grounds = await self._gather(history)
                async for text in self._reply(parts, grounds):
                    reply += text
                    self._note(reply)
                    yield text
                self._note(reply, is_whole=True)
                if asked := await self._ask_back(reply):
                    yield asked
        except TimeoutError:
            if not self._is_cut:
                raise
        finally:
            self._composing = None

    async def _ask_back(self, reply: str) -> str:
        """A question of memory's own, after a reply that asks nothing itself."""
        if not self._unasked or not reply.strip() or reply.rstrip().endswith("?"):
            return ""
        question = await spared(next_question(self._memory, self._turn), "")
        space = "" if reply[-1:].isspace() else " "
        return f"{space}{question}" if question else ""

    async def _reply(self, parts: PromptParts, grounds: Grounds) -> AsyncGenerator[str, None]:
        """In pieces as the model writes it; whole and checked where memory has something binding to say."""
        if known := grounds.without_model():
            yield known
        elif grounds.binding:
            yield await self._checked(parts, grounds)
        else:
            guard = guard_of(parts, self._tongue)
            async for text in self._written(parts):
                if told := guard.feed(text):
                    yield told
            if told := guard.end():
                yield told

    async def _checked(self, parts: PromptParts, grounds: Grounds) -> str:
        """The model's reply if it can stand, its second try, else the user's own words."""
        for attempt in (
            parts,
            replace(parts, reminder=f"{grounds.reminder()} {self._tongue.phrases.second_try}".strip()),
        ):
            reply = "".join([text async for text in self._written(attempt)]).strip()
            if reply and grounds.accepts(reply):
                return reply
            _log.info("turn %s: a reply that memory contradicts was held back", self._turn.turn_id)
        return grounds.own_words()

    async def _written(self, parts: PromptParts) -> AsyncGenerator[str, None]:
        pieces = self._model.reply(
            self._prompt(parts),
            conversation=self._turn.session_id,
            max_tokens=self._manner.max_reply_tokens,
            temperature=self._manner.temperature,
        )
        async for piece in pieces:
            if piece.usage is not None:
                note_usage(self._timings, piece.usage)
            if piece.text:
                yield piece.text

    def _prompt(self, parts: PromptParts) -> list[Message]:
        order, budget = self._manner.order, self._model.context_tokens - self._manner.max_reply_tokens
        fitting = fit_prompt(parts, order, self._model.count_tokens, budget)
        self._say_dropped(len(parts.history), len(fitting.history))
        prompt = build_prompt(fitting, order)
        self._timings["tail_tokens"] = self._model.count_tokens(prompt[-1].content)
        return prompt

    def _say_dropped(self, had: int, kept: int) -> None:
        """Working memory lets go of what had no room, so that the next prompt begins as this one does."""
        if kept < had:
            self._memory.working.shorten(self._turn.session_id, kept)
            self._timings["messages_dropped"] = had - kept
            _log.info("turn %s: the context has no room for the %d oldest messages", self._turn.turn_id, had - kept)

    async def _gather(self, history: Sequence[Message]) -> tuple[PromptParts, Grounds]:
        """What the prompt is made of, and what memory has to say to it."""
        turn = self._turn
        cost = partial(self._manner.injection.cost, self._model.count_tokens)
        ahead = await self._recalling if self._recalling is not None else None
        active = await self._memory.activate(turn, cost, ahead)
        self._unasked = active.unasked
        sensed = await spared(self._memory.sensing.sensed(turn.device_id or ANY_DEVICE), None)
        recalled = [hit.record for hit in active.recollection.hits]
        self._used = [record.id for record in (*recalled, *active.procedures)]
        self._given = tuple(dict.fromkeys([*self._used, *(record.id for record in active.relevant)]))
        self._timings |= {
            "embed_ms": active.recollection.embed_ms,
            "recall_ms": active.recollection.recall_ms,
            "injection_tokens": active.tokens,
        }
        grounds = Grounds(turn.text)
        if self._manner.grounded:
            grounds = await self._tongue.know(self._memory, turn, active, history)
        given: list[Record | StoredMessage] = [*active.relevant, *active.turns, *active.procedures]
        parts = PromptParts(
            persona=self._manner.persona,
            base_memory=active.base,
            memories=[dated_memory(memory, turn.heard_at) for memory in given],
            sensors=sensed.readings if sensed else {},
            history=history,
            reminder=grounds.reminder(),
            text=turn.text,
            baseline=[dated_memory(record, None) for record in active.baseline],
            injection=self._manner.injection,
        )
        return parts, grounds

    def _note(self, told: str, *, is_whole: bool = False) -> None:
        note_told(self._timings, (time.perf_counter() - self._began) * 1e3, told, is_whole=is_whole)

    async def _end(self, action: Action, reply: str) -> Said:
        turn = self._turn
        self._timings["total_ms"] = (time.perf_counter() - self._began) * 1e3
        timings = {name: round(value, 1) for name, value in self._timings.items()}
        used, forgets = self._used, self._forgets
        if self._is_kept:
            await self._memory.answer(Answer(turn, reply, action.value, timings, self._clock(), used, forgets))
        log_turn(turn, action, timings)
        _log.debug("heard %r said %r", turn.text, reply)
        return Said(action, reply, turn.turn_id, turn.session_id, self._given, timings)
