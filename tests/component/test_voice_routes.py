"""The voice over real sockets: memory, turns, routes, decoding and endpointing are real; what was heard is scripted."""

from __future__ import annotations

import asyncio
import io
import socket
import threading
import wave
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import aiohttp
import numpy as np
import openai
import pytest
import yarl
from sounds import pcm16, silence, speech, tone, wav
from voice_asking import PCM, WAV, said
from web_house import House, hear_hello, open_house, until

from edge_memory.store.records import Filter
from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.app.voice import Engines
from firmware_bridge.contracts import Heard, Hearing, PlayAudio, ReplySound, Said, Sound, TurnBegun
from firmware_bridge.errors import SpeechUnusable
from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech.encoding import encode
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.scripted import ScriptedEngines, ScriptedTranscriber, ToneSynthesiser

pytest.importorskip("av")


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


async def test_a_live_recording_is_answered_before_it_ends(house: House) -> None:
    ended = asyncio.Event()

    async def recording() -> AsyncIterator[bytes]:
        sound = pcm16(np.concatenate([silence(0.5), tone(1.0), silence(1.0)]))
        for place in range(0, len(sound), 3_201):  # pieces that cut samples in two
            yield sound[place : place + 3_201]
        await ended.wait()

    asking = asyncio.create_task(said(house, recording(), PCM))
    try:
        answer = await asyncio.wait_for(asyncio.shield(asking), 240)
    finally:
        ended.set()
    assert answer["heard"] == "hello there"
    assert answer["timings"]["endpoint_ms"] >= 700, "the silence that told the end counts"


async def test_a_long_utterance_reaches_the_recogniser_in_pieces_that_it_takes(house: House) -> None:
    sound = np.concatenate([*([tone(6.0), silence(0.3)] * 6)])
    answer = await said(house, wav(sound))

    assert answer["heard"] == " ".join(["hello there"] * len(house.transcriber.calls))
    assert 3 <= len(house.transcriber.calls) <= 5


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


async def test_a_client_that_leaves_before_it_is_heard_has_its_turn_kept_if_all_of_it_came(tmp_path: Path) -> None:
    lanes: list[ComputeLane] = []
    busy = threading.Event()

    def engines(lane: ComputeLane) -> Engines:
        lanes.append(lane)
        return ScriptedEngines(lane, ScriptedTranscriber(hear_hello), ToneSynthesiser())

    async with open_house(tmp_path, engines=engines) as house:
        working = asyncio.create_task(lanes[0].run(Priority.LIVE, busy.wait))
        asking = asyncio.create_task(said(house, wav(speech())))
        await until(lambda: lanes[0].waiting().get(Priority.LIVE) == 2)
        asking.cancel()
        await until(lambda: "sound of a reply" not in {task.get_name() for task in asyncio.all_tasks()})
        busy.set()
        await working

        while not ((turns := await house.memory.turns("default", 1)) and turns[0]["said"]):
            pass
        assert (turns[0]["heard"], turns[0]["said"]) == ("hello there", "You said hello there.")
        assert (await said(house, wav(speech())))["heard"] == "hello there", "nobody waits for the one that was left"


@pytest.mark.parametrize("accept", ["application/json", "audio/pcm"])
async def test_a_client_that_sends_all_and_leaves_at_once_has_its_turn_kept(house: House, accept: str) -> None:
    address, sound = yarl.URL(house.url), wav(speech())
    head = (
        f"POST /chat/audio HTTP/1.1\r\nHost: {address.host}:{address.port}\r\nAccept: {accept}\r\n"
        f"Content-Type: audio/wav\r\nContent-Length: {len(sound)}\r\n\r\n"
    )
    with socket.create_connection((str(address.host), address.port or 0)) as line:
        await asyncio.to_thread(line.sendall, head.encode() + sound)

    while not ((turns := await house.memory.turns("default", 1)) and turns[0]["said"]):
        pass
    assert (turns[0]["heard"], turns[0]["said"]) == ("hello there", "You said hello there.")


def test_a_file_that_its_codec_refuses_is_told_as_speech_that_failed() -> None:
    with pytest.raises(SpeechUnusable, match="mp3"):
        encode(Sound(bytes(320), 192_000), "mp3")


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


async def test_a_sound_is_only_for_the_device_that_asked(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
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
            async with house.session.get(house.url + first["audio_url"]) as whole:  # once the exchange is over
                await whole.read()
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

        async def pieces() -> AsyncIterator[bytes]:
            yield pcm16(speech())

        events = [event async for event in cable.listen(heard, pieces(), 16_000)]
        assert [type(event) for event in events[:2]] == [Hearing, TurnBegun]
    assert [event.text for event in events if isinstance(event, Said)] == ["You said hello there."]
    assert {event.sound.rate for event in events if isinstance(event, ReplySound)} == {16_000}
