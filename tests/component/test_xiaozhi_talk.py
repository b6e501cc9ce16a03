"""A talk over the socket: every binary version and way of listening, silence on request, and nonsense."""

from __future__ import annotations

import asyncio
import json
import logging
import struct
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import aiohttp
import numpy as np
import pytest
from sounds import Samples, silence, speech, tone
from web_house import House, open_house
from xiaozhi_socket import MAC, Device, connected

from edge_memory.records import Message
from edge_memory.store.devices import Invitation
from firmware_bridge.contracts import Expression, PlayAudio, ReminderDue, SetVolume, ShowFace
from firmware_bridge.errors import SpeechUnusable
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech.protocols import Transcript

pytest.importorskip("av")
REPLY = "You said hello. Good."
SPOKEN_SECONDS = 4 * 0.3 + 2 * 0.12  # its words as tones, and two pauses
QUESTION = np.concatenate([speech(0.6), silence(0.8)])


def scripted(_: Sequence[Message]) -> str:
    return REPLY


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, scripted) as house:
        yield house


async def heard(house: House) -> list[str]:
    return [turn["heard"] for turn in await house.memory.turns(None, 10) if turn["action"] != "ignore"]


async def settle(house: House, count: int) -> list[str]:
    """What was heard, once there are so many."""
    for _ in range(500):
        if len(words := await heard(house)) >= count:
            return words
        await asyncio.sleep(0.01)
    raise AssertionError(f"heard {words}")


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
            for _, message in device.told
            if isinstance(message, bytes) or message["type"] != "llm"
        ]
        runs = [kind for place, kind in enumerate(kinds) if not place or kinds[place - 1] != kind]
        assert runs == ["hello", "stt", "start", "sentence_start", "frame", "sentence_start", "frame", "stop"]
        assert (await device.until("stt"))["text"] == "hello there"
        faces = [message["emotion"] for message in device.messages() if message["type"] == "llm"]
        assert faces == ["thinking", "happy"]
        (began,) = [at for at, message in device.told if isinstance(message, dict) and message.get("state") == "start"]
        first = next(at for at, message in device.told if isinstance(message, bytes))
        assert first - began > 0.05, "the firmware throws away what comes before it has begun to speak"


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


async def test_abort_is_silence_at_once_and_the_turn_is_kept(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        await device.until("tts", state="sentence_start")
        await device.tell(type="abort", reason="wake_word_detected")
        await device.until("tts", state="stop")
        since = len(device.told)
        await device.say(silence(0.2))  # under way when it aborted
        await asyncio.sleep(0.5)
        assert device.packets(since) == []
        assert len(device.packets()) < SPOKEN_SECONDS / 0.06 / 2
        await device.tell(type="abort")  # there is nothing to abort
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        assert await device.reply(since) == REPLY
    said = [turn["said"] for turn in await house.memory.turns(None, 10) if turn["action"] == "respond"]
    assert said == [REPLY] * 2


async def test_in_realtime_mode_who_talks_on_is_heard_and_cuts_the_reply_off(tmp_path: Path) -> None:
    words = iter(["tell me a story", "stop, I mean a poem"])

    def hear(samples: Samples, hints: Sequence[str]) -> Transcript:
        return Transcript(next(words), -0.1)

    async with open_house(tmp_path, lambda _: f"{REPLY} " * 5, hear=hear) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode="realtime")
        await device.say(QUESTION)
        await device.until("tts", state="sentence_start")
        since = len(device.told)
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
            seconds_per_word=0.3,
            hear=lambda *_: Transcript(next(words), -0.1),
        ) as house,
        connected(house) as device,
    ):
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
        await settle(house, 2)
        first = next(turn for turn in await house.memory.turns(None, 10) if turn["heard"] == "tell me a story")
        assert first["said"].startswith("You said hello.")
        assert len(first["said"].split()) < 40, "it is written no further"


async def test_in_realtime_mode_listening_goes_on_after_what_is_no_utterance(tmp_path: Path) -> None:
    words = iter(["tell me a story", REPLY, "stop, I mean a poem"])  # the second is the companion's own voice

    async with (
        open_house(tmp_path, lambda _: f"{REPLY} " * 8, hear=lambda *_: Transcript(next(words), -0.1)) as house,
        connected(house) as device,
    ):
        await device.hello()
        await device.listen("start", mode="realtime")
        await device.say(QUESTION)
        await device.until("tts", state="sentence_start")
        since = len(device.told)
        await device.say(QUESTION)
        for _ in range(200):
            if len(house.transcriber.calls) == 2:
                break
            await asyncio.sleep(0.01)
        await device.say(QUESTION)
        assert (await device.until("stt", since))["text"] == "stop, I mean a poem"
        states = [message.get("state") for message in device.messages(since)]
        assert states.index("stop") < states.index("start"), "it was cut off"
        assert len(device.packets(since)) < 60, "long before the end"


