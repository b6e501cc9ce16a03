"""A talk over the socket: every binary version and way of listening, and silence on request."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from sounds import Samples, silence, speech, tone
from web_house import House, open_house, until
from xiaozhi_socket import MAC, connected
from xiaozhi_talking import QUESTION, REPLY, SPOKEN_SECONDS, heard, scripted, settle

from firmware_bridge.contracts import Expression, ShowFace
from firmware_bridge.errors import SpeechUnusable
from firmware_bridge.speech.protocols import Transcript

pytest.importorskip("av")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, scripted) as house:
        yield house


async def test_every_binary_version_both_ways(house: House) -> None:
    async def talk(version: int) -> None:
        async with connected(house, version=version, mac=f"02:aa:bb:cc:dd:0{version}") as device:
            told = await device.hello()
            assert told["transport"] == "websocket"
            audio = {"format": "opus", "sample_rate": 24_000, "channels": 1, "frame_duration": 60}
            assert told["audio_params"] == audio
            await device.listen("start", mode="auto")
            await device.say(QUESTION)
            assert await device.reply() == REPLY
            assert device.seconds() == pytest.approx(SPOKEN_SECONDS, abs=0.06)

    await asyncio.gather(*(talk(version) for version in (1, 2, 3)))
    assert await heard(house) == ["hello there"] * 3


async def test_the_order_of_messages_is_the_firmwares(house: House) -> None:
    async with connected(house) as device:
        told = await device.hello()
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        await device.reply()
        assert {message["session_id"] for message in device.messages()} == {told["session_id"]}
        kinds = [
            "frame" if isinstance(message, bytes) else message.get("state", message["type"])
            for message in device.told
            if isinstance(message, bytes) or message["type"] != "llm"
        ]
        runs = [kind for place, kind in enumerate(kinds) if not place or kinds[place - 1] != kind]
        assert runs == ["hello", "stt", "start", "sentence_start", "frame", "sentence_start", "frame", "stop"]
        assert (await device.until("stt"))["text"] == "hello there"
        faces = [message["emotion"] for message in device.messages() if message["type"] == "llm"]
        assert faces == ["thinking", "happy"]


async def test_whoever_holds_the_button_ends_the_utterance(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        await device.listen("start", mode="manual")
        await device.say(np.concatenate([speech(0.6), silence(1.2), speech(0.6)]))
        await asyncio.sleep(0.2)
        assert [message["type"] for message in device.messages()] == ["hello"]
        await device.listen("stop")
        assert await device.reply() == REPLY
        await device.listen("start", mode="manual")
        await device.listen("stop")  # pressed and let go
        await device.say(QUESTION)  # nobody listens
        await asyncio.sleep(0.3)
    assert await heard(house) == ["hello there"]


async def test_what_is_no_speech_is_not_answered_and_listening_goes_on(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        await device.say(np.concatenate([silence(1.0), tone(0.05), silence(1.5)]))
        await device.say(QUESTION)
        assert await device.reply() == REPLY
    assert await heard(house) == ["hello there"]


async def test_typed_words_and_wake_words(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        await device.say(speech(0.6))  # the wake word's own sound
        await device.listen("detect", text="Hi, M Five")
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        await device.reply()
        since = len(device.told)
        await device.listen("detect", text="tell me more")
        assert await device.reply(since) == REPLY
        assert device.seconds(since) == pytest.approx(SPOKEN_SECONDS, abs=0.06)
    async with connected(house) as device:
        await device.hello()
        await device.listen("detect", text="and then?")  # nothing follows: it was typed
        assert await device.reply() == REPLY
        await device.listen("detect", text="")
    assert await heard(house) == ["hello there", "tell me more", "and then?"]


async def test_messages_may_come_in_binary_frames(house: House) -> None:
    async with connected(house, version=2) as device:
        await device.hello()
        text = json.dumps({"type": "listen", "state": "detect", "text": "hello there"}).encode()
        await device.socket.send_bytes(struct.pack(">HHIII", 2, 1, 0, 0, len(text)) + text)
        assert (await device.until("stt"))["text"] == "hello there"


async def test_abort_is_silence_at_once_and_the_turn_is_kept(tmp_path: Path) -> None:
    replies = iter([f"{REPLY} " * 40, REPLY])
    async with open_house(tmp_path, lambda _: next(replies)) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        await device.until("tts", state="sentence_start")
        await device.tell(type="abort", reason="wake_word_detected")
        since = await device.past("tts", state="stop")
        await device.say(silence(0.2))  # under way when it aborted
        await asyncio.sleep(0.5)
        assert device.packets(since) == []
        assert device.seconds() < 20 * SPOKEN_SECONDS, "half of it"
        await device.tell(type="abort")  # there is nothing to abort
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        assert await device.reply(since) == REPLY
        said = [turn["said"] for turn in await house.memory.turns(None, 10) if turn["action"] == "respond"]
    assert all(text.startswith(REPLY) for text in said)
    assert len(said) == 2


async def test_in_realtime_mode_who_talks_on_is_heard_and_cuts_the_reply_off(tmp_path: Path) -> None:
    words = iter(["tell me a story", "stop, I mean a poem"])

    def hear(samples: Samples, hints: Sequence[str]) -> Transcript:
        return Transcript(next(words), -0.1)

    async with open_house(tmp_path, lambda _: f"{REPLY} " * 5, hear=hear) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode="realtime")
        await device.say(QUESTION)
        since = await device.past("tts", state="sentence_start")
        await device.say(QUESTION, pace=0.02)
        assert (await device.until("stt", since))["text"] == "stop, I mean a poem"
        order = [message.get("state", message["type"]) for message in device.messages(since)]
        order = [kind for kind in order if kind not in ("llm", "sentence_start")]
        assert order[:3] == ["stop", "stt", "start"]
        await device.tell(type="abort")
        await settle(house, 2)


@pytest.mark.parametrize("mode", ["realtime", "auto"])
async def test_a_reply_that_is_still_being_written_is_cut_off_and_no_longer_written(tmp_path: Path, mode: str) -> None:
    words = iter(["tell me a story", "no, a poem please"])
    async with (
        open_house(
            tmp_path,
            lambda messages: "Here it is." if "poem" in messages[-1].content else f"{REPLY} " * 20,
            hear=lambda *_: Transcript(next(words), -0.1),
        ) as house,
        connected(house) as device,
    ):
        house.replies.hold(after_words=8)
        await device.hello()
        await device.listen("start", mode=mode)
        await device.say(QUESTION)
        await device.until("tts", state="sentence_start")
        if mode == "auto":
            await device.tell(type="abort")
            await device.listen("start", mode=mode)
        since = len(device.told)
        await device.say(QUESTION)
        assert (await device.until("stt", since))["text"] == "no, a poem please"
        await device.until("tts", since, state="sentence_start", text="Here it is.")
        house.replies.go_on()
        await settle(house, 2)
        first = next(turn for turn in await house.memory.turns(None, 10) if turn["heard"] == "tell me a story")
        assert first["said"].startswith("You said hello.")
        assert len(first["said"].split()) <= 8, "it is written no further"


async def test_in_realtime_mode_listening_goes_on_after_what_is_no_utterance(tmp_path: Path) -> None:
    words = iter(["tell me a story", REPLY, "stop, I mean a poem"])  # the second is the companion's own voice

    async with (
        open_house(tmp_path, lambda _: f"{REPLY} " * 40, hear=lambda *_: Transcript(next(words), -0.1)) as house,
        connected(house) as device,
    ):
        await device.hello()
        await device.listen("start", mode="realtime")
        await device.say(QUESTION)
        await device.until("tts", state="sentence_start")
        since = len(device.told)
        await device.say(QUESTION)
        await until(lambda: len(house.transcriber.calls) == 2)
        await device.say(QUESTION)
        assert (await device.until("stt", since))["text"] == "stop, I mean a poem"
        states = [message.get("state") for message in device.messages(since)]
        assert states.index("stop") < states.index("start"), "it was cut off"
        assert len(device.packets(since)) < 30 * SPOKEN_SECONDS / 0.06, "before the end"


async def test_reconnecting_goes_on_with_the_conversation_and_ends_the_talk_that_was_left(tmp_path: Path) -> None:
    async with open_house(tmp_path, scripted, trust_loopback=False) as house:
        token = await house.pair(MAC, user_id="alex")
        async with connected(house, token) as left:
            await left.hello()
            await left.listen("detect", text="hello there")
            await left.reply()
            left.reading.cancel()  # it has lost its power: nobody answers there
            async with connected(house, token) as device:
                async with asyncio.timeout(8.0):  # a socket that nobody answers is waited for longer
                    await device.hello()
                assert house.board.post(ShowFace(Expression.HAPPY), MAC)
                await device.listen("detect", text="and again")
                await device.reply()
        turns = await house.memory.turns(None, 10, user_id="alex")
        assert [(turn["session_id"], turn["device_id"]) for turn in turns] == [(MAC, MAC)] * 2


async def test_what_could_not_be_heard_once_may_be_said_again(tmp_path: Path) -> None:
    outcomes = iter([SpeechUnusable("not now", "say it again"), Transcript("hello there", -0.1)])

    def hear(samples: Samples, hints: Sequence[str]) -> Transcript:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async with open_house(tmp_path, scripted, hear=hear) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        assert (await device.until("alert"))["message"] == "not now"
        await device.say(QUESTION)
        assert await device.reply() == REPLY


async def test_what_is_heard_begins_before_the_listening_and_after_the_wake_word(tmp_path: Path) -> None:
    lengths: list[float] = []

    def hear(samples: Samples, hints: Sequence[str]) -> Transcript:
        lengths.append(float(np.sum(np.abs(samples) > 0.02)) / 16_000)
        return Transcript("hello there", -0.1)

    async with open_house(tmp_path, scripted, hear=hear) as house, connected(house) as device:
        await device.hello()
        await device.listen("detect", text="Hi, M Five")
        await device.say(tone(0.3))  # the first syllables come before the `start`
        await device.listen("start", mode="auto")
        await device.say(np.concatenate([tone(0.6), silence(1.2)]))
        await device.reply()
        since = len(device.told)
        await device.say(tone(0.3))  # after a reply, too
        await device.listen("start", mode="auto")
        await device.say(np.concatenate([tone(0.6), silence(1.2)]))
        await device.reply(since)
    assert all(length > 0.75 for length in lengths), lengths
    assert len(lengths) == 2


async def test_the_wake_word_is_not_heard(tmp_path: Path) -> None:
    lengths: list[float] = []

    def hear(samples: Samples, hints: Sequence[str]) -> Transcript:
        lengths.append(float(np.sum(np.abs(samples) > 0.02)) / 16_000)
        return Transcript("hello there", -0.1)

    async with open_house(tmp_path, scripted, hear=hear) as house, connected(house) as device:
        await device.hello()
        await device.say(tone(0.3))
        await device.listen("detect", text="Hi, M Five")
        await device.listen("start", mode="auto")
        await device.say(np.concatenate([tone(0.6), silence(1.2)]))
        await device.reply()
        await device.listen("detect", text="")
    assert len(lengths) == 1
    assert lengths[0] < 0.7
