"""A companion without weights behind the real doors: real memory, turns, routes and sockets, scripted replies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from edge_memory.clock import BootTime, boot_time
from edge_memory.memory import Memory
from edge_memory.protocols import ChatModel
from edge_memory.records import Message
from edge_memory.store.devices import Invitation
from edge_memory.store.sensors import Reading
from firmware_bridge.app.voice import Engines, Voice
from firmware_bridge.app.xiaozhi import XiaoZhiHall
from firmware_bridge.contracts import Heard, ModelState, TurnEvent
from firmware_bridge.device import NoticeBoard
from firmware_bridge.errors import WeightsMissing
from firmware_bridge.lane import ComputeLane
from firmware_bridge.settings import PersonaSettings, ServerSettings, SpeechSettings
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.samples import Samples
from firmware_bridge.speech.scripted import ScriptedEngines, ScriptedTranscriber, ToneSynthesiser
from firmware_bridge.turn import Announcer, Dialogue, Manner, Persona, TurnProgress
from firmware_bridge.turn.scripted import ScriptedReplies
from firmware_bridge.web import Happenings, VectorModel, WebSite

MANNER = Manner(Persona("Lo-Bug", "a friend"), "tail", 60, 0.0)


async def until(happened: Callable[[], Any]) -> None:
    """Waits for what has no event of its own; the limit is pytest's."""
    while not happened():
        await asyncio.sleep(0.01)


def echo(messages: Sequence[Message]) -> str:
    return f"You said {messages[-1].content}."


@dataclass
class ScriptedCompanion:
    """What the web room needs of a companion."""

    memory: Memory
    dialogue: Dialogue
    replies: ScriptedReplies
    voice: Voice
    happenings: Happenings = field(default_factory=Happenings)
    board: NoticeBoard = field(default_factory=NoticeBoard)
    idle_seconds: float = 60.0
    turns_per_minute: int = 0

    @property
    def xiaozhi(self) -> XiaoZhiHall:
        return XiaoZhiHall(self, self.board, self.idle_seconds, self.turns_per_minute)

    def talk(self, heard: Heard) -> AsyncGenerator[TurnEvent]:
        return self.dialogue.talk(heard)

    def running(self, turn_id: str) -> TurnProgress | None:
        return self.dialogue.running(turn_id)

    async def sense(self, device_id: str, readings: dict[str, Reading]) -> None:
        await self.memory.sensing.sense(device_id, readings)

    async def health(self) -> dict[str, Any]:
        return {"status": "ok", "models": {}, "memory": {"turns": 0}, "degraded": []}

    async def metrics(self) -> bytes:
        return b"# no metrics here\n"

    async def chat_model(self) -> ScriptedReplies:
        return self.replies

    async def embedding_model(self) -> VectorModel:
        raise WeightsMissing("no embedding model here", "none is needed")

    def models(self) -> list[ModelState]:
        return [ModelState("chat", "scripted", "ready")]


@dataclass
class House:
    memory: Memory
    site: WebSite
    url: str
    session: aiohttp.ClientSession
    replies: ScriptedReplies
    board: NoticeBoard
    companion: ScriptedCompanion
    transcriber: ScriptedTranscriber
    synthesiser: ToneSynthesiser

    async def ask(self, method: str, path: str, token: str | None = None, **more: Any) -> tuple[int, Any]:
        """Status and JSON body. `token` None sends no Authorization at all."""
        headers = {**more.pop("headers", {}), **({} if token is None else {"Authorization": f"Bearer {token}"})}
        async with self.session.request(method, self.url + path, headers=headers, **more) as response:
            return response.status, await response.json() if "json" in response.content_type else None

    async def pair(self, device_id: str, **more: Any) -> str:
        return await self.memory.devices.add(device_id, Invitation(**{"user_id": "owner", **more}))


def voice_over(
    lane: ComputeLane,
    memory: Memory,
    dialogue: Dialogue,
    transcriber: ScriptedTranscriber | None = None,
    synthesiser: ToneSynthesiser | None = None,
    settings: SpeechSettings | None = None,
    engines: Engines | None = None,
) -> Voice:
    """Ears and mouth without weights."""
    engines = engines or ScriptedEngines(
        lane, transcriber or ScriptedTranscriber(hear_hello), synthesiser or ToneSynthesiser()
    )
    return Voice(settings or SpeechSettings(), PersonaSettings(), engines, lane, memory, dialogue)


def hear_hello(samples: Samples, hints: Sequence[str]) -> Transcript:
    return Transcript("hello there", -0.1)


@asynccontextmanager
async def open_house(
    folder: Path,
    script: Callable[[Sequence[Message]], str] = echo,
    seconds_per_word: float = 0.0,
    hear: Callable[[Samples, Sequence[str]], Transcript] = hear_hello,
    speech: SpeechSettings | None = None,
    engines: Callable[[ComputeLane], Engines] | None = None,
    chat: ChatModel | None = None,
    boot: Callable[[], BootTime] = boot_time,
    **server: Any,
) -> AsyncIterator[House]:
    replies, board, happenings = ScriptedReplies(script, seconds_per_word), NoticeBoard(), Happenings()
    announce = Announcer(board.post)

    def watch(heard: Heard, event: TurnEvent | Exception) -> None:
        announce(heard, event)
        happenings.turn(heard, event)

    transcriber, synthesiser = ScriptedTranscriber(hear), ToneSynthesiser()
    speech, settings = speech or SpeechSettings(), ServerSettings(port=0, **server)
    async with (
        Memory(folder / "memory.db", serve=True, chat=chat, boot=boot) as memory,
        ComputeLane() as lane,
        Dialogue(memory, replies, MANNER, 8_000, watch=watch, taken_back=happenings.taken_back) as dialogue,
        voice_over(
            lane, memory, dialogue, transcriber, synthesiser, speech, engines(lane) if engines else None
        ) as voice,
        WebSite(
            companion := ScriptedCompanion(
                memory, dialogue, replies, voice, happenings, board, speech.idle_seconds, settings.turns_per_minute
            ),
            memory,
            board,
            settings,
            speech.sound_minutes * 60,
        ) as site,
        aiohttp.ClientSession() as session,
    ):
        yield House(memory, site, site.address, session, replies, board, companion, transcriber, synthesiser)