async def test_reminders_volume_and_faces_reach_a_device_that_is_in_a_talk(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        house.board.post(ReminderDue(1, "feed the cat", 0.0), MAC)
        house.board.post(ShowFace(Expression.ALERT), MAC)
        house.board.post(PlayAudio(bytes(22_050 * 2), 22_050), MAC)
        assert (await device.until("alert"))["message"] == "feed the cat"
        assert (await device.until("llm"))["emotion"] == "shocked"
        await device.reply()
        assert device.seconds() == pytest.approx(1.0, abs=0.06)
        assert house.board.post(SetVolume(30), MAC) == 1, "a device without tools lets it pass"
    for _ in range(100):
        if not house.board.heard_by():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the device that left still counts as listening")


async def test_an_announcement_waits_for_the_reply(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        await device.listen("detect", text="hello there")
        await device.until("tts", state="start")
        house.board.post(PlayAudio(bytes(24_000), 24_000), MAC)
        await device.until("tts", state="stop")
        since = len(device.told)
        await device.until("tts", since, state="stop")
        assert device.seconds() == pytest.approx(SPOKEN_SECONDS + 0.5, abs=0.12)


async def test_an_announcement_that_words_cut_off_is_made_again_and_one_that_was_aborted_is_not(house: House) -> None:
    async with connected(house) as device:
        await device.hello()
        house.board.post(PlayAudio(bytes(2 * 24_000 * 2), 24_000), MAC)
        await device.until("tts", state="start")
        await asyncio.sleep(0.5)
        await device.listen("detect", text="hello there")
        await device.until("tts", state="sentence_start")
        since = len(device.told)
        await device.until("tts", since, state="start")  # once the reply is over
        since = len(device.told)
        await device.until("tts", since, state="stop")
        assert device.seconds(since) > 1.9
        house.board.post(PlayAudio(bytes(2 * 24_000 * 2), 24_000), MAC)
        since = len(device.told)
        await device.until("tts", since, state="start")
        await asyncio.sleep(0.5)
        await device.tell(type="abort")
        await device.until("tts", len(device.told), state="stop")
        await device.listen("detect", text="not this")  # aborted before it is known to be typed
        await device.tell(type="abort")
        await asyncio.sleep(0.8)
        since = len(device.told)
        await device.listen("detect", text="and again")
        await device.reply(since)
        await asyncio.sleep(0.5)
        assert device.seconds(since) < SPOKEN_SECONDS + 0.5
        assert await heard(house) == ["hello there", "and again"]


async def test_a_reminder_that_went_to_a_device_without_power_is_given_back(house: House) -> None:
    reminder = ReminderDue(7, "feed the cat", 0.0)
    async with connected(house) as device:
        await device.hello()
        house.board.post(reminder, MAC)
        await device.until("alert")
    async with connected(house, mac="02:aa:bb:cc:dd:02") as device:
        await device.hello()
        assert house.board.returned() == [], "who says goodbye has it"
        house.board.post(reminder, "02:aa:bb:cc:dd:02")
        await device.until("alert")
        assert device.socket._response.connection is not None
        transport = device.socket._response.connection.transport
        assert transport is not None
        transport.abort()
        for _ in range(200):
            if returned := house.board.returned():
                break
            await asyncio.sleep(0.01)
        assert returned == [reminder]


async def test_reconnecting_goes_on_with_the_conversation_and_ends_the_talk_that_was_left(tmp_path: Path) -> None:
    async with open_house(tmp_path, scripted, trust_loopback=False) as house:
        token = await house.pair(MAC, user_id="alex")
        async with connected(house, token) as left:
            await left.hello()
            await left.listen("detect", text="hello there")
            await left.reply()
            left.reading.cancel()  # it has lost its power: nobody answers there
            async with connected(house, token) as device:
                async with asyncio.timeout(1.0):
                    await device.hello()
                assert house.board.post(ShowFace(Expression.HAPPY), MAC)
                await device.listen("detect", text="and again")
                await device.reply()
        turns = await house.memory.turns(None, 10, user_id="alex")
        assert [(turn["session_id"], turn["device_id"]) for turn in turns] == [(MAC, MAC)] * 2


async def test_without_the_devices_own_token_there_is_no_talk(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        desk = await house.pair(MAC)
        other = await house.memory.devices.add("02:aa:bb:cc:dd:02", Invitation("owner"))
        for token, status in (("", 401), ("lobug_wrong", 401), (other, 403)):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                async with connected(house, token):
                    pass
            assert refused.value.status == status
        async with connected(house, desk) as device:
            await device.hello()
        async with house.session.get(house.url + "/xiaozhi/v1/", headers={"Authorization": f"Bearer {desk}"}) as page:
            assert page.status == 400, "it is a WebSocket"


async def test_a_talk_ends_when_its_device_is_revoked(tmp_path: Path) -> None:
    async with open_house(tmp_path, scripted, trust_loopback=False) as house:
        token = await house.pair(MAC)
        async with connected(house, token) as device:
            await device.hello()
            await house.memory.devices.revoke(MAC)
            await device.ended()


async def test_silence_ends_the_talk_and_so_does_a_hello_that_never_comes(tmp_path: Path) -> None:
    async with (
        open_house(tmp_path, speech=SpeechSettings(idle_seconds=2.0)) as house,
        connected(house) as talking,
        connected(house, mac="02:aa:bb:cc:dd:02") as silent,
        connected(house, mac="02:aa:bb:cc:dd:03") as mute,
    ):
        await asyncio.gather(talking.hello(), silent.hello())
        await silent.listen("start", mode="auto")
        await asyncio.sleep(1.0)
        await silent.say(silence(0.5))
        await talking.listen("detect", text="hello there")
        await asyncio.sleep(1.5)
        assert silent.socket.closed
        assert mute.socket.closed
        assert not talking.socket.closed


@pytest.mark.parametrize("mode", ["auto", "manual"])
async def test_a_talk_is_not_ended_while_somebody_speaks_or_is_being_understood(tmp_path: Path, mode: str) -> None:
    def hear(samples: Samples, hints: Sequence[str]) -> Transcript:
        time.sleep(1.5)
        return Transcript("hello there", -0.1)

    settings = SpeechSettings(idle_seconds=2.0)
    async with open_house(tmp_path, scripted, speech=settings, hear=hear) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode=mode)
        await device.say(speech(1.8), pace=0.06)
        if mode == "auto":
            saying = asyncio.create_task(device.say(silence(3.0), pace=0.06))
        else:
            await device.listen("stop")
        assert await device.reply() == REPLY
        if mode == "auto":
            await saying


async def test_spoken_turns_are_counted_and_listening_goes_on(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda _: "Ok.", turns_per_minute=2) as house, connected(house) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        for _ in range(2):
            since = len(device.told)
            await device.say(QUESTION)
            assert await device.reply(since) == "Ok."
        for _ in range(2):
            since = len(device.told)
            await device.say(QUESTION)
            assert "too often" in (await device.until("alert", since))["message"]
        assert len(await heard(house)) == 2


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


async def test_a_device_that_floods_is_told_to_wait(tmp_path: Path) -> None:
    async with open_house(tmp_path, scripted, turns_per_minute=2) as house, connected(house) as device:
        await device.hello()
        for _ in range(5):
            await device.listen("detect", text="and again")
            await asyncio.sleep(0.4)
        assert "too often" in (await device.until("alert"))["message"]
        await device.reply()
        assert len(await heard(house)) == 2


WRONG_BEGINNINGS: tuple[str | bytes, ...] = (
    b"\xff" * 40,
    "nonsense",
    "[]",
    "{" * 1_000,
    json.dumps({"type": "listen", "state": "start"}),
    json.dumps({"type": "hello", "version": 9}),
    json.dumps({"type": "hello", "version": "1"}),
    json.dumps({"type": "hello", "audio_params": [1]}),
    json.dumps({"type": "hello", "audio_params": {"format": "pcm"}}),
    json.dumps({"type": "hello", "features": 7}),
)


async def test_a_talk_that_begins_wrong_is_ended_with_a_reason(house: House) -> None:
    for first in WRONG_BEGINNINGS:
        async with connected(house) as device:
            await (device.socket.send_str(first) if isinstance(first, str) else device.socket.send_bytes(first))
            assert (await device.until("alert"))["message"]
            await device.ended()


async def test_nonsense_within_a_talk_is_let_go(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    async with connected(house, version=3) as device:
        await device.hello()
        await device.listen("start", mode="auto")
        await nonsense(device)
        await device.listen("start", mode="auto")
        await device.say(QUESTION)
        since = len(device.told)
        assert REPLY in await device.reply(since)
    assert not caplog.records
    assert (await heard(house))[-1] == "hello there"


async def nonsense(device: Device) -> None:
    deep = '{"type":' * 6_000
    for text in (
        "",
        "nonsense",
        "[1]",
        "null",
        deep,
        '{"type": 7}',
        '{"type": "iot", "states": []}',
        '{"type": "mcp"}',
    ):
        await device.socket.send_str(text)
    for message in (
        {"type": "listen"},
        {"type": "listen", "state": "start", "mode": "sometimes"},
        {"type": "listen", "state": "start", "mode": []},
        {"type": "listen", "state": "detect", "text": 7},
        {"type": "listen", "state": "detect", "text": "x" * 5_000},
        {"type": "hello", "version": 3},
        {"type": "mcp", "payload": {"id": [], "result": 7}},
        {"type": "mcp", "payload": {"jsonrpc": "2.0", "method": "notifications/state"}},
        {"type": "abort", "reason": {}},
        {"type": "ping"},
    ):
        await device.tell(**message)
    for frame in (b"", b"\0", b"\0\0\xff\xff", b"\x09\0\0\1x", b"\1\0\0\2{}", bytes(4), bytes(60_000)):
        await device.socket.send_bytes(frame)
    for packet in (b"\xff", bytes(range(100)), b"\xfc" * 3_000):
        await device.frame(packet)


async def test_a_message_that_is_far_too_large_ends_the_talk_alone(house: House) -> None:
    async with connected(house) as large, connected(house, mac="02:aa:bb:cc:dd:02") as device:
        await asyncio.gather(large.hello(), device.hello())
        await large.tell(type="listen", state="detect", text="x" * 100_000)
        await large.ended()
        assert large.socket.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
        await device.listen("detect", text="hello there")
        assert await device.reply() == REPLY
