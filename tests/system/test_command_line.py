"""The verbs as a person types them, and what they say when something is wrong."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from companion_process import Companion, lobug
from scripted_server import ScriptedServer

from edge_memory.store.connection import connect

HEAVY = {"aiohttp", "apsw", "gguf", "llama_cpp", "numpy", "pydantic", "serial"}


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 1, done.stderr
    error, hint = done.stderr.splitlines()[-2:]
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr


def test_the_command_line_starts_without_heavy_imports() -> None:
    code = "import sys, firmware_bridge.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)


def test_say_without_a_companion() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert_refused(lobug("say", "hello", "--url", f"http://127.0.0.1:{port}"), "no companion answers", "lobug serve")
    assert_refused(lobug("say", "hello", "--url", f"127.0.0.1:{port}"), f"answers at http://127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("memory", "confirm", "3"), "lobug memory review confirm"),
        (("pair",), "lobug devices pair"),
        (("memory", "lst"), "'list'"),
    ],
)
def test_a_verb_in_the_wrong_place_is_told_where_it_is(typed: tuple[str, ...], told: str) -> None:
    done = lobug(*typed)
    assert done.returncode == 2
    assert f"Did you mean {told}?" in done.stderr


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("memory", "list", "--url", "http://127.0.0.1:8321"), "reads the memory file"),
        (("memory", "review", "list", "--url=http://127.0.0.1:8321"), "give --data-dir"),
        (("doctor", "--url", "http://127.0.0.1:8321"), "give --data-dir"),
        (("say", "hello", "--data-dir", "elsewhere"), "give --url"),
    ],
)
def test_who_says_where_to_look_is_told_what_the_verb_looks_at(typed: tuple[str, ...], told: str) -> None:
    done = lobug(*typed)
    assert done.returncode == 2
    assert told in done.stderr


def test_no_first_sentence_of_help_is_cut_short() -> None:
    for words in ((), ("memory",), ("memory", "review"), ("models",), ("devices",), ("config",), ("service",)):
        listed = lobug(*words, "--help", environment={"COLUMNS": "80"}).stdout.partition("Commands:")[2]
        assert listed
        assert "..." not in listed


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("[memory]\nretrival_top_k = 3", "memory.retrieval_top_k"),
        ("[server]\nport = 99999", "server.port"),
        ("[memory]\nretrieval_top_k = 0", "retrieval_top_k"),
        ("not toml", "TOML"),
    ],
)
def test_bad_settings_name_the_right_one(tmp_path: Path, content: str, word: str) -> None:
    config = tmp_path / "lobug.toml"
    config.write_text(content)
    assert_refused(lobug("serve", "--config", str(config)), word)


def test_unknown_environment_setting() -> None:
    assert_refused(lobug("serve", environment={"LOBUG_SERVER__PROT": "1"}), "LOBUG_SERVER__PORT")


def test_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert_refused(lobug("serve", "--port", port, "--data-dir", str(tmp_path)), port, "--port")


def test_the_whole_network_is_not_let_in_by_accident(tmp_path: Path) -> None:
    done = lobug("serve", "--host", "0.0.0.0", "--port", "0", "--data-dir", str(tmp_path))
    assert_refused(done, "server.allow_unpaired")


def test_data_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert_refused(lobug("serve", "--port", "0", "--data-dir", str(tmp_path / "file" / "data")), "--data-dir")


def test_database_of_a_newer_version(tmp_path: Path) -> None:
    assert lobug("memory", "learn", "the gate code is blue", "--data-dir", str(tmp_path)).returncode == 0
    with closing(connect(tmp_path / "memory.db")) as connection:
        connection.pragma("user_version", 999)
    assert_refused(lobug("memory", "list", "--data-dir", str(tmp_path)), "999", "update lobug")


def test_two_companions_on_one_file(tmp_path: Path) -> None:
    with ScriptedServer() as models, Companion(tmp_path / "data", environment=models.memory_settings):
        done = lobug("serve", "--port", "0", "--data-dir", str(tmp_path / "data"))
        assert_refused(done, "already serves")


def test_memory_verbs_beside_a_running_companion(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with ScriptedServer() as models, Companion(tmp_path / "data", environment=models.memory_settings) as companion:
        assert lobug("memory", "learn", "the boiler man is called Sepp", "--data-dir", data).returncode == 0
        companion.wait_for(lambda health: health["memory"]["vectors"] >= 1)
        assert companion.say("who is the boiler man")["memories"]
        assert "Sepp" in lobug("memory", "search", "boiler", "--data-dir", data).stdout
        assert lobug("memory", "forget", "Sepp", "--yes", "--data-dir", data).returncode == 0
        assert companion.say("and who is the boiler man", session_id="other")["memories"] == []


def test_learn_list_inspect_search_forget_stats_export(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    lobug("memory", "learn", "remember that the ladder is in the shed", *data)
    lobug("memory", "learn", "my daughter Ines plays handball", *data)
    listed = json.loads(lobug("memory", "list", "--json", *data).stdout)
    assert [record["text"] for record in listed["records"]] == [
        "The user's daughter Ines plays handball",
        "The ladder is in the shed",
    ]
    inspected = json.loads(lobug("memory", "inspect", "1", "--json", *data).stdout)
    assert inspected["origin"] == "owner"
    assert [entry["action"] for entry in inspected["history"]] == ["insert"]
    found = json.loads(lobug("memory", "search", "where's the ladder?", "--json", *data).stdout)
    assert [hit["id"] for hit in found["hits"]] == [1]
    assert lobug("memory", "export", str(tmp_path / "out.json"), *data).returncode == 0
    assert len(json.loads((tmp_path / "out.json").read_text())["records"]) == 2
    assert_refused(lobug("memory", "export", str(tmp_path / "out.json"), *data), "cannot write")
    assert lobug("memory", "forget", "ladder", "--yes", *data).returncode == 0
    assert b"ladder" not in (tmp_path / "data" / "memory.db").read_bytes()
    assert json.loads(lobug("memory", "stats", "--json", *data).stdout)["records"] == 1


def test_a_decision_and_a_refused_import(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path / "data"))
    assert "review confirm 1" in lobug("memory", "profile", "propose", "user.home", "Narvik", *data).stdout
    assert "confirmed" in lobug("memory", "review", "confirm", "1", *data).stdout
    assert_refused(lobug("memory", "review", "confirm", "1", *data), "record 1 is active", "rollback")
    assert lobug("memory", "rollback", "1", *data).returncode == 1  # asked, and nobody there to answer
    (tmp_path / "memory.json").write_text('{"format": "lobug-memory", "version": 1, "user_id": "owner", "turns": [7]}')
    assert_refused(lobug("memory", "import", str(tmp_path / "memory.json"), *data), "turns[0]", "nothing was imported")


@pytest.mark.parametrize(
    "arguments",
    [
        ("inspect", "9"),
        ("forget", "nobody said this", "--yes"),
        ("search", " "),
        ("learn", ""),
        ("list", "--limit", "0"),
    ],
)
def test_memory_verbs_that_make_no_sense(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert_refused(lobug("memory", *arguments, "--data-dir", str(tmp_path)))


@pytest.mark.parametrize(
    "arguments", [("restore", "no.db"), ("devices", "revoke", "nobody"), ("memory", "base", "rollback", "7")]
)
def test_nothing_is_asked_about_what_is_not_there(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    lobug("memory", "learn", "The user likes tea", "--data-dir", str(tmp_path)).check_returncode()
    refused = lobug(*arguments, "--data-dir", str(tmp_path))
    assert_refused(refused)
    assert "y/N" not in refused.stdout


def test_a_memory_that_has_not_begun_cannot_be_copied(tmp_path: Path) -> None:
    assert_refused(lobug("backup", "--data-dir", str(tmp_path)), "there is no memory yet", "lobug serve")


@pytest.mark.parametrize(("verb", "name"), [(("backup",), "backups"), (("doctor", "--repair"), "memory.db.salvaged")])
def test_what_stands_in_the_way_of_a_verb_is_told(tmp_path: Path, verb: tuple[str, ...], name: str) -> None:
    data = ("--data-dir", str(tmp_path))
    lobug("memory", "learn", "The user likes tea", *data).check_returncode()
    if verb == ("backup",):
        (tmp_path / name).write_text("a file where the folder of copies belongs")
    else:
        (tmp_path / name).mkdir()
    assert_refused(lobug(*verb, *data), name)


def test_a_simulated_device_is_told_before_it_talks_that_its_sound_cannot_be_kept(tmp_path: Path) -> None:
    done = lobug("simulate", "--out", str(tmp_path / "no" / "reply.wav"))
    assert done.returncode == 2
    assert "there is no folder" in " ".join(done.stderr.split())


def test_doctor_finds_a_damaged_file_and_names_the_remedy(tmp_path: Path) -> None:
    lobug("memory", "learn", "the attic light is broken", "--data-dir", str(tmp_path))
    file = tmp_path / "memory.db"
    content = bytearray(file.read_bytes())
    content[100:4096] = b"\xff" * 3996
    file.write_bytes(content)
    done = lobug("doctor", "--json", "--data-dir", str(tmp_path))
    assert done.returncode == 1
    bad = [finding for finding in json.loads(done.stdout)["findings"] if not finding["ok"]]
    assert any("damaged" in finding["detail"] and finding["remedy"] for finding in bad)
    assert file.read_bytes() == bytes(content)


def test_doctor_asks_the_companion_that_runs_what_it_runs(tmp_path: Path) -> None:
    def told() -> dict[str, str]:
        findings = json.loads(lobug("doctor", "--json", "--data-dir", str(tmp_path / "data")).stdout)["findings"]
        return {finding["name"]: finding["detail"] for finding in findings}

    with ScriptedServer() as models, Companion(tmp_path / "data", environment=models.memory_settings) as companion:
        beside = told()
        chat = companion.health()["models"]["chat"]["name"]
        assert beside["running companion"].startswith(f"{companion.url}, with chat {chat} (")
        assert "at the next start" in beside["profile"]
        companion.kill()
    after = told()
    assert after["running companion"] == "none serves this memory"
    assert "at the next start" not in after["profile"]


def test_backup_beside_a_running_companion_and_restore_when_it_stopped(tmp_path: Path) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy.db"
    with ScriptedServer() as models, Companion(home, environment=models.memory_settings):
        lobug("memory", "learn", "The user likes tea", "--data-dir", str(home)).check_returncode()
        lobug("backup", str(copy), "--data-dir", str(home)).check_returncode()
        lobug("memory", "learn", "The user likes cake", "--data-dir", str(home)).check_returncode()
        assert_refused(lobug("restore", str(copy), "--yes", "--data-dir", str(home)), "serves", "stop it")
        assert_refused(lobug("backup", str(copy), "--data-dir", str(home)), "there already")
    assert_refused(lobug("restore", str(tmp_path / "no.db"), "--yes", "--data-dir", str(home)), "no file")
    refused = lobug("restore", __file__, "--yes", "--data-dir", str(home))
    assert_refused(refused, "is not a memory file", "what `lobug backup` wrote")
    lobug("restore", str(copy), "--yes", "--data-dir", str(home)).check_returncode()
    told = lobug("memory", "list", "--data-dir", str(home)).stdout
    assert "tea" in told
    assert "cake" not in told


def test_doctor_repairs_a_damaged_file_and_says_what_is_lost(tmp_path: Path) -> None:
    data = ("--data-dir", str(tmp_path))
    lobug("memory", "learn", "The user likes tea", *data).check_returncode()
    database = tmp_path / "memory.db"
    pages = [database.read_bytes()[at : at + 4096] for at in range(0, database.stat().st_size, 4096)]
    last = max(
        at for at, page in enumerate(pages) if b"CREATE " not in page
    )  # the schema's own pages are another matter
    pages[last] = bytes(4096)
    database.write_bytes(b"".join(pages))
    assert lobug("memory", "list", *data).returncode in (0, 1)
    findings = json.loads(lobug("doctor", "--repair", "--json", *data).stdout)["findings"]
    assert any(finding["name"] == "repair" and finding["ok"] for finding in findings)
    (whole,) = [finding for finding in findings if finding["name"] == "memory file"]
    assert whole["ok"], whole
