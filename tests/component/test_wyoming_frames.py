"""Wyoming clients over real sockets: the library's own, and those that break its rules."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sounds import pcm16, silence, speech
from web_house import House, open_house
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event, Eventable
from wyoming.handle import Handled, NotHandled
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped

from firmware_bridge.contracts import ModelState
from firmware_bridge.errors import AddressInUse, UnsafeBind
from firmware_bridge.integrations.wyoming import WyomingDoor
from firmware_bridge.integrations.wyoming.framing import LONGEST_HEAD, LONGEST_PAYLOAD
from firmware_bridge.integrations.wyoming.offer import offer
from firmware_bridge.integrations.wyoming.session import session_of
from firmware_bridge.settings import WyomingSettings

START = AudioStart(16_000, 2, 1)


@dataclass
class Met:
    house: House
    port: int

    @asynccontextmanager
    async def client(self) -> AsyncIterator[AsyncTcpClient]:
        async with AsyncTcpClient("127.0.0.1", self.port, read_timeout=240) as client:
            yield client

    async def ask(self, *words: Eventable | Event) -> list[Event]:
        """Says it all on a connection of its own, and returns all that comes back."""
        async with self.client() as client:
            for word in words:
                await client.write_event(word if isinstance(word, Event) else word.event())
            assert client._writer is not None
            client._writer.write_eof()
            return await rest(client)

    async def send(self, raw: bytes, *, ends: bool = True) -> list[Event]:
        """The same with bytes of any kind."""
        async with self.client() as client:
            assert client._writer is not None
            client._writer.write(raw)
            if ends:
                client._writer.write_eof()
            return await rest(client)


async def rest(client: AsyncTcpClient) -> list[Event]:
    events = []
    while (event := await client.read_event()) is not None:
        events.append(event)
    return events


@pytest.fixture
async def met(tmp_path: Path) -> AsyncIterator[Met]:
    async with open_house(tmp_path) as house, open_door(house) as door:
        yield Met(house, door.port)


def open_door(house: House, patience: float = 5.0, *, trust_loopback: bool = True, **settings: object) -> WyomingDoor:
    told = WyomingSettings(port=0, **settings)  # each as the test names it
    return WyomingDoor(told, house.companion, "Lo-Bug", "en", 500, patience, trust_loopback=trust_loopback)


def spoken(seconds: float = 1.0) -> list[AudioChunk]:
    sound = pcm16(speech(seconds))
    return [AudioChunk(16_000, 2, 1, sound[place : place + 2_048]) for place in range(0, len(sound), 2_048)]


def kinds(events: list[Event]) -> list[str]:
    """Types in order, repeated ones once."""
    return [event.type for place, event in enumerate(events) if place == 0 or event.type != events[place - 1].type]


async def test_describe_and_ping(met: Met) -> None:
    told, pong = await met.ask(Describe(), Ping("still there?"))
    info = Info.from_event(told)
    (asr,), (tts,), (handle,) = info.asr, info.tts, info.handle
    assert asr.installed
    assert [model.languages for model in asr.models] == [["en"]]
    assert tts.installed
    assert tts.supports_synthesize_streaming
    assert [voice.name for voice in tts.voices] == ["scripted"]
    assert handle.installed
    assert handle.models[0].installed
    assert Pong.from_event(pong).text == "still there?"


@pytest.mark.parametrize(("missing", "left"), [("hearing", "tts"), ("listening", "tts"), ("speaking", "asr")])
def test_only_what_works_is_offered(missing: str, left: str) -> None:
    engines = [
        ModelState(role, role, "missing" if role == missing else "ready")
        for role in ("hearing", "listening", "speaking")
    ]
    info = offer("Lo-Bug", "en", engines)
    assert [name for name in ("asr", "tts", "handle") if getattr(info, name)] == [left, "handle"]


async def test_speech_to_text(met: Met) -> None:
    wanted = Transcribe(language="en", transcript_names=["Miko"], transcript_terms=["rooibos"])
    (event,) = await met.ask(wanted, START, *spoken(), AudioStop())
    assert Transcript.from_event(event).text == "hello there"
    assert {"Miko", "rooibos"} <= set(met.house.transcriber.calls[-1])
    assert (await met.house.memory.stats())["turns"] == 0, "to hear is not to talk"


async def test_silence_has_no_words(met: Met) -> None:
    (event,) = await met.ask(START, AudioChunk(16_000, 2, 1, pcm16(silence(1.0))), AudioStop())
    assert Transcript.from_event(event).text == ""


async def test_text_to_speech(met: Met) -> None:
    events = await met.ask(Synthesize("It is two o'clock. Time for tea."))
    assert kinds(events) == ["audio-start", "audio-chunk", "audio-stop"]
    start = AudioStart.from_event(events[0])
    chunks = [AudioChunk.from_event(event) for event in events[1:-1]]
    assert {(one.rate, one.width, one.channels) for one in (start, *chunks)} == {(16_000, 2, 1)}
    assert sum(chunk.seconds for chunk in chunks) > 1
    assert met.house.synthesiser.texts == ["It is two o'clock.", "Time for tea."]


async def test_text_is_spoken_while_it_is_written(met: Met) -> None:
    async with met.client() as client:
        await client.write_event(SynthesizeStart().event())
        await client.write_event(SynthesizeChunk("The bed light is off. The kitchen").event())
        assert AudioStart.is_type((await client.read_event()).type)
        assert AudioChunk.is_type((await client.read_event()).type)
        await client.write_event(SynthesizeChunk(" lights are on.").event())
        await client.write_event(Synthesize("The bed light is off. The kitchen lights are on.").event())
        await client.write_event(SynthesizeStop().event())
        events = []
        while not events or not SynthesizeStopped.is_type(events[-1].type):
            event = await client.read_event()
            assert event is not None
            events.append(event)
    assert kinds(events) == ["audio-chunk", "audio-stop", "synthesize-stopped"]
    assert met.house.synthesiser.texts == ["The bed light is off.", "The kitchen lights are on."]


async def test_a_text_without_words_is_silence(met: Met) -> None:
    assert kinds(await met.ask(Synthesize("***"))) == ["audio-start", "audio-stop"]


async def test_a_conversation_is_a_session_with_memory(met: Met) -> None:
    kitchen = {"conversation_id": "01J0000000000000000000KITC"}
    bedroom = {"conversation_id": "automation for the bed room"}
    for context, text in ((kitchen, "I like rye"), (bedroom, "I like oats"), (kitchen, "and seeds"), (None, "hello")):
        (event,) = await met.ask(Transcript(text, context=context))
        handled = Handled.from_event(event)
        assert handled.text is not None
        assert handled.text.strip() == f"You said {text}."
        assert handled.context == context
    sessions = [session_of(kitchen), session_of(bedroom), "wyoming"]
    heard = [[turn["heard"] for turn in await met.house.memory.turns(session, 10)] for session in sessions]
    assert heard == [["I like rye", "and seeds"], ["I like oats"], ["hello"]]


async def test_a_turn_that_fails_is_not_handled_and_the_next_one_is(met: Met) -> None:
    first, second = await met.ask(Transcript("long " * 5_000), Transcript("hello"))
    assert "characters" in str(NotHandled.from_event(first).text)
    assert Handled.is_type(second.type)


async def test_unknown_events_are_passed_over(met: Met) -> None:
    unknown = Event("select-program", {"name": "other"}), Event("run-pipeline", {"x": [1]}, b"payload"), AudioStop()
    assert kinds(await met.ask(*unknown, *spoken()[:2], SynthesizeStop(), Ping("on"))) == ["pong"]


NONSENSE: list[tuple[bytes, str]] = [
    (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "bad_event"),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 50 + b"\n", "bad_event"),
    (b"[" * 1_000_000, "bad_event"),
    (b'{"type": "' + b"x" * LONGEST_HEAD + b'"}\n', "bad_event"),
    (b'{"type": "audio-chunk", "payload_length": %d}\n' % (LONGEST_PAYLOAD + 1), "bad_event"),
    (b'{"type": "transcript", "data_length": 99}\n{"text"', "body_cut_short"),
    (b'{"type": "audio-chunk", "payload_length": 2048}\n\0\0\0', "body_cut_short"),
    (b'{"type": "transcript"}\n', "bad_event"),
    (b'{"type": "transcript", "data": {"text": 5}}\n', "bad_event"),
    (b'{"type": "synthesize", "data": {"text": null}}\n', "bad_event"),
    (b'{"type": "audio-start", "data": {"rate": "fast", "width": 2, "channels": 1}}\n', "bad_event"),
    (b'{"type": "audio-start", "data": {"rate": 16000, "width": 4, "channels": 1}}\n', "bad_audio"),
]
UNUSABLE: list[tuple[list[Eventable], str]] = [
    ([START], "body_cut_short"),
    ([START, *spoken()[:3]], "body_cut_short"),
    ([START, AudioStop()], "bad_audio"),
    ([AudioStart(1, 2, 1), *spoken(), AudioStop()], "bad_audio"),
    ([SynthesizeStart(), SynthesizeChunk("half a")], "body_cut_short"),
    ([Synthesize("word " * 200)], "text_too_long"),
    ([SynthesizeStart(), *[SynthesizeChunk("word " * 30) for _ in range(9)], SynthesizeStop()], "text_too_long"),
    ([Synthesize("<speak/>", text_format="ssml")], "bad_request"),
]


async def test_what_breaks_the_rules_is_told_so_and_let_go(met: Met) -> None:
    for raw, code in NONSENSE:
        *_, event = await met.send(raw)
        assert Error.from_event(event).code == code, raw[:80]
    assert Handled.is_type((await met.ask(Transcript("hello")))[0].type), "others are met as before"


async def test_what_cannot_be_heard_or_said_ends_the_connection(met: Met) -> None:
    for words, code in UNUSABLE:
        assert Error.from_event((await met.ask(*words))[-1]).code == code, words[:3]


async def test_silent_and_dripping_clients_are_let_go(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, open_door(house, patience=0.3) as door:
        met = Met(house, door.port)
        assert Error.from_event((await met.send(b"", ends=False))[-1]).code == "body_too_slow"
        async with met.client() as client:
            assert client._writer is not None
            dripping = asyncio.create_task(_drip(client._writer))
            assert Error.from_event((await rest(client))[-1]).code == "body_too_slow"
            dripping.cancel()


async def test_a_model_may_pause_while_it_writes_what_is_spoken(tmp_path: Path) -> None:
    async with (
        open_house(tmp_path) as house,
        open_door(house, patience=3.0) as door,
        Met(house, door.port).client() as it,
    ):
        for word in (SynthesizeStart(), SynthesizeChunk("First. ")):
            await it.write_event(word.event())
        await asyncio.sleep(3.5)
        for word in (SynthesizeChunk("Then this."), SynthesizeStop()):
            await it.write_event(word.event())
        assert it._writer is not None
        it._writer.write_eof()
        assert SynthesizeStopped.is_type((await rest(it))[-1].type)
        assert " ".join(house.synthesiser.texts) == "First. Then this."
        async with Met(house, door.port).client() as silent:
            await silent.write_event(SynthesizeStart().event())
            assert Error.from_event((await rest(silent))[-1]).code == "body_too_slow"


async def _drip(writer: asyncio.StreamWriter) -> None:
    for byte in b'{"type": "transcript", "data": {"text": "' + b"x" * 1_000:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.02)


async def test_a_client_that_does_not_read_is_let_go(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, open_door(house, patience=0.3) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port, limit=1)
        reader._transport.pause_reading()  # as a client whose program hangs
        asking = {"type": "synthesize", "data": {"text": "la " * 150}}
        line = json.dumps(asking).encode() + b"\n"
        with pytest.raises(ConnectionError):
            await _ask_on_and_on(writer, line)
        writer.transport.abort()


async def _ask_on_and_on(writer: asyncio.StreamWriter, line: bytes) -> None:
    for _ in range(10_000):
        writer.write(line)
        await writer.drain()
        await asyncio.sleep(0.01)


async def test_a_client_that_leaves_has_its_turn_kept(met: Met) -> None:
    async with met.client() as client:
        await client.write_event(Transcript("remember me").event())
    while not (turns := await met.house.memory.turns("wyoming", 1)) or not turns[0]["said"]:
        pass
    assert turns[0]["heard"] == "remember me"


async def test_there_is_room_for_so_many(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house, open_door(house, most_connections=8) as door:
        met = Met(house, door.port)
        held = [await asyncio.open_connection("127.0.0.1", door.port) for _ in range(8)]
        for _, writer in held:
            writer.write(b'{"type": "ping"}\n')
        for reader, _ in held:
            assert json.loads(await reader.readline())["type"] == "pong"
        assert not await answers(met)
        for _, writer in held:
            writer.close()
        while not await answers(met):
            pass


async def answers(met: Met) -> bool:
    try:
        return bool(await met.ask(Ping()))
    except ConnectionError:
        return False


async def test_the_network_is_refused_unless_somebody_is_named(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        with pytest.raises(UnsafeBind, match="no tokens"):
            async with open_door(house, host="0.0.0.0"):
                pass
        async with open_door(house, host="0.0.0.0", clients="192.0.2.7") as door:
            assert Handled.is_type((await Met(house, door.port).ask(Transcript("hello")))[0].type), "from loopback"
            with pytest.raises(AddressInUse):
                async with WyomingDoor(WyomingSettings(port=door.port), house.companion, "Lo-Bug", "en", 500):
                    pass


async def test_this_machine_is_no_owner_where_loopback_is_not_trusted(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        with pytest.raises(UnsafeBind, match="trust_loopback"):
            async with open_door(house, trust_loopback=False):
                pass
        async with open_door(house, trust_loopback=False, clients="192.0.2.7") as door:
            assert not await answers(Met(house, door.port))
        async with open_door(house, trust_loopback=False, clients="127.0.0.1") as door:
            assert await answers(Met(house, door.port))
