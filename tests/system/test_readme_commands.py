"""The commands of README.md and GUIDE.md do what they say when they are typed as they stand there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import readme_house
import typer
from readme_house import KINDS, ROOT, Elsewhere, Runs, Serves, blocks, commands, documents, lacking, languages

from firmware_bridge.cli.main import app

_PATIENCE_SECONDS = 600.0  # half a minute of work, and sixty processes on a machine that may be busy
pytestmark = pytest.mark.timeout(_PATIENCE_SECONDS)
_INLINE = re.compile(r"`([^`\n]+)`")
_IN_HOUSE = [command for command in commands() if not isinstance(KINDS.get(command), Elsewhere)]
_BLOCKS = [f"{language} {number}" for language in ("python", "toml") for number in range(len(blocks(language)))]


def test_every_command_is_classified_and_nothing_else() -> None:
    assert [one for one in commands() if one not in KINDS] == [], "say in readme_house.KINDS how a new command is run"
    assert [one for one in KINDS if one not in commands()] == []
    for kind in KINDS.values():
        if isinstance(kind, Elsewhere):
            assert kind.why
            assert (ROOT / kind.proof).exists()


def test_every_block_says_what_it_is() -> None:
    """So that no command hides in one that is not run."""
    assert languages() <= {"sh", "python", "toml", "text"}
    told = "\n".join(blocks("text"))
    assert not re.search(r"^\s*(lobug|scripts/|\.venv/|curl|pip|sudo) ", told, re.MULTILINE)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """How each command ended, by command."""
    alone = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if not (shutil.which("unshare") and shutil.which("ip")) or subprocess.run([*alone, "true"]).returncode:
        pytest.skip("this machine does not allow network namespaces, where the usual port is free")
    done = subprocess.run(
        [*alone, sys.executable, readme_house.__file__, str(tmp_path_factory.mktemp("readme"))],
        stdout=subprocess.PIPE,
        text=True,
        timeout=_PATIENCE_SECONDS,
        check=True,
    )
    return {told["command"]: told for told in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("command", [*_IN_HOUSE, *_BLOCKS])
def test_it_works_as_written(command: str, ended: dict[str, dict[str, Any]]) -> None:
    kind = KINDS.get(command, Runs())
    if lacking(kind):
        pytest.skip(lacking(kind))
    wanted = kind.status if isinstance(kind, Serves) else 0
    assert ended[command]["status"] == wanted, ended[command]["said"]


def test_every_command_in_a_sentence_is_one() -> None:
    """`lobug ...` between backticks names a verb and options that there are; a script or a test is there."""
    wrong = []
    for told in _INLINE.findall(documents()):
        words = told.split()
        if words[0] in ("lobug", ".venv/bin/lobug"):
            wrong += [told] * (not _is_verb(words[1:]))
        wrong += [told for word in words if re.match(r"(scripts|tests)/", word) and not _is_file(word)]
    assert wrong == []


def _is_verb(words: list[str]) -> bool:
    verb: Any = typer.main.get_command(app)
    options: set[str] = set()
    for word in words:
        if word in getattr(verb, "commands", ()):
            verb = verb.commands[word]
            options = {name for one in verb.params for name in (*one.opts, *one.secondary_opts)}
        elif (word.startswith("-") and word not in options) or hasattr(verb, "commands"):
            return False
    return True


def _is_file(word: str) -> bool:
    return bool(list(ROOT.glob(Path(word.rstrip(",.;:)")).as_posix())))
