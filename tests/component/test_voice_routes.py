"""The voice over real sockets: memory, turns, routes, decoding and endpointing are real; what was heard is scripted."""

from __future__ import annotations

import asyncio
import io
import sys
import wave
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import aiohttp
import numpy as np
import openai
import pytest
from sounds import packed, pcm16, silence, speech, tone, wav
from web_house import House, open_house, until

from edge_memory.store.records import Filter
from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.contracts import Heard, Hearing, PlayAudio, ReplySound, Said, TurnBegun
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech.protocols import Transcript

pytest.importorskip("av")
WAV = {"Content-Type": "audio/wav"}
PCM = {"Content-Type": "audio/pcm"}


async def said(house: House, body: Any, headers: dict[str, str] = WAV, query: str = "") -> dict[str, Any]:
    data = io.BytesIO(body) if isinstance(body, bytes) else body
    status, answer = await house.ask("POST", f"/chat/audio{query}", headers=headers, data=data)
    assert status == 200, answer
    return answer


async def refused(house: House, body: Any, headers: dict[str, str] = WAV, query: str = "") -> tuple[int, str]:
    status, answer = await house.ask("POST", f"/chat/audio{query}", headers=headers, data=io.BytesIO(body))
    assert status >= 400
    assert answer["error"]["message"]
    assert answer["error"]["hint"]
    return status, answer["error"]["code"]


async def test_a_recording_is_answered_in_words_and_in_sound(house: House) -> None:
    answer = await said(house, wav(speech()), query="?session_id=kitchen")

    assert answer["action"] == "respond"
    assert answer["heard"] == "hello there"
    assert answer["text"] == "You said hello there."
    assert answer["session_id"] == "kitchen"
    assert {"endpoint_ms", "transcribe_ms", "first_token_ms", "first_clause_ms", "first_audio_ms"} <= set(
        answer["timings"]
    )
    async with house.session.get(house.url + answer["audio_url"]) as response:
        sound = await response.read()
        assert response.headers["Content-Length"] == str(len(sound))
    with wave.open(io.BytesIO(sound)) as heard:
        assert (heard.getnchannels(), heard.getsampwidth(), heard.getframerate()) == (1, 2, 16_000)
        assert heard.getnframes() / 16_000 == pytest.approx(4 * 0.3 + 0.12, abs=0.01)  # four words of tone and a pause
    turns = await house.memory.turns("kitchen", 10)
    assert [(turn["heard"], turn["said"]) for turn in turns] == [("hello there", "You said hello there.")]


async def test_a_client_that_plays_wav_gets_wav(house: House) -> None:
    headers = {**WAV, "Accept": "audio/wav"}
    async with house.session.post(
        house.url + "/chat/audio?reply_rate=24000", data=wav(speech()), headers=headers
    ) as got:
        sound = await got.read()
    assert got.status == 200
    assert got.headers["Content-Length"] == str(len(sound))
    assert got.headers["X-Lobug-Action"] == "respond"
    assert unquote(got.headers["X-Lobug-Heard"]) == "hello there"
    assert unquote(got.headers["X-Lobug-Text"]) == "You said hello there."
    with wave.open(io.BytesIO(sound)) as heard:
        assert heard.getframerate() == 24_000


async def test_a_client_that_streams_hears_the_first_clause_while_the_rest_is_written(tmp_path: Path) -> None:
    reply = "Well then, here is a rather long answer. " + "It goes on and on. " * 5
    async with open_house(tmp_path, lambda _: reply) as house:
        house.replies.hold(after_words=12)
        headers = {**WAV, "Accept": "audio/pcm"}
        async with house.session.post(house.url + "/chat/audio", data=wav(speech()), headers=headers) as got:
            assert got.headers["Content-Type"] == "audio/pcm;rate=16000;channels=1"
            await got.content.readexactly(1_000)
            assert len(house.synthesiser.texts) < 4, "it was not spoken as a whole"
            assert not (await house.memory.turns("default", 1))[0]["said"], "and not even written as a whole"
            house.replies.go_on()
            rest = await got.read()
    assert len(rest) % 2 == 0
    assert len(house.synthesiser.texts) == 6


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


async def test_a_live_recording_is_answered_before_it_ends(house: House) -> None:
    ended = asyncio.Event()

    async def recording() -> AsyncIterator[bytes]:
        sound = pcm16(np.concatenate([silence(0.5), tone(1.0), silence(1.0)]))
        for place in range(0, len(sound), 3_201):  # pieces that cut samples in two
            yield sound[place : place + 3_201]
        await ended.wait()

    asking = asyncio.create_task(said(house, recording(), PCM))
    try:
        answer = await asyncio.wait_for(asyncio.shield(asking), 60)
    finally:
        ended.set()
    assert answer["heard"] == "hello there"
    assert answer["timings"]["endpoint_ms"] >= 700, "the silence that told the end counts"


