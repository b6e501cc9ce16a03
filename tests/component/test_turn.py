"""Turns with the real memory and a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from edge_memory.memory import Memory
from edge_memory.records import Message, UserTurn
from edge_memory.scripted import HashEmbedder
from edge_memory.store.records import Filter
from firmware_bridge.contracts import Action, Heard, ReplyText, Said, TurnBegun, TurnEvent
from firmware_bridge.errors import BadId, BadText, InferenceError, TurnIdTaken
from firmware_bridge.turn import Dialogue, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

MANNER = Manner(Persona("Lo-Bug", "a test"), "tail", 50, 0.0)


def echo(messages: Sequence[Message]) -> str:
    return f"You said {messages[-1].content.splitlines()[-1]}"


def broken(messages: Sequence[Message]) -> str:
    raise InferenceError("the model fell over")


def open_memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.db", serve=True, embedder=HashEmbedder())


def open_dialogue(memory: Memory, replies: ScriptedReplies) -> Dialogue:
    return Dialogue(memory, replies, MANNER, max_text_characters=200)


async def talk(dialogue: Dialogue, text: str, session_id: str = "default") -> list[TurnEvent]:
    return [event async for event in dialogue.talk(Heard(text, session_id))]


async def digest(memory: Memory) -> None:
    await memory.prepare()
    while await memory.digest_once():
        pass


async def test_the_events_of_a_turn(tmp_path: Path) -> None:
    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(echo)) as dialogue:
        events = await talk(dialogue, "hello")
        begun, *words, said = events
        assert isinstance(begun, TurnBegun)
        assert words == [ReplyText("You "), ReplyText("said "), ReplyText("hello ")]
        assert isinstance(said, Said)
        assert (said.action, said.text, said.turn_id) == (Action.RESPOND, "You said hello", begun.turn_id)


async def test_words_are_on_disk_before_the_model_is_asked(tmp_path: Path) -> None:
    kept: list[object] = []

    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(echo)) as dialogue:
        async for event in dialogue.talk(Heard("hello", "default")):
            if isinstance(event, TurnBegun):
                kept = [turn["heard"] for turn in await memory.turns(None, 10)]
    assert kept == ["hello"]


async def test_history_is_in_the_next_prompt_and_what_it_shows_is_not_told_again(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        told = (await talk(dialogue, "my sister Ilse lives in Graz"))[-1]
        await digest(memory)
        said = (await talk(dialogue, "write me a poem about where my sister lives"))[-1]
    assert isinstance(told, Said)
    assert told.text.endswith("your sister Ilse lives in Graz.")
    assert isinstance(said, Said)
    assert said.memories == (1,)
    prompt = replies.prompts[-1]
    assert [message.content for message in prompt[-3:-1]] == [
        "my sister Ilse lives in Graz",
        told.text,
    ]
    assert "Relevant memories" not in prompt[-1].content


async def test_what_another_conversation_told_is_in_the_prompt(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        await talk(dialogue, "my sister Ilse lives in Graz")
        await talk(dialogue, "I'm allergic to hazelnuts")
        await digest(memory)
        said = (await talk(dialogue, "write me a poem about where my sister lives", "other"))[-1]
    assert isinstance(said, Said)
    assert said.memories == (1,)
    assert said.timings["injection_tokens"] > 0
    prompt = replies.prompts[-1]
    assert prompt[0].content.endswith("[Long-term memory]\nAlways:\n- The user is allergic to hazelnuts")
    assert prompt[-1].content.startswith("[Relevant memories]\n- The user's sister Ilse lives in Graz\n\n")


async def test_tomorrow_is_told_as_its_date_once_it_is_another_day(tmp_path: Path) -> None:
    replies, now = ScriptedReplies(echo), [1_900_000_000.0]  # 17 March 2030
    async with (
        Memory(tmp_path / "memory.db", serve=True, clock=lambda: now[0]) as memory,
        Dialogue(memory, replies, MANNER, max_text_characters=200, clock=lambda: now[0]) as dialogue,
    ):
        await talk(dialogue, "my recital is tomorrow")
        await talk(dialogue, "I'm allergic to the dye that I get tomorrow")
        await memory.learn("the piano tuner came yesterday")
        await digest(memory)
        now[0] += 5 * 86_400
        (told,) = (await talk(dialogue, "what do you know about my recital", "other"))[1:-1]
        await talk(dialogue, "tell me a story of the recital and of the piano tuner", "other")
    assert told == ReplyText("Your recital is on 18 March.")
    head, *_, newest = (message.content for message in replies.prompts[-1])
    assert "- The user is allergic to the dye that the user gets on 18 March 2030" in head
    assert "- The user's recital is on 18 March\n" in newest
    assert "- The piano tuner came on 16 March\n" in newest


async def test_the_head_stays_the_same_until_the_baseline_changes(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        await memory.learn("I'm allergic to hazelnuts")
        for text in ("hello", "my sister Ilse lives in Graz", "what a day", "hello again"):
            await talk(dialogue, text)
            await digest(memory)
        assert len({prompt[0] for prompt in replies.prompts}) == 1
        await memory.learn("I never drink wine")
        await talk(dialogue, "hello")
    assert "wine" in replies.prompts[-1][0].content


@pytest.mark.parametrize(
    ("heard", "error"),
    [
        (Heard("  ", "default"), BadText),
        (Heard("hello", "no spaces please"), BadId),
        (Heard("hello", "default", device_id=""), BadId),
    ],
)
async def test_a_bad_turn_leaves_no_trace(tmp_path: Path, heard: Heard, error: type[Exception]) -> None:
    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(echo)) as dialogue:
        with pytest.raises(error):
            await anext(dialogue.talk(heard))
        assert await memory.turns(None, 10) == []


async def test_what_was_never_told_is_admitted_without_asking_the_model(tmp_path: Path) -> None:
    replies = ScriptedReplies(lambda messages: "Your uncle is called Bob.")
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        said = (await talk(dialogue, "what is my uncle called"))[-1]
        assert isinstance(said, Said)
        assert "don't know" in said.text
        assert replies.prompts == []


async def test_what_recall_misses_is_looked_for_by_its_slot(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    async with Memory(tmp_path / "memory.db", serve=True) as memory, open_dialogue(memory, replies) as dialogue:
        await talk(dialogue, "I'm a tree surgeon")  # without an embedder no word of the question finds this
        await digest(memory)
        assert (await talk(dialogue, "what is my occupation", "other"))[1] == ReplyText("You're a tree surgeon.")


async def test_a_reply_against_a_hard_constraint_is_asked_again_and_then_replaced(tmp_path: Path) -> None:
    replies = ScriptedReplies(lambda messages: "Sure, enjoy the praline!")
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        await talk(dialogue, "I'm allergic to hazelnuts")
        await digest(memory)
        events = await talk(dialogue, "there was no dessert yesterday", "other")
        said = events[-1]
        assert isinstance(said, Said)
        assert said.text == "Careful: You're allergic to hazelnuts."
        assert [event.text for event in events if isinstance(event, ReplyText)] == [said.text]
        assert len(replies.prompts) == 2
        assert "Must be kept: You're allergic to hazelnuts" in replies.prompts[-2][-1].content


async def test_what_is_forbidden_is_refused_without_asking_the_model(tmp_path: Path) -> None:
    replies = ScriptedReplies(lambda messages: "Sure, enjoy the praline!")
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        await memory.learn("I'm allergic to hazelnuts")
        said = (await talk(dialogue, "can I have a praline"))[-1]
        assert isinstance(said, Said)
        assert said.text == "Better not: You're allergic to hazelnuts."
        assert replies.prompts == []


async def test_a_long_history_gives_way_to_what_is_said_now(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    replies.context_tokens = 400
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        for number in range(4):
            await talk(dialogue, f"story {number} " + "bla " * 45)
        await talk(dialogue, "hello")
    read = [sum(len(message.content.split()) for message in prompt) for prompt in replies.prompts]
    assert max(read) <= 400 - MANNER.max_reply_tokens
    assert replies.prompts[-1][-1].content == "hello"
    assert any("story 3" in message.content for message in replies.prompts[-1])


async def test_noise_is_logged_and_not_answered(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        said = (await talk(dialogue, "uh mm"))[-1]
        assert isinstance(said, Said)
        assert said.action is Action.IGNORE
        assert replies.prompts == []
        assert [turn["action"] for turn in await memory.turns(None, 10)] == ["ignore"]
        assert await memory.history("default") == ()


async def test_a_model_that_fails_costs_the_answer_not_the_turn(tmp_path: Path) -> None:
    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(broken)) as dialogue:
        with pytest.raises(InferenceError):
            await talk(dialogue, "my brother Nils collects stamps")
        await digest(memory)
        records, _ = await memory.select(Filter())
        assert "The user's brother Nils collects stamps" in [record.text for record in records]


async def test_nobody_listening_any_more_does_not_end_the_turn(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    replies.hold()
    async with open_memory(tmp_path) as memory:
        async with open_dialogue(memory, replies) as dialogue:
            await anext(dialogue.talk(Heard("hello", "default")))
            replies.go_on()
        assert [turn["said"] for turn in await memory.turns(None, 10)] == ["You said hello"]


async def test_turns_of_a_session_follow_each_other_and_sessions_do_not_wait(tmp_path: Path) -> None:
    replies = ScriptedReplies(echo)
    replies.hold(after_words=3)
    ended: list[str] = []

    async def turn(text: str, session_id: str) -> None:
        await talk(dialogue, text, session_id)
        ended.append(text)

    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:
        first = "a rather long first turn of words"
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(turn(first, "one"))
            tasks.create_task(turn("second", "one"))
            await turn("other", "two")
            replies.go_on()
        assert ended == ["other", first, "second"]
        assert "You said a rather" in replies.prompts[-1][-2].content


async def test_a_turn_that_a_device_sends_again_is_told_again_and_kept_once(tmp_path: Path) -> None:
    heard = Heard("hello", "desk", "desk", turn_id="boot-1")
    replies = ScriptedReplies(echo)
    replies.hold()
    async with open_memory(tmp_path) as memory, open_dialogue(memory, replies) as dialogue:

        async def listen() -> list[TurnEvent]:
            return [event async for event in dialogue.talk(heard)]

        async with asyncio.TaskGroup() as tasks:
            listening = [tasks.create_task(listen()) for _ in range(2)]
            while not replies.prompts:
                await asyncio.sleep(0)
            replies.go_on()
        first, beside = (task.result() for task in listening)
        afterwards = await listen()
        kept = await memory.turns("desk", 10)
    assert first == beside
    assert [type(event) for event in afterwards] == [TurnBegun, Said]
    assert isinstance(afterwards[-1], Said)
    assert afterwards[-1].text == "You said hello"
    assert [turn["turn_id"] for turn in kept] == ["boot-1"]
    assert len(replies.prompts) == 1


async def test_a_turn_that_a_crash_left_without_answer_gets_one_when_it_is_sent_again(tmp_path: Path) -> None:
    async with open_memory(tmp_path) as memory:
        await memory.hear(UserTurn("boot-1", "desk", "owner", "hello", 1.0, "desk"))
    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(echo)) as dialogue:
        await memory.prepare()  # closes the turn with an empty answer
        async for _ in dialogue.talk(Heard("hello", "desk", "desk", turn_id="boot-1")):
            pass
        (kept,) = await memory.turns("desk", 10)
    assert kept["said"] == "You said hello"


async def test_a_turn_id_of_another_device_is_refused(tmp_path: Path) -> None:
    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(echo)) as dialogue:
        async for _ in dialogue.talk(Heard("my secret", "desk", "desk", turn_id="boot-1")):
            pass
        with pytest.raises(TurnIdTaken):
            await anext(dialogue.talk(Heard("hello", "bed", "bed", turn_id="boot-1")))


async def test_what_binds_a_named_person_binds_the_kin_word_for_them(tmp_path: Path) -> None:
    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(lambda _: "Sure")) as dialogue:
        for told in ("my daughter is called mia", "mia is allergic to peanuts"):
            await talk(dialogue, told)
            await digest(memory)
        for asked in ("can i make my daughter a peanut butter sandwich", "can my daughter have some satay"):
            said = (await talk(dialogue, asked, "other"))[-1]
            assert isinstance(said, Said)
            assert said.text == "Better not: Mia is allergic to peanuts."


async def test_a_standing_order_forbids_the_alarm_that_it_is_about(tmp_path: Path) -> None:
    async with open_memory(tmp_path) as memory, open_dialogue(memory, ScriptedReplies(lambda _: "Sure")) as dialogue:
        await talk(dialogue, "never wake me before seven")
        await digest(memory)
        no = 'I won\'t, you told me: "never wake me before seven".'
        for asked in ("wake me at six", "can you set an alarm for 6 am", "wake me up at 6:30 tomorrow morning"):
            said = (await talk(dialogue, asked))[-1]
            assert isinstance(said, Said)
            assert said.text == no
        questioned = (await talk(dialogue, "wake me"))[-1]
        assert isinstance(questioned, Said)
        assert questioned.text == "When shall I remind you to wake up?"
        answered = (await talk(dialogue, "six in the morning"))[-1]
        assert isinstance(answered, Said)
        assert answered.text == no
        assert not await memory.reminders.waiting("owner")
