"""What people decide: proposals, confirmation in words and by conversation, rejection, one-step undo, the profile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from memory_house import NOON, Clock, believed, digest, rows, say, tell, texts, turn

from edge_memory.errors import BadQuery, RecordNotFound, WrongState
from edge_memory.memory import OWNER, Memory
from edge_memory.records import Kind, Layer, NewRecord, Priority, Record, Status
from edge_memory.review import Reply
from edge_memory.scripted import HashEmbedder
from edge_memory.store import records, summaries
from edge_memory.store.records import Cause


@pytest.fixture
async def memory(path: Path) -> AsyncIterator[Memory]:
    async with Memory(path, serve=True, embedder=HashEmbedder(), clock=Clock()) as memory:
        await memory.prepare()
        yield memory


async def propose(memory: Memory, key: str, value: str, reason: str = "a test") -> Record:
    return await memory.review.propose(key, value, reason, OWNER)


async def store(memory: Memory, new: NewRecord, status: Status = Status.ACTIVE) -> Record:
    return await memory._store.write(lambda c: records.insert(c, new, Cause("insert"), NOON, status))


async def status_of(memory: Memory, record: Record) -> Status:
    return (await memory.inspect(record.id))[0].status


def everything(path: Path) -> list[list[tuple[object, ...]]]:
    return [rows(path, f"SELECT * FROM {table} ORDER BY 1") for table in ("records", "fact_history", "jobs")]


# Proposals


async def test_a_proposal_waits_and_is_believed_once_confirmed(memory: Memory) -> None:
    (old,) = await memory.learn("my favourite colour is ochre")
    new = await propose(memory, "user.favourite colour", "teal", "painted the boat")
    assert (new.status, new.key, new.value, new.kind) == (Status.PENDING, old.key, "teal", Kind.PREFERENCE)
    assert await texts(memory) == [old.text]
    (waiting,) = await memory.review.pending(OWNER)
    assert (waiting.record, waiting.reason, waiting.replaces) == (new, "painted the boat", (old.id,))
    decision = await memory.review.confirm(new.id)
    assert [record.id for record in decision.ended] == [old.id]
    assert decision.record.confidence >= 0.9
    assert await texts(memory) == ["The user's favourite colour is teal"]
    assert await status_of(memory, old) is Status.SUPERSEDED
    _, history = await memory.inspect(old.id)
    assert history[-1].before is not None
    assert (history[-1].action, history[-1].before["status"]) == ("supersede", "active")
    assert f"record {new.id}" in history[-1].reason
    assert await memory.review.pending(OWNER) == []


async def test_what_conversation_left_pending_is_confirmed(memory: Memory) -> None:
    await tell(memory, "my name is Ola", "my name is Kari")
    (waiting,) = await memory.review.pending(OWNER)
    await memory.review.confirm(waiting.record.id)
    assert await texts(memory) == ["The user's name is Kari"]
    await digest(memory)
    assert (await memory.stats())["vectors"] == 1


async def test_two_proposals_for_one_key(memory: Memory) -> None:
    first, second = await propose(memory, "user.home", "Bergen"), await propose(memory, "user.home", "Narvik")
    await memory.review.confirm(first.id)
    assert [one.record.id for one in await memory.review.pending(OWNER)] == [second.id]
    await memory.review.confirm(second.id)
    assert await status_of(memory, first) is Status.SUPERSEDED
    assert [record.value for record in await believed(memory)] == ["Narvik"]


async def test_slots_of_many_values_keep_them_all(memory: Memory) -> None:
    for value in ("bees", "walnuts"):
        await memory.review.confirm((await propose(memory, "user.allergy", value)).id)
    found = await believed(memory)
    assert [record.value for record in found] == ["bees", "walnuts"]
    assert {record.priority for record in found} == {Priority.CRITICAL}


async def test_another_session_s_value_is_left_alone(memory: Memory) -> None:
    new = NewRecord(Layer.PROFILE, Kind.FACT, "in the shed", key="user.mood", session_id="shed")
    private = await store(memory, new)
    await memory.review.confirm((await propose(memory, "mood", "calm")).id)
    assert await status_of(memory, private) is Status.ACTIVE


async def test_a_rejection_keeps_its_text_in_the_history(memory: Memory) -> None:
    new = await propose(memory, "user.home", "Bergen")
    await memory.review.reject(new.id, "a joke")
    record, history = await memory.inspect(new.id)
    assert (record.status, record.text) == (Status.TOMBSTONED, "The user's home is Bergen")
    assert (history[-1].action, history[-1].reason) == ("reject", "a joke")
    assert await texts(memory) == []


async def test_what_was_rejected_can_still_be_forgotten(memory: Memory, path: Path) -> None:
    new = await propose(memory, "user.home", "Zinnialand")
    await memory.review.reject(new.id)
    assert [record.id for record in await memory.find_to_forget("zinnialand")] == [new.id]
    await memory.forget(await memory.find_to_forget(str(new.id)))
    assert b"zinnialand" not in b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()
    with pytest.raises(WrongState):
        await memory.find_to_forget(str(new.id))


# Undo


async def test_a_rollback_brings_back_what_was_replaced_in_conversation(memory: Memory) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik")
    old, new = await believed(memory, None)
    assert [record.id for record in await memory.review.replaced(new.id)] == [old.id]
    assert await memory.review.replacement(old.id) == new.id
    decision = await memory.review.rollback(new.id)
    assert [record.id for record in decision.restored] == [old.id]
    back, _ = await memory.inspect(old.id)
    assert (back.status, back.valid_to) == (Status.ACTIVE, None)
    assert await status_of(memory, new) is Status.TOMBSTONED
    assert await memory.review.replacement(old.id) is None
    _, history = await memory.inspect(new.id)
    assert [entry.action for entry in history] == ["supersede", "rollback"]
    await digest(memory)
    assert (await memory.stats())["vectors"] == 1


async def test_a_rollback_undoes_one_step_only(memory: Memory) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik", "I moved to Oslo")
    bergen, narvik, oslo = await believed(memory, None)
    assert [await memory.review.replacement(one.id) for one in (bergen, narvik, oslo)] == [narvik.id, oslo.id, None]
    await memory.review.rollback(oslo.id)
    assert [await status_of(memory, one) for one in (bergen, narvik)] == [Status.SUPERSEDED, Status.ACTIVE]
    await memory.review.rollback(narvik.id)
    assert await status_of(memory, bergen) is Status.ACTIVE
    await memory.review.rollback(bergen.id)
    assert await texts(memory) == []


async def test_a_rollback_of_what_replaced_nothing_brings_nothing_back(memory: Memory) -> None:
    await tell(memory, "I live in Bergen", "I moved to Narvik", "my aunt keeps hens")
    aunt = (await believed(memory))[-1]
    assert (await memory.review.rollback(aunt.id)).restored == ()
    assert await texts(memory) == ["The user moved to Narvik"]


async def test_episodes_are_only_added(memory: Memory) -> None:
    episode = await memory.notes.episode("the boat sank", "towed home", ["boat"], OWNER)
    with pytest.raises(WrongState, match="episode"):
        await memory.review.rollback(episode.id)
    pending = await store(memory, NewRecord(Layer.EPISODIC, Kind.EVENT, "it sank", key="boat.fate"), Status.PENDING)
    await store(memory, NewRecord(Layer.EPISODIC, Kind.EVENT, "it floats", key="boat.fate"))
    assert (await memory.review.confirm(pending.id)).ended == ()


async def test_an_end_that_waited_ends_what_it_names_and_is_undone_in_one_step(memory: Memory) -> None:
    told = ["I'm allergic to bees", "I'm allergic to walnuts", "I'm not allergic to bees any more"]
    await tell(memory, *told)
    bees, nuts = await believed(memory)
    (waiting,) = await memory.review.pending(OWNER)
    assert waiting.replaces == (bees.id,)
    decision = await memory.review.confirm(waiting.record.id)
    assert [record.id for record in decision.ended] == [bees.id]
    end = decision.record
    assert (end.layer, end.kind, end.key, end.value) == (Layer.EPISODIC, Kind.EVENT, None, None)
    assert [await status_of(memory, one) for one in (bees, nuts)] == [Status.EXPIRED, Status.ACTIVE]
    await memory.review.rollback(end.id)
    assert {record.id for record in await believed(memory)} == {bees.id, nuts.id}


async def test_a_value_that_waited_with_what_it_contradicts_stands_alone_once_confirmed(memory: Memory) -> None:
    (milk,) = await memory.learn("milk makes me ill")
    new = NewRecord(
        Layer.PROFILE, Kind.POLICY, "The user drinks milk", key="user.diet", many=True,
        value={"compacted_from": [milk.id], "value": "milk"},
    )  # fmt: skip
    waiting = await store(memory, new, Status.PENDING)
    decision = await memory.review.confirm(waiting.id)
    assert ([record.id for record in decision.ended], decision.record.value) == ([milk.id], "milk")


# Bad input


async def test_wrong_states_and_unknown_ids_change_nothing(memory: Memory, path: Path) -> None:
    (active,) = await memory.learn("I live in Bergen")
    pending = await propose(memory, "user.home", "Narvik")
    gone = await propose(memory, "user.home", "Oslo")
    await memory.review.reject(gone.id)
    before = everything(path)
    review = memory.review
    for act, record in (
        (review.confirm, active), (review.reject, active), (review.rollback, pending),
        (review.confirm, gone), (review.reject, gone), (review.rollback, gone),
    ):  # fmt: skip
        with pytest.raises(WrongState) as refused:
            await act(record.id)
        assert refused.value.hint
        assert str(record.id) in refused.value.message
    for act in (review.confirm, review.reject, review.rollback):
        for unknown in (0, -1, 99, 10**30):
            with pytest.raises(RecordNotFound):
                await act(unknown)
    assert everything(path) == before


@pytest.mark.parametrize(
    ("key", "value"), [("user.home", " \n"), ("", "Oslo"), ("?!", "Oslo"), ("user.home", "o" * 1001), ("a" * 81, "b")]
)
async def test_empty_and_endless_proposals_are_refused(memory: Memory, path: Path, key: str, value: str) -> None:
    before = everything(path)
    with pytest.raises(BadQuery):
        await propose(memory, key, value)
    assert everything(path) == before


async def test_what_is_known_or_proposed_already_is_not_proposed_again(memory: Memory) -> None:
    await memory.learn("I live in Bergen")
    await propose(memory, "home", "Oslo")
    for value in ("bergen", "OSLO"):
        with pytest.raises(WrongState, match="already"):
            await propose(memory, "user.home", value)


# In conversation


async def asked(memory: Memory) -> Record:
    """The companion has just asked about a changed name."""
    await tell(memory, "my name is Ola", "my name is Kari")
    record = await memory.review.worth_asking("kitchen", OWNER)
    assert record is not None
    await memory.review.note_asked(record.id, "t1")
    return record


@pytest.mark.parametrize(
    ("utterance", "reply", "name"), [("Yes, that's right.", Reply.YES, "Kari"), ("no, it's Ola", Reply.NO, "Ola")]
)
async def test_a_plain_answer_decides(memory: Memory, utterance: str, reply: Reply, name: str) -> None:
    record = await asked(memory)
    answer = await memory.review.answer(turn("t2", utterance))
    assert answer is not None
    assert (answer[0], answer[1].record.id) == (reply, record.id)
    assert await texts(memory) == [f"The user's name is {name}"]
    _, history = await memory.inspect(record.id)
    assert history[-1].turn_id == "t2"


async def test_only_the_very_next_utterance_of_the_session_answers(memory: Memory) -> None:
    await asked(memory)
    assert await memory.review.answer(turn("t2", "yes", session_id="attic")) is None
    assert await memory.review.answer(turn("t2", "yes but only on Sundays")) is None
    await say(memory, "t2", "what's the weather like")
    assert await memory.review.answer(turn("t3", "yes")) is None
    assert await texts(memory, Status.PENDING) == ["The user's name is Kari"]


async def test_the_answer_counts_after_a_restart_and_when_it_is_in_the_log_already(path: Path) -> None:
    async with Memory(path, serve=True, clock=Clock()) as memory:
        await asked(memory)
    async with Memory(path, serve=True, clock=Clock()) as memory:
        await memory.hear(turn("t2", "yes"))
        assert await memory.review.answer(turn("t2", "yes")) is not None
        assert await memory.review.answer(turn("t2", "yes")) is None


async def test_only_what_matters_is_asked_about_and_only_once(memory: Memory) -> None:
    await propose(memory, "user.football_team", "Brann")
    assert await memory.review.worth_asking("kitchen", OWNER) is None
    allergy = await propose(memory, "user.allergy", "bees")
    found = await memory.review.worth_asking("kitchen", OWNER)
    assert found is not None
    assert found.id == allergy.id
    await memory.review.note_asked(allergy.id, "t1")
    assert await memory.review.worth_asking("kitchen", OWNER) is None


# The profile


async def test_the_profile_is_sorted_as_an_assistant_needs_it(memory: Memory) -> None:
    await tell(
        memory, "my name is Ola", "I'm allergic to bees", "I like jazz", "I live in Bergen", "I moved to Narvik",
        "I decided to learn the cello", "the ferry leaves at nine",
    )  # fmt: skip
    await store(memory, NewRecord(Layer.PROFILE, Kind.FACT, "in the shed", key="user.mood", session_id="shed"))
    profile = await memory.review.profile(OWNER)
    assert set(profile.identity) == {"user.name", "user.home"}
    (home,) = profile.identity["user.home"]
    assert home["text"] == "The user moved to Narvik"
    assert (home["confidence"], home["since"]) == (0.4, NOON)
    assert [entry["text"] for entry in profile.hard_preferences["user.allergy"]] == ["The user is allergic to bees"]
    assert [entry["text"] for entry in profile.soft_preferences["user.likes"]] == ["The user likes jazz"]
    assert [entry["text"] for entry in profile.current_tasks] == ["The user decided to learn the cello"]
    (change,) = profile.recent_changes
    assert (change["was"], change["now"]) == ("The user lives in Bergen", "The user moved to Narvik")
    assert {entry["key"] for entry in profile.sensitive_topics} == {"user.allergy"}
    nobody = await memory.review.profile("nobody")
    assert not any((nobody.identity, nobody.hard_preferences, nobody.recent_changes, nobody.sensitive_topics))


async def test_base_memory_goes_back_to_an_earlier_version(memory: Memory) -> None:
    for number in (1, 2):
        text = f"document {number}"
        await memory._store.write(lambda c, t=text: summaries.set_base_memory(c, OWNER, t, "a test", NOON))
    first = (await memory.base_memory_versions())[-1]
    current = await memory.review.roll_back_base(first.version, OWNER)
    assert (current.content, current.version) == ("document 1", 3)
    assert len(await memory.base_memory_versions()) == 3
    with pytest.raises(BadQuery, match="version 9"):
        await memory.review.roll_back_base(9, OWNER)