async def test_a_long_utterance_reaches_the_recogniser_in_pieces_that_it_takes(house: House) -> None:
    sound = np.concatenate([*([tone(6.0), silence(0.3)] * 6)])
    answer = await said(house, wav(sound))

    assert answer["heard"] == " ".join(["hello there"] * len(house.transcriber.calls))
    assert 3 <= len(house.transcriber.calls) <= 5


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


async def test_what_was_badly_heard_is_asked_again_once_and_never_remembered(tmp_path: Path) -> None:
    def badly(samples: Any, hints: Sequence[str]) -> Transcript:
        return Transcript("My name is Grmbl.", -1.5)

    async with open_house(tmp_path, hear=badly) as house:
        first = await said(house, wav(speech()))
        assert (first["action"], first["reason"]) == ("clarify", "unclear")
        assert first["text"].endswith("again?")
        assert first["audio_url"]
        while await house.memory.digest_once():
            pass
        assert (await house.memory.select(Filter()))[1] == 0
        assert (await said(house, wav(speech())))["action"] == "respond"


async def test_its_own_voice_is_not_answered(tmp_path: Path) -> None:
    heard = iter(["what is there to do", "The dentist expects the whole family on Friday", "what else"])
    reply = "The dentist expects the whole family on Friday."
    async with open_house(tmp_path, lambda _: reply, hear=lambda *_: Transcript(next(heard), -0.1)) as house:
        assert (await said(house, wav(speech())))["action"] == "respond"
        echo = await said(house, wav(speech()))
        assert (echo["action"], echo["reason"]) == ("ignore", "echo")
        assert (await said(house, wav(speech())))["action"] == "respond"


@pytest.mark.parametrize("phrase", ["hey lobug", "hey {name}"])
async def test_a_wake_phrase(tmp_path: Path, phrase: str) -> None:
    heard = iter(["what is on television", "hey lobug what time is it", "and tomorrow"])
    settings = SpeechSettings(wake_phrase=phrase)
    async with open_house(tmp_path, hear=lambda *_: Transcript(next(heard), -0.1), speech=settings) as house:
        assert (await said(house, wav(speech())))["reason"] == "not_addressed"
        assert (await said(house, wav(speech())))["heard"] == "what time is it"
        assert (await said(house, wav(speech())))["action"] == "respond", "a conversation goes on without it"


async def test_memory_helps_the_ear(tmp_path: Path) -> None:
    async with open_house(tmp_path, hear=lambda *_: Transcript("Where does Pria live?", -0.1)) as house:
        await house.memory.learn("My wife's name is Priya")
        await house.memory.learn("I take metformin every morning")
        answer = await said(house, wav(speech()))
        assert {"Lo-Bug", "Priya", "metformin"} <= set(house.transcriber.calls[0])
        assert answer["heard"] == "Where does Priya live?"
        assert (await house.memory.turns("default", 1))[0]["heard"] == "Where does Priya live?"


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


async def test_a_client_that_leaves_has_its_turn_kept_and_no_sound_made(tmp_path: Path) -> None:
    reply = "One sentence is here. " * 30
    async with open_house(tmp_path, lambda _: reply) as house:
        house.replies.hold(after_words=6)
        asking = asyncio.create_task(said(house, wav(speech())))
        await until(lambda: house.synthesiser.texts)
        asking.cancel()
        await until(lambda: "sound of a reply" not in {task.get_name() for task in asyncio.all_tasks()})
        house.replies.go_on()
        while not (turns := await house.memory.turns("default", 1))[0]["said"]:
            pass
        assert turns[0]["said"] == reply.strip()
        assert len(house.synthesiser.texts) < 15


async def test_a_second_utterance_of_a_device_waits_for_the_first(tmp_path: Path) -> None:
    heard = iter(["first", "second", "third"])
    async with open_house(
        tmp_path, lambda messages: messages[-1].content, hear=lambda *_: Transcript(next(heard), 0.0)
    ) as house:
        house.replies.hold()
        asked: list[asyncio.Task[dict[str, Any]]] = []
        while len(asked) < 3:
            asked.append(asyncio.create_task(said(house, wav(speech()), query="?device_id=m5")))
            await until(lambda: len(house.transcriber.calls) == len(asked))
        house.replies.go_on()
        answers = await asyncio.gather(*asked)
    assert [answer["text"] for answer in answers] == ["first", "second", "third"]


async def test_sounds_are_gone_after_their_time_and_were_never_others(tmp_path: Path) -> None:
    async with open_house(tmp_path, speech=SpeechSettings(sound_minutes=0.1)) as house:
        token, other = await house.pair("desk"), await house.pair("shelf")
        status, answer = await house.ask("POST", "/chat/audio", token, headers=WAV, data=wav(speech()))
        assert status == 200
        assert (await house.ask("GET", answer["audio_url"], token))[0] == 200
        assert (await house.ask("GET", answer["audio_url"], other))[1]["error"]["code"] == "sound_not_found"
        assert (await house.ask("GET", "/chat/audio/unheard", token))[0] == 404


