"""The verbs that decide about memory, over a real file; `tests/system` has them as a process."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edge_memory.errors import BadDocument, BadQuery, EdgeMemoryError, WrongState
from edge_memory.memory import Memory
from edge_memory.records import UserTurn
from edge_memory.store.conversation import Answer
from firmware_bridge.cli.main import app
from firmware_bridge.errors import BridgeError


def memory(*arguments: str, answer: str = "") -> str:
    """What `lobug memory` prints. `answer` is typed when it asks. Raises what ends the verb."""
    done = CliRunner().invoke(app, ["memory", *arguments], input=answer)
    if done.exception is not None:
        raise done.exception
    return done.stdout


def test_search_finds_what_was_said_beside_what_is_remembered(tmp_path: Path) -> None:
    async def live() -> None:
        async with Memory(tmp_path / "memory.db", serve=True) as house:
            heard = UserTurn("t1", "default", "owner", "well the old ferry was late again", 1_900_000_000.0)
            await house.hear(heard)
            await house.answer(Answer(heard, "Oh no.", "respond", {}, heard.heard_at))
            await house.learn("the ferry leaves at nine")

    asyncio.run(live())
    data = ("--data-dir", str(tmp_path))
    printed = memory("search", "the ferry", *data)
    assert "The ferry leaves at nine" in printed
    assert "well the old ferry was late again" in printed
    found = json.loads(memory("search", "the ferry", "--json", *data))
    assert [hit["text"] for hit in found["hits"]] == ["The ferry leaves at nine"]
    assert [(turn["turn_id"], turn["heard"]) for turn in found["turns"]] == [
        ("t1", "well the old ferry was late again")
    ]
    assert set(found["turns"][0]["why"]) >= {"words"}
    assert json.loads(memory("search", "ferry", "--kind", "fact", "--json", *data))["turns"] == []
    assert memory("search", "submarine", *data) == "nothing found\n"


def test_propose_confirm_rollback_reject_and_profile(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    memory("learn", "I live in Bergen", *data)
    done = memory("profile", "propose", "user.home", "Narvik", "--reason", "a new job", *data)
    assert "review confirm 2" in done
    assert "Narvik" in memory("review", "list", *data)
    waiting = json.loads(memory("review", "list", "--json", *data))["records"]
    assert [(one["id"], one["reason"], one["replaces"]) for one in waiting] == [(2, "a new job", [1])]
    assert "confirmed" in memory("review", "confirm", "2", *data)
    profile = json.loads(memory("profile", "show", "--json", *data))
    assert [entry["value"] for entry in profile["identity"]["user.home"]] == ["Narvik"]
    assert "Bergen" in memory("profile", "show", *data)  # among the recent changes
    assert "replaced  1: " in memory("inspect", "2", *data)
    assert "replaced by  2" in memory("inspect", "1", *data)
    assert "active -> superseded, by " in memory("inspect", "1", *data)
    assert "pending -> active, by " in memory("inspect", "2", *data)
    with pytest.raises(WrongState, match="record 2 is active"):
        memory("review", "confirm", "2", *data)
    assert "nothing changed" in memory("rollback", "2", *data, answer="n\n")
    rolled = json.loads(memory("rollback", "2", "--yes", "--json", *data))
    assert (rolled["record"]["status"], rolled["restored"]) == ("tombstoned", [1])
    memory("profile", "propose", "user.home", "Oslo", *data)
    assert "rejected" in memory("review", "reject", "3", *data)
    assert "nothing waits" in memory("review", "list", *data)


def test_learn_takes_kind_scope_and_priority(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    marks = ("--kind", "policy", "--scope", "garden/*", "--priority", "high")
    (kept,) = json.loads(memory("learn", "the hens need grit", *marks, "--json", *data))["records"]
    assert (kept["kind"], kept["scope"], kept["priority"]) == ("policy", "garden/*", "high")
    (again,) = json.loads(memory("learn", "the hens need grit", "--json", *data))["records"]
    assert (again["id"], again["kind"], again["priority"]) == (kept["id"], "policy", "high")
    assert json.loads(memory("list", "--scope", "garden/shed", "--json", *data))["total"] == 1
    assert "marked by the owner" in memory("inspect", str(kept["id"]), *data)
    for scope in ("", "x" * 201):
        with pytest.raises(BadQuery, match="scope"):
            memory("learn", "the hens need sand", "--scope", scope, *data)
    assert json.loads(memory("list", "--json", *data))["total"] == 1


def test_episode_procedure_dedup_compact_consolidate_and_scopes(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    memory("episode", "the boat sank", "--outcome", "towed home", "--tags", "boat, sea", *data)
    for steps in (("build", "copy"), ("build", "test", "copy")):
        words = [word for step in steps for word in ("--step", step)]
        memory("procedure", "deploy", *words, "--scope", "site/*", *data)
    listed = json.loads(memory("list", "--kind", "event", "--json", *data))["records"]
    assert [(one["value"], one["tags"]) for one in listed] == [({"outcome": "towed home"}, ["boat", "sea"])]
    assert json.loads(memory("list", "--scope", "site/blog", "--json", *data))["total"] == 2
    found = json.loads(memory("search", "build", "--scope", "site/*", "--json", *data))["hits"]
    assert {hit["id"] for hit in found} == {2, 3}
    assert json.loads(memory("search", "build", "--kind", "fact", "--json", *data))["hits"] == []
    assert "could be one" in memory("procedural", "dedup", *data)
    made = json.loads(memory("procedural", "dedup", "--create-proposals", "--json", *data))["groups"]
    assert [(group["sources"], group["proposal"]) for group in made] == [([2, 3], 4)]
    assert "ended: 2 records" in memory("review", "confirm", "4", *data)
    assert "nothing to join" in memory("semantic", "compact", "--create-proposals", *data)
    done = json.loads(memory("consolidate", "--json", *data))
    assert done == {"merged": 0, "archived": 0, "promoted": 0}


def test_a_ranker_orders_what_is_found(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    for sentence in ("the hens need grit", "the hens", "I live in Bergen"):
        memory("learn", sentence, *data)
    found = json.loads(memory("search", "the hens", "--ranker", "deterministic", "--json", *data))
    assert [(hit["text"], "exact" in hit["why"]) for hit in found["hits"]] == [
        ("The hens", True),
        ("The hens need grit", True),
    ]
    assert found["hits"][0]["why"]["exact"] == 16.0
    assert found["degraded"] == ""
    signals = json.loads(memory("search", "hens", "--ranker", "signals", "--json", *data))["hits"]
    assert set(signals[0]["why"]) == {"recency", "importance", "words"}


def test_a_run_notes_for_itself_and_is_closed_once(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    for step in ("build the site", "copy it over"):
        memory("run", "note", "deploy-7", step, *data)
    memory("run", "note", "deploy-8", "build the shop", *data)
    assert memory("search", "build", *data) == "nothing found\n"
    found = json.loads(memory("search", "build", "--session", "deploy-7", "--json", *data))["hits"]
    assert [hit["text"] for hit in found] == ["build the site"]
    assert json.loads(memory("list", "--session", "deploy-7", "--json", *data))["total"] == 2
    assert "build the site; copy it over" in memory("run", "close", "deploy-7", "--outcome", "it is up", *data)
    assert json.loads(memory("list", "--layer", "episodic", "--json", *data))["records"][0]["value"] == {
        "outcome": "it is up"
    }
    assert memory("search", "copy", "--session", "deploy-7", "--kind", "fact", *data) == "nothing found\n"
    assert "are gone" in memory("run", "close", "deploy-8", *data)
    assert json.loads(memory("list", "--status", "active", "--json", *data))["total"] == 1
    with pytest.raises(EdgeMemoryError, match="has no notes"):
        memory("run", "close", "deploy-7", *data)


def test_export_import_erase(tmp_path: Path) -> None:
    old, new, file = ("--data-dir", str(tmp_path / "old")), ("--data-dir", str(tmp_path / "new")), tmp_path / "out.json"
    memory("learn", "my daughter Ines plays handball", *old)
    memory("learn", "I live in Zinniatown", *old)
    memory("export", str(file), *old)
    came = json.loads(memory("import", str(file), "--json", *new))
    assert (came["records"], came["left_out"]) == (2, 0)
    assert "0 records" in memory("import", str(file), *new)
    document = json.loads(file.read_text())
    document["records"][1]["confidence"] = "quite"
    file.write_text(json.dumps(document))
    with pytest.raises(BadDocument, match=r"records\[1\].confidence"):
        memory("import", str(file), *new)
    assert "nothing changed" in memory("erase", "--key", "user.home", *new, answer="n\n")
    assert "erased" in memory("erase", "--key", "user.home", "--yes", *new)
    assert b"innia" not in b"".join(part.read_bytes() for part in (tmp_path / "new").iterdir())
    assert "erased" in memory("erase", "--user", "owner", "--yes", *new)
    assert json.loads(memory("list", "--json", *new))["total"] == 0
    assert "erased" in memory("erase", "--all", *old, answer="y\n")
    assert b"Ines" not in b"".join(part.read_bytes() for part in (tmp_path / "old").iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ("review", "confirm", "9"),
        ("review", "reject", "9"),
        ("rollback", "9", "--yes"),
        ("profile", "propose", "user.home", " "),
        ("profile", "propose", "?!", "Oslo"),
        ("episode", ""),
        ("procedure", "deploy"),
        ("import", "/nowhere/file.json"),
        ("import", "/dev/null"),
        ("erase", "--yes"),
        ("erase", "--all", "--user", "owner", "--yes"),
        ("erase", "--id", "9", "--yes"),
        ("erase", "--key", "user.nothing", "--yes"),
        ("erase", "--user", "stranger", "--yes"),
        ("base", "rollback", "9", "--yes"),
        ("list", "--limit", "0"),
        ("search", " ", "--kind", "fact"),
        ("search", "boat", "-k", "0", "--scope", "site/*"),
    ],
)
def test_verbs_that_make_no_sense_say_what_to_do(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises((EdgeMemoryError, BridgeError)) as refused:
        memory(*arguments, "--data-dir", str(tmp_path))
    assert refused.value.message
    assert refused.value.hint


@pytest.mark.parametrize(
    "query", ["?!", "'; DROP TABLE records; --", '"boat" AND NEAR(', "🙂", "boat " * 2_000, "*", "a-b:c"]
)
def test_strange_queries_find_nothing_or_something(tmp_path: Path, query: str) -> None:
    data = ("--data-dir", str(tmp_path))
    memory("episode", "the boat sank", *data)
    for options in ((), ("--kind", "event"), ("--scope", query)):
        assert memory("search", "--json", *options, *data, "--", query)


def test_base_memory_before_there_is_one(tmp_path: Path) -> None:
    assert "no base memory yet" in memory("base", "show", "--data-dir", str(tmp_path))
    assert "nothing is known" in memory("profile", "show", "--data-dir", str(tmp_path))
