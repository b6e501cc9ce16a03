"""The house as a whole: errors, rooms, documents."""

from __future__ import annotations

import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import typer

from edge_memory import errors as memory_errors
from firmware_bridge import errors
from firmware_bridge.app.metrics import Metrics
from firmware_bridge.cli.main import app
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings_table import settings_table
from firmware_bridge.web.doors import DOORS
from firmware_bridge.web.failures import http_code

ROOT = Path(__file__).resolve().parents[2]
CARD = {"edge_memory", "firmware_bridge", "models", "tests", "scripts"}
TREE = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__]


@pytest.mark.parametrize("kind", TREE)
def test_each_error_is_drawn_in_the_tree_and_has_a_code_of_its_own(kind: type[errors.BridgeError]) -> None:
    assert errors.__doc__
    assert kind.__name__ in errors.__doc__
    everything = [*TREE, *errors_of(memory_errors)]
    assert [other for other in everything if other.code == kind.code] == [kind]
    assert 400 <= kind.status < 600


def test_the_generated_parts_of_the_documents_are_current() -> None:
    done = subprocess.run([ROOT / "scripts" / "docs", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_route_setting_metric_and_error_is_documented() -> None:
    text = (ROOT / "REFERENCE.md").read_text(encoding="utf-8")
    names = [setting.key for setting in settings_table()]
    names += [f"{method} {path}" for method, path in DOORS]
    names += [metric.name + "_total" * (metric.type == "counter") for metric in Metrics(ComputeLane()).described()]
    names += [kind.code for tree in (errors, memory_errors) for kind in errors_of(tree)]
    names += [http_code(status) for status in (400, 404, 405, 413, 421)]
    assert [name for name in names if f"`{name}`" not in text] == []
    verbs = [verb for verb in verbs_of(typer.main.get_command(app), "") if f"`lobug {verb}" not in text]
    assert verbs == []


def errors_of(tree: ModuleType) -> list[type[errors.BridgeError]]:
    """Without the base, which is never raised."""
    found = [kind for _, kind in inspect.getmembers(tree, inspect.isclass) if kind.__module__ == tree.__name__]
    return [kind for kind in found if kind.__base__ is not Exception]


def verbs_of(command: Any, prefix: str) -> list[str]:
    if not hasattr(command, "commands"):
        return [prefix.strip()]
    return [verb for name, child in command.commands.items() for verb in verbs_of(child, f"{prefix}{name} ")]


def test_the_map_names_files_that_are_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"\b(?:edge_memory|firmware_bridge|scripts|tests|models)/[\w./]*\w", text)
    assert len(named) >= 50
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_what_the_code_names_in_full_is_there() -> None:
    sources = [path for room in ("edge_memory", "firmware_bridge") for path in (ROOT / room).rglob("*.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(re.findall(r"`((?:edge_memory|firmware_bridge)(?:\.\w+)+)`", text))
    assert len(named) >= 10
    for name in named:
        assert pkgutil.resolve_name(name) is not None


def test_the_top_level_is_the_card() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    folders = {line.split("/")[0] for line in tracked.splitlines() if "/" in line}
    assert folders <= CARD | {".ci"}


def test_every_module_is_read_in_one_sitting() -> None:
    for folder in ("edge_memory", "firmware_bridge", "scripts", "tests"):
        for module in (ROOT / folder).rglob("*.py"):
            assert len(module.read_text(encoding="utf-8").splitlines()) <= 330, module


def test_a_wheel_carries_the_catalogue(tmp_path: Path) -> None:
    import tomllib
    import zipfile

    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = config["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {"models/catalogue.toml": "firmware_bridge/weights/catalogue.toml"}
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(tmp_path), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    assert "firmware_bridge/weights/catalogue.toml" in names
    assert "edge_memory/store/migrations/0001_house.sql" in names
    assert {"edge_memory/py.typed", "firmware_bridge/py.typed"} <= set(names)
    assert "firmware_bridge/web/static/index.html" in names


@pytest.mark.parametrize("bench", sorted((ROOT / "scripts").glob("bench_*.py")), ids=lambda path: str(path.stem))
def test_each_bench_runs_by_its_name_and_takes_json(bench: Path) -> None:
    done = subprocess.run([bench, "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--json" in done.stdout


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "GUIDE.md",
        "REFERENCE.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "scripts/README.md",
        "models/README.md",
    ],
)
def test_every_link_within_the_documents_leads_somewhere(name: str) -> None:
    document = ROOT / name
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", document.read_text(encoding="utf-8"))
    for path, heading in links:
        target = document.parent / path if path else document
        assert target.exists(), path
        assert not heading or heading in headings_of(target), f"{path}#{heading}"


def headings_of(document: Path) -> set[str]:
    """As GitHub names them in links."""
    titles = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_start_names_a_misspelt_option_before_it_installs_anything(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    start = [tmp_path / "scripts" / "start", "--profil", "small"]
    done = subprocess.run(start, capture_output=True, text=True, timeout=240)
    assert done.returncode == 2
    known = set(re.findall(r"--[a-z-]+", done.stderr))
    serve = typer.main.get_command(app).commands["serve"]
    assert known - {"--profil"} == {option for each in serve.params for option in each.opts} | {
        "--no-speech",
        "--no-integrations",
        "--help",
    }
    assert not (tmp_path / ".venv").exists()
