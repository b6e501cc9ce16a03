"""Weights out of packages: where the hub cannot give them, part by part."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest
from weights_pulling import (
    CONTENT,
    HASTY,
    HUB,
    HUB_PATH,
    PACKAGES,
    PATIENT,
    WHEELS,
    Notes,
    model_of,
    names_in,
    pulled,
    put_packages,
    shelf_of,
)
from weights_servers import Servers, closed_port, wheel_of

from firmware_bridge.errors import DownloadFailed


async def test_a_dead_hub_is_left_for_the_packages(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    notes = Notes()

    path = await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), notes, hub=closed_port())

    assert path.read_bytes() == CONTENT
    assert notes.texts == ["hub owner/repository: 127.0.0.1 cannot be reached"]


async def test_a_silent_hub_is_left_too(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    notes = Notes()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hub = f"http://127.0.0.1:{silent.getsockname()[1]}"

        path = await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), notes, hub=hub, patience=HASTY)

    assert path.read_bytes() == CONTENT
    assert notes.texts == ["hub owner/repository: 127.0.0.1 does not answer in time"]


async def test_a_file_that_the_hub_lacks_comes_from_the_packages(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    notes = Notes()

    path = await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), notes)

    assert path.read_bytes() == CONTENT
    assert notes.texts == ["hub owner/repository: 127.0.0.1 answers with HTTP status 404"]


async def test_a_download_that_the_hub_began_is_finished_from_the_packages(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    servers.put_hub(HUB_PATH, CONTENT)
    servers.cuts = [150_000]

    path = await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), patience=replace(PATIENT, attempts=1))

    assert path.read_bytes() == CONTENT
    assert servers.gets[WHEELS[0]] == 0
    assert servers.gets[WHEELS[1]] == servers.gets[WHEELS[2]] == 1


async def test_parts_are_joined_with_one_wheel_on_the_disk_at_a_time(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    wheels: list[int] = []
    notes = Notes(lambda: wheels.append(sum(".whl" in file.name for file in tmp_path.rglob("*"))))

    path = await pulled(servers, shelf_of(model_of(PACKAGES), tmp_path), notes)

    assert path.read_bytes() == CONTENT
    assert max(wheels) == 1
    assert notes.steps[-1][0] == notes.steps[-1][1] == sum(len(wheel) for wheel in servers.wheels.values())


async def test_parts_that_are_done_are_not_fetched_again(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    shelf = shelf_of(model_of(PACKAGES), tmp_path)
    good = servers.wheels[WHEELS[1]]
    servers.wheels[WHEELS[1]] = good[:-10]
    with pytest.raises(DownloadFailed, match="checksum is wrong"):
        await pulled(servers, shelf)
    servers.wheels[WHEELS[1]] = good

    path = await pulled(servers, shelf)

    assert path.read_bytes() == CONTENT
    assert servers.gets[WHEELS[0]] == 1


async def test_a_wheel_that_is_no_archive_is_refused(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    broken = servers.wheels[WHEELS[2]][:5_000]
    servers.put_wheel("weights-part3", "1.0", broken)

    with pytest.raises(DownloadFailed, match=r"weights-part3-1\.0\.whl is a damaged wheel"):
        await pulled(servers, shelf_of(model_of(PACKAGES), tmp_path))


@pytest.mark.parametrize(
    ("members", "complaint"),
    [({"other": b""}, "has no data/part1.bin"), ({"data/part1.bin": b"short"}, "has 5 bytes instead of 120000")],
)
async def test_a_wheel_without_the_member_is_refused(
    servers: Servers, tmp_path: Path, members: dict[str, bytes], complaint: str
) -> None:
    put_packages(servers)
    servers.put_wheel("weights-part1", "1.0", wheel_of(members))

    with pytest.raises(DownloadFailed, match=complaint):
        await pulled(servers, shelf_of(model_of(PACKAGES), tmp_path))


async def test_another_version_of_a_package_is_not_taken(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    wheel = servers.wheels.pop(WHEELS[1])
    servers.put_wheel("weights-part2", "1.0.1", wheel)

    with pytest.raises(DownloadFailed, match=r"no wheel of weights-part2 1\.0"):
        await pulled(servers, shelf_of(model_of(PACKAGES), tmp_path))


async def test_an_index_of_the_old_kind_is_named(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    servers.speaks_json = False

    with pytest.raises(DownloadFailed, match="does not answer in JSON"):
        await pulled(servers, shelf_of(model_of(PACKAGES), tmp_path))


async def test_every_failed_source_is_named(servers: Servers, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed) as caught:
        await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), hub=closed_port())

    assert "hub owner/repository: 127.0.0.1 cannot be reached" in caught.value.message
    assert "3 packages weights-part1 ... weights-part3 1.0: " in caught.value.message
    assert "kept" in caught.value.hint
    assert names_in(tmp_path) == {".lock"}
