"""Recordings of every kind and size that `POST /chat/audio` takes, and what it refuses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import numpy as np
import pytest
from sounds import packed, pcm16, silence, speech, tone, wav
from voice_asking import PCM, WAV, refused, said
from web_house import House, open_house

from firmware_bridge.speech.protocols import Transcript

pytest.importorskip("av")


@pytest.mark.parametrize("rate", [8_000, 11_025, 22_050, 44_100, 48_000, 96_000])
@pytest.mark.parametrize(("bits", "channels"), [(8, 1), (16, 2), (24, 1), (32, 2)])
async def test_common_kinds_of_wav(house: House, rate: int, bits: int, channels: int) -> None:
    answer = await said(house, wav(speech(rate=rate), rate, bits, channels))

    assert answer["heard"] == "hello there"


async def test_what_is_heard_is_at_sixteen_kilohertz_and_of_full_length(tmp_path: Path) -> None:
    heard: list[int] = []

    def listen(samples: Any, hints: Sequence[str]) -> Transcript:
        heard.append(len(samples))
        return Transcript("hello", 0.0)

    async with open_house(tmp_path, hear=listen) as house:
        for rate in (8_000, 44_100):
            await said(house, wav(speech(2.0, rate), rate))
        await said(house, pcm16(speech(2.0, 22_050)), {"Content-Type": "audio/pcm;rate=22050"})
    assert all(abs(length - 2.5 * 16_000) < 0.08 * 16_000 for length in heard), heard  # with what is kept around it


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        (PCM, ""),
        ({"Content-Type": "audio/L16; rate=16000; channels=1"}, ""),
        ({"Content-Type": "application/octet-stream"}, ""),
        ({"Content-Type": "application/octet-stream", "X-Sample-Rate": "16000"}, ""),
        ({"Content-Type": "application/octet-stream"}, "?rate=16000&channels=1"),
    ],
)
async def test_raw_samples(house: House, headers: dict[str, str], query: str) -> None:
    assert (await said(house, pcm16(speech()), headers, query))["heard"] == "hello there"


async def test_opus_in_ogg_and_other_containers(house: House) -> None:
    sound = speech(rate=48_000)
    for content_type in ("audio/ogg", "audio/ogg; codecs=opus", "application/ogg"):
        opus = packed(sound, "ogg", "libopus")
        assert (await said(house, opus, {"Content-Type": content_type}))["heard"] == "hello there"
    webm = packed(sound, "webm", "libopus")
    assert (await said(house, webm, {"Content-Type": "audio/webm"}))["heard"] == "hello there"
    mp3 = packed(sound, "mp3", "libmp3lame")
    assert (await said(house, mp3, {"Content-Type": "audio/mpeg"}))["heard"] == "hello there"


async def test_a_form(house: House) -> None:
    form = aiohttp.FormData()
    form.add_field("session_id", "porch")
    form.add_field("file", wav(speech()), filename="a.wav", content_type="application/octet-stream")
    answer = await said(house, form, {})

    assert (answer["heard"], answer["session_id"]) == ("hello there", "porch")


@pytest.mark.parametrize(
    ("sound", "reason"),
    [
        (silence(2.0), "no_speech"),
        (np.concatenate([silence(1.0), tone(0.1), silence(1.0)]), "too_short"),
    ],
)
async def test_noise_is_logged_and_never_answered(house: House, sound: Any, reason: str) -> None:
    answer = await said(house, wav(sound))

    assert (answer["action"], answer["reason"], answer["text"]) == ("ignore", reason, "")
    assert answer["audio_url"] is None
    assert not house.replies.prompts
    assert [turn["action"] for turn in await house.memory.turns("default", 5)] == ["ignore"]
    headers = {**WAV, "Accept": "audio/wav"}
    assert (await house.ask("POST", "/chat/audio", headers=headers, data=wav(sound)))[0] == 204


@pytest.mark.parametrize(
    ("body", "headers", "expected"),
    [
        (b"", WAV, (422, "bad_audio")),
        (b"", PCM, (422, "bad_audio")),
        (wav(silence(0.0)), WAV, (422, "bad_audio")),  # 44 bytes
        (wav(speech())[:44], WAV, (422, "bad_audio")),
        (wav(speech())[:20], WAV, (422, "bad_audio")),
        (wav(speech(rate=1_000), 1_000), WAV, (422, "bad_audio")),
        (wav(speech(), 192_000), WAV, (422, "bad_audio")),
        (wav(speech(), channels=8), WAV, (422, "bad_audio")),
        (b"RIFF" + bytes(range(256)) * 20, WAV, (422, "bad_audio")),
        (packed(speech(rate=48_000), "mp3", "libmp3lame"), WAV, (415, "unknown_audio")),
        (b"hello, I am text", {"Content-Type": "text/plain"}, (415, "unknown_audio")),
        (b"hello, I am text", {"Content-Type": "audio/webm"}, (415, "unknown_audio")),
        (wav(silence(600.0, 8_000), 8_000), WAV, (413, "audio_too_long")),
        (b"\0" * (17 << 20), PCM, (413, "audio_too_long")),
        (packed(silence(600.0, 48_000), "ogg", "libopus"), {"Content-Type": "audio/ogg"}, (413, "audio_too_long")),
        (b"--x\r\nnonsense", {"Content-Type": "multipart/form-data; boundary=y"}, (422, "bad_request")),
        (b"nonsense", {"Content-Type": "multipart/form-data"}, (422, "bad_request")),
    ],
)  # fmt: skip
async def test_bad_sound_is_refused_and_nothing_is_lost(
    house: House, body: bytes, headers: dict[str, str], expected: tuple[int, str]
) -> None:
    assert await refused(house, body, headers) == expected
    assert (await house.memory.stats())["turns"] == 0
    assert (await said(house, wav(speech())))["action"] == "respond"


@pytest.mark.parametrize("query", ["?rate=fast", "?rate=7", "?channels=0", "?reply_rate=1234", "?session_id=a%20b"])
async def test_bad_parameters_are_refused(house: House, query: str) -> None:
    assert (await refused(house, pcm16(speech()), PCM, query))[0] == 422


@pytest.mark.parametrize(("place", "lie"), [(34, 0), (20, 3), (20, 0xFFFE), (20, 0x1234)])
async def test_a_header_that_lies_about_how_samples_are_written_is_told(house: House, place: int, lie: int) -> None:
    sound = bytearray(wav(speech()))
    sound[place : place + 2] = lie.to_bytes(2, "little")

    status, code = await refused(house, bytes(sound), WAV)
    assert (status, code) in {(422, "bad_audio"), (415, "unknown_audio")}


@pytest.mark.parametrize("claimed", [0, 10, 1_000_000, 0x7FFFFFFF, 0xFFFFFFFF])
async def test_a_header_that_lies_about_its_length_harms_nothing(house: House, claimed: int) -> None:
    status, answer = await house.ask("POST", "/chat/audio", headers=WAV, data=wav(speech(), claimed=claimed))
    assert status == 200
    assert answer["heard"] == ("" if claimed == 10 else "hello there")


async def test_clipped_noise_harms_nothing(house: House) -> None:
    noise = np.sign(np.random.default_rng(3).normal(size=48_000)).astype(np.float32)
    assert (await said(house, wav(noise)))["action"] in ("respond", "ignore", "clarify")


async def test_a_body_that_stops_half_way(house: House) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(house.url.rsplit(":", 1)[1]))
    whole = wav(speech())
    head = ("POST /chat/audio HTTP/1.1", "Host: 127.0.0.1", "Content-Type: audio/wav", f"Content-Length: {len(whole)}")
    writer.write("\r\n".join([*head, "", ""]).encode() + whole[:20_000])
    await writer.drain()
    writer.write_eof()
    await reader.read()
    writer.close()
    assert (await house.memory.stats())["turns"] == 0
    assert (await said(house, whole))["action"] == "respond"