async def test_openai_clients_transcribe_and_speak(house: House) -> None:
    form = aiohttp.FormData()
    form.add_field("model", "whisper-1")
    form.add_field("prompt", "Priya, Bangalore")
    form.add_field("file", wav(speech()), filename="a.wav", content_type="audio/wav")
    assert await house.ask("POST", "/v1/audio/transcriptions", data=form) == (200, {"text": "hello there"})
    assert {"Priya", "Bangalore"} <= set(house.transcriber.calls[0])
    assert (await house.memory.stats())["turns"] == 0
    for form_name, magic in {
        "mp3": (b"ID3", b"\xff"),
        "wav": (b"RIFF",),
        "opus": (b"OggS",),
        "flac": (b"fLaC",),
    }.items():
        body = {"model": "tts-1", "voice": "alloy", "input": "Hello **there**.", "response_format": form_name}
        async with house.session.post(house.url + "/v1/audio/speech", json=body) as got:
            assert got.status == 200
            assert (await got.read()).startswith(magic)
    assert house.synthesiser.texts[-1] == "Hello there."
    async with house.session.post(
        house.url + "/v1/audio/speech", json={"input": "Hello.", "response_format": "pcm"}
    ) as got:
        assert len(await got.read()) == 2 * int(24_000 * (0.3 + 0.12))


async def test_the_openai_sdk_transcribes_and_speaks(house: House) -> None:
    async with openai.AsyncOpenAI(base_url=f"{house.url}/v1", api_key="none", max_retries=0) as client:
        given = {"model": "whisper-1", "file": ("a.wav", wav(speech())), "prompt": "Priya"}
        assert (await client.audio.transcriptions.create(**given)).text == "hello there"
        assert "Priya" in house.transcriber.calls[-1]
        assert await client.audio.transcriptions.create(**given, response_format="text") == "hello there\n"
        whole = await client.audio.transcriptions.create(**given, response_format="verbose_json")
        assert (whole.text, whole.segments) == ("hello there", [])
        assert float(whole.duration) > 0.5

        asked = {"model": "tts-1", "voice": "alloy", "input": "Hello **there**."}
        assert (await client.audio.speech.create(**asked)).content.startswith((b"ID3", b"\xff"))
        async with client.audio.speech.with_streaming_response.create(**asked, response_format="pcm") as streamed:
            assert len(b"".join([piece async for piece in streamed.iter_bytes()])) > 10_000
        assert house.synthesiser.texts[-1] == "Hello there."
        with pytest.raises(openai.BadRequestError):
            await client.audio.speech.create(**(asked | {"input": "***"}))
        with pytest.raises(openai.BadRequestError):
            await client.audio.transcriptions.create(model="whisper-1", file=("a.wav", b"RIFF and no sound"))


@pytest.mark.parametrize(
    "body",
    [{}, {"input": ""}, {"input": "a", "response_format": "midi"}, {"input": "***"}, {"input": "a", "speed": 2.0}],
)
async def test_bad_requests_to_speak(house: House, body: dict[str, Any]) -> None:
    status, answer = await house.ask("POST", "/v1/audio/speech", json=body)
    assert status == 400
    assert answer["error"]["type"] == "invalid_request_error"


async def test_a_slow_machine_offers_a_cue_before_the_answer(tmp_path: Path) -> None:
    settings = SpeechSettings(cue_after_seconds=0.3)
    async with open_house(tmp_path, seconds_per_word=0.2, speech=settings) as house:
        with house.board.listen("m5") as ear:
            first = await said(house, wav(speech()), query="?device_id=m5")
            await said(house, wav(speech()), query="?device_id=m5")
            notices = [await ear.next() for _ in range(ear.waiting)]
    sounds = [notice for notice in notices if isinstance(notice, PlayAudio)]
    assert first["timings"]["first_audio_ms"] > 300
    assert len(sounds) == 1, "none before anything was measured, then one"
    assert "Let me think." in house.synthesiser.texts


async def test_a_device_on_a_cable_is_heard_and_hears_the_reply(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        cable = CabledCompanion(house.companion, house.memory.devices)
        heard = Heard("", session_id="m5", device_id="m5", turn_id="t1")
        events = [event async for event in cable.listen(heard, pcm16(speech()), 16_000)]
    assert [type(event) for event in events[:2]] == [Hearing, TurnBegun]
    assert [event.text for event in events if isinstance(event, Said)] == ["You said hello there."]
    assert [event.sound.rate for event in events if isinstance(event, ReplySound)] == [16_000]


async def test_a_recording_is_said_from_the_command_line(tmp_path: Path) -> None:
    asked, reply = tmp_path / "asked.wav", tmp_path / "reply.wav"
    asked.write_bytes(wav(speech()))
    async with open_house(tmp_path) as house:
        lobug = str(Path(sys.executable).with_name("lobug"))
        command = [lobug, "say", "--wav", str(asked), "--out", str(reply), "--url", house.url]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        out, _ = await process.communicate()
    assert out.decode().splitlines() == ["heard: hello there", "You said hello there."]
    assert reply.read_bytes().startswith(b"RIFF")
