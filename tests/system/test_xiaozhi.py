"""The running companion and `xiaozhi-sdk`, a client of the XiaoZhi protocol that nobody here wrote."""

from __future__ import annotations

import asyncio
import io
import json
import time
import urllib.request
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest
from companion_process import LOBUG, Companion
from scripted_server import ScriptedServer

from firmware_bridge.speech.samples import from_pcm16, resampled, to_pcm16

pytest.importorskip("av")
pytest.importorskip("xiaozhi_sdk")
from xiaozhi_client import FRAME_MS, MAC, Device

FRAME_SECONDS, DEVICE_QUEUE_SECONDS = FRAME_MS / 1000, 2.4
LONG = "the quick brown fox jumps over the lazy dog while the sun goes down"


@pytest.fixture(scope="module")
def companion(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    """It replies with what was said, in its own voice where that is installed."""
    folder = tmp_path_factory.mktemp("xiaozhi")
    with ScriptedServer() as server, Companion(folder / "data", environment=server.settings) as companion:
        yield companion


def ota(companion: Companion) -> str:
    return companion.url + "/xiaozhi/ota/"


async def test_typed_words_are_answered_in_the_firmwares_order(companion: Companion) -> None:
    async with Device(ota(companion)) as device:
        await device.sdk.send_text("hello there")
        assert await device.reply() == "You said hello there"
        kinds = [(message["type"], message.get("state")) for message in device.messages() if message["type"] != "llm"]
        assert kinds == [("stt", None), ("tts", "start"), ("tts", "sentence_start"), ("tts", "stop")]
        assert (await device.until("llm"))["emotion"] == "thinking"
    turns = companion.get("/memory/turns?limit=50")[1]["turns"]
    assert ("hello there", MAC, MAC) in [(turn["heard"], turn["session_id"], turn["device_id"]) for turn in turns]


async def test_the_devices_own_tools_are_used(companion: Companion) -> None:
    async with Device(ota(companion)) as device:
        await device.asked("self.get_device_status")
        await device.sdk.send_text("volume 30")
        assert await device.reply() == "Okay, volume 30 percent."
        await device.asked("self.audio_speaker.set_volume")
        assert device.volume == 30
        since = len(device.told)
        await device.sdk.send_text("louder")
        assert await device.reply(since) == "Okay, volume 50 percent."


async def test_a_reminder_reaches_a_device_that_is_in_a_talk(companion: Companion) -> None:
    async with Device(ota(companion)) as device:
        await device.sdk.send_text("remind me in two seconds to feed the cat")
        await device.reply()
        assert (await device.until("alert"))["message"] == "feed the cat"


def spoken(companion: Companion, text: str) -> bytes:
    """The companion's own voice, as 16 kHz samples with some silence after them."""
    body = json.dumps({"input": text, "response_format": "wav"}).encode()
    request = urllib.request.Request(companion.url + "/v1/audio/speech", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=240) as answer, wave.open(io.BytesIO(answer.read())) as file:
        rate, pcm = file.getframerate(), file.readframes(file.getnframes())
    return to_pcm16(resampled(from_pcm16(pcm), rate, 16_000)) + bytes(2 * 16_000)


@pytest.mark.speech
async def test_three_devices_at_once_are_heard_and_answered_aloud_in_all_binary_versions(companion: Companion) -> None:
    async def talk(version: int, thing: str) -> None:
        question = await asyncio.to_thread(spoken, companion, f"My {thing} is called Alice.")
        async with Device(ota(companion), mac=f"02:00:00:00:01:0{version}", version=version) as device:
            await device.say(question)
            assert thing in (await device.until("stt"))["text"].lower()
            assert thing in (await device.reply()).lower()
            frames = [message for _, message in device.told if isinstance(message, bytes)]
            assert len(device.sdk.output_audio_queue) == len(frames) > 10, "each could be decoded"

    await asyncio.gather(talk(1, "sister"), talk(2, "mother"), talk(3, "daughter"))


@pytest.mark.speech
async def test_abort_is_silence_at_once(companion: Companion) -> None:
    async with Device(ota(companion)) as device:
        await device.sdk.send_text(LONG)
        await device.until("tts", state="sentence_start")
        await device.sdk.send_abort()
        await device.until("tts", state="stop")
        since = len(device.told)
        await asyncio.sleep(0.5)
        assert [message for _, message in device.told[since:] if isinstance(message, bytes)] == []
        await device.sdk.send_text("hello again")
        assert await device.reply(since) == "You said hello again"


@pytest.mark.speech
async def test_the_device_is_never_given_more_than_it_can_keep(companion: Companion) -> None:
    """That it is not left without what is there is told in virtual time, see `tests/unit/test_xiaozhi_frames.py`."""
    async with Device(ota(companion)) as device:
        asked_at = time.monotonic()
        await device.sdk.send_text(LONG)
        await device.reply()
        came = [at for at, message in device.told if isinstance(message, bytes)]
    assert len(came) > 1.5 * DEVICE_QUEUE_SECONDS / FRAME_SECONDS
    # Told so that a device which is late in reading, as on a busy machine, is not given too much by that.
    assert all(at - asked_at > number * FRAME_SECONDS - DEVICE_QUEUE_SECONDS for number, at in enumerate(came))


async def test_a_device_of_the_network_is_paired_by_its_code(tmp_path: Path) -> None:
    settings = {"LOBUG_SERVER__TRUST_LOOPBACK": "false", "LOBUG_SPEECH__ENABLED": "off"}
    with ScriptedServer() as server, Companion(tmp_path / "data", environment=server.settings | settings) as companion:
        stranger = Device(ota(companion))
        assert not await stranger.connect()
        stranger.sdk.ota_task.cancel()  # it asks in steps of three seconds
        pairing = await companion_pairing(tmp_path / "data")
        code = (await stranger.ask_again())["activation"]["code"]
        assert not await stranger.sdk.ota.check_activate("lobug")
        told, _ = await pairing.communicate(f"{code}\n".encode())
        assert f"{MAC} is paired" in told.decode()
        assert await stranger.sdk.ota.check_activate("lobug")
        async with Device(ota(companion)) as device:
            await device.sdk.send_text("hello there")
            assert await device.reply() == "You said hello there"
        assert not await Device(ota(companion), mac="02:00:00:00:00:02").connect()


async def companion_pairing(data_dir: Path) -> asyncio.subprocess.Process:
    """`lobug devices pair`, waiting for a device to ask."""
    process = await asyncio.create_subprocess_exec(
        *(LOBUG, "devices", "pair", "--data-dir", str(data_dir)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert b"Start pairing" in await asyncio.wait_for(process.stdout.readline(), 240)
    return process
