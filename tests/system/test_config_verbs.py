"""`lobug config` and `--set`, as a person types them."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from companion_process import lobug

from firmware_bridge.settings import known_keys, load_settings
from firmware_bridge.settings_table import example_file, mistakes, settings_table

WRONG = """\
ofline = true
[server]
port = 99999
hots = "0.0.0.0"
[memory]
retrieval_top_k = 0
dedup_lookback = 0
[model]
temperature = "hot"
"""


def test_show_tells_each_setting_and_where_it_is_from(tmp_path: Path) -> None:
    file = tmp_path / "lobug.toml"
    file.write_text("[server]\nport = 1111\n[memory]\nretrieval_top_k = 7\n[model]\napi_key = 'secret'")
    environment = {"LOBUG_SERVER__PORT": "2222", "XDG_CONFIG_HOME": str(tmp_path)}
    command = ("config", "show", "--config", str(file), "--set", "model.threads=3", "--json")
    shown = {one["key"]: one for one in json.loads(lobug(*command, environment=environment).stdout)["settings"]}
    assert list(shown) == known_keys()
    assert (shown["server.port"]["value"], shown["server.port"]["origin"]) == (2222, "environment")
    assert (shown["memory.retrieval_top_k"]["value"], shown["memory.retrieval_top_k"]["origin"]) == (7, "file")
    assert (shown["model.threads"]["value"], shown["model.threads"]["origin"]) == (3, "flag")
    assert (shown["model.context"]["value"], shown["model.context"]["origin"]) == (4096, "default")
    assert shown["model.api_key"]["value"] == "(set)"
    table = lobug(*command[:-1], "--changed", environment=environment).stdout
    assert len(table.splitlines()) == 5
    assert re.search(r"^server\.port +2222 +environment$", table, re.MULTILINE)


@pytest.mark.parametrize(
    ("given", "word"), [("model.thread=3", "model.threads"), ("model.threads", "a value is missing")]
)
def test_a_wrong_flag_is_refused(given: str, word: str) -> None:
    done = lobug("config", "show", "--set", given)
    assert done.returncode == 1
    assert word in done.stderr


def test_check_names_each_wrong_line(tmp_path: Path) -> None:
    file = tmp_path / "lobug.toml"
    file.write_text(WRONG)
    done = lobug("config", "check", str(file))
    assert done.returncode == 1
    told = [line.removeprefix(f"{file}:") for line in done.stdout.splitlines()]
    assert [int(line.split(":")[0]) for line in told] == [1, 3, 4, 6, 7, 9]
    words = ("offline", "server.port", "server.host", "retrieval_top_k", "dedup_lookback", "model.temperature")
    assert all(word in line for word, line in zip(words, told, strict=True))
    nowhere = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert "nothing is set there" in lobug("config", "check", environment=nowhere).stdout
    (tmp_path / "lobug").mkdir()
    shutil.copy(file, tmp_path / "lobug")
    assert "hots" in lobug("config", "check", environment=nowhere).stdout
    file.write_text("[server\nport = 1")
    assert mistakes(file)[0].line == 1
    file.write_text("[persona]\nname = \u201cAda\u201d\n")
    assert (mistakes(file)[0].line, "straight quotes" in mistakes(file)[0].hint) == (2, True)
    file.write_text("[memory]\nshort_term_keep = 40\nshort_term_threshold = 50\n")
    assert lobug("config", "check", str(file)).returncode == 0
    file.write_text("[memory]\nshort_term_keep = 40\n")
    assert [mistake.line for mistake in mistakes(file)] == [2]


def test_the_example_holds_every_setting_and_is_right(tmp_path: Path) -> None:
    assert lobug("config", "example").stdout == example_file()
    sections = {key.split(".")[0] for key in known_keys() if "." in key}
    assert tomllib.loads(example_file()) == {section: {} for section in sections}
    (tmp_path / "empty.toml").touch()
    file = tmp_path / "lobug.toml"
    file.write_text(re.sub(r"(?m)^#(\w+ = )", r"\1", example_file()))
    assert mistakes(file) == []
    empty = load_settings(config=tmp_path / "empty.toml")
    assert load_settings(config=file).model_dump() == empty.model_dump()
    assert len(re.findall(r"(?m)^\w+ = ", file.read_text())) == len(known_keys())


def test_every_setting_says_what_it_is_for() -> None:
    assert all(setting.meaning for setting in settings_table())
