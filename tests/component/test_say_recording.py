"""`lobug say --wav` beside a companion whose ears and voice are scripted."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from sounds import silence, speech, wav
from web_house import open_house

pytest.importorskip("av")


async def lobug_say(*arguments: str) -> tuple[int, str, str]:
    command = [str(Path(sys.executable).with_name("lobug")), "say", *arguments]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


async def test_a_recording_is_said_from_the_command_line(tmp_path: Path) -> None:
    asked, reply = tmp_path / "asked.wav", tmp_path / "reply.wav"
    asked.write_bytes(wav(speech()))
    async with open_house(tmp_path) as house:
        _, out, _ = await lobug_say("--wav", str(asked), "--out", str(reply), "--url", house.url)
        assert out.splitlines() == ["heard: hello there", "You said hello there."]
        assert reply.read_bytes().startswith(b"RIFF")

        asked.write_bytes(wav(silence(2)))
        reply.unlink()
        _, out, err = await lobug_say("--wav", str(asked), "--out", str(reply), "--url", house.url)
        assert out.splitlines() == ["(not answered: nobody speaks in it)"]
        assert "nothing was written" in err
        assert not reply.exists()


async def test_a_reply_that_could_not_be_kept_is_not_asked_for(tmp_path: Path) -> None:
    asked, nowhere = tmp_path / "asked.wav", tmp_path / "no" / "reply.wav"
    asked.write_bytes(wav(speech()))
    async with open_house(tmp_path) as house:
        for arguments, why in (
            (["--wav", str(asked), "--out", str(nowhere)], "there is no folder"),
            (["--wav", str(asked), "--out", str(tmp_path)], "is a directory"),
            (["hello there", "--out", str(tmp_path / "reply.wav")], "give one with --wav"),
        ):
            code, out, err = await lobug_say(*arguments, "--url", house.url)
            assert code == 2
            assert why in " ".join(err.split())
            assert "Traceback" not in out + err
        assert await house.memory.turns("default", 5) == []
