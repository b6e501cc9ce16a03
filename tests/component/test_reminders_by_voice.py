"""Reminders asked for, listed and called off, in words, by route and by verb."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from reminder_house import Boot
from typer.testing import CliRunner
from web_house import MANNER, House, open_house

from firmware_bridge.cli.main import app
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.errors import ModelLoading
from firmware_bridge.turn import Dialogue
from firmware_bridge.turn.scripted import ScriptedReplies


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A companion whose timers stand still."""
    async with open_house(tmp_path, boot=Boot()) as house:
        yield house


async def say(house: House, text: str, device_id: str | None = None) -> tuple[str, str]:
    _, answer = await house.ask("POST", "/chat/text", json={"text": text, "device_id": device_id})
    return answer["action"], answer["text"]


async def test_reminders_by_voice(house: House) -> None:
    assert await say(house, "remind me in two hours to call my mother") == (
        "respond",
        "Okay, in 2 hours: call your mother.",
    )
    action, said = await say(house, "remind me tomorrow at nine am to feed the cat")
    assert (action, said) == ("respond", "Okay, tomorrow at 9 am: feed the cat.")
    assert (await say(house, "set a pasta timer for eight minutes"))[1] == "Okay, pasta timer for 8 minutes."
    assert (await say(house, "what are my reminders"))[1] == (
        "You have 2: call your mother in 2 hours; feed the cat tomorrow at 9 am."
    )
    assert (await say(house, "how long is left on the timer"))[1] == "You have 1: pasta timer in 8 minutes."
    assert await say(house, "cancel the reminder") == (
        "clarify",
        "Which one? call your mother in 2 hours; feed the cat tomorrow at 9 am.",
    )
    assert (await say(house, "cancel the reminder about the cat"))[1] == "Okay, cancelled: feed the cat."
    assert (await say(house, "cancel the reminder about the dog"))[1] == "There is no such reminder."
    assert (await say(house, "stop the timer"))[1] == "Okay, cancelled: pasta timer."
    assert (await say(house, "delete all my reminders"))[1] == "Okay, cancelled: call your mother."
    assert (await say(house, "do I have any reminders"))[1] == "You have no reminders."
    assert house.replies.prompts == [], "the model was not needed"


async def test_without_a_time_or_in_the_past_it_asks(house: House) -> None:
    question = "When shall I remind you to feed the cat?"
    assert await say(house, "remind me to feed the cat") == ("clarify", question)
    assert (await say(house, "tomorrow at noon"))[1] == "Okay, tomorrow at noon: feed the cat."
    assert await say(house, "remind me yesterday at six to feed the cat") == (
        "clarify",
        f"That time has passed already. {question}",
    )
    assert (await say(house, "in ten minutes"))[1] == "Okay, in 10 minutes: feed the cat."
    assert await say(house, "set a timer") == ("clarify", "For how long shall the timer run?")
    assert (await say(house, "ninety seconds"))[1] == "Okay, timer for 1 minute and 30 seconds."
    assert (await say(house, "set a timer for 9000 hours"))[1].startswith("That is too long")
    assert (await say(house, "what is a timer"))[1] != ""


class Loading:
    """A model that is not there yet, and may never be."""

    async def ready(self) -> ScriptedReplies:
        await asyncio.sleep(0.1)
        raise ModelLoading("the model is loading", "wait")


async def test_timers_need_no_model(house: House) -> None:
    async with Dialogue(house.memory, Loading(), MANNER, 1_000) as dialogue:

        async def told(text: str) -> str:
            return "".join(
                [event.text async for event in dialogue.talk(Heard(text, "desk")) if isinstance(event, Said)]
            )

        assert await told("timer ten minutes") == "Okay, timer for 10 minutes."
        assert await told("what are my timers") == "You have 1: timer in 10 minutes."
        with pytest.raises(ModelLoading):
            await told("how are you")
    heard = [turn["heard"] for turn in await house.memory.turns("desk", 10)]
    assert heard == ["timer ten minutes", "what are my timers"]


async def test_a_turn_sent_again_sets_one_reminder(house: House) -> None:
    for _ in range(3):
        await house.ask("POST", "/turns", json={"text": "timer ten minutes", "turn_id": "m5-1"})
        await house.ask("GET", "/turns/m5-1?wait=60")
    assert len(await house.memory.reminders.all()) == 1


async def test_reminders_are_listed_for_their_user_by_route_and_verb(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house:
        alex, sam = await house.pair("desk", user_id="alex"), await house.pair("bed", user_id="sam")
        await house.ask("POST", "/chat/text", alex, json={"text": "remind me tomorrow at 9 am to feed the cat"})
        _, listed = await house.ask("GET", "/reminders", alex)
        assert (await house.ask("GET", "/reminders", sam))[1] == {"reminders": []}
        assert (await house.ask("GET", "/reminders"))[0] == 401
        (reminder,) = listed["reminders"]
        assert (reminder["text"], reminder["state"], reminder["device_id"]) == ("feed the cat", "waiting", "desk")
        assert reminder["due_local"][11:16] == "09:00"
    await asyncio.to_thread(check_verbs, tmp_path, reminder)


def check_verbs(folder: Path, reminder: dict[str, Any]) -> None:
    run, data = CliRunner(), ["--data-dir", str(folder)]
    assert json.loads(run.invoke(app, ["reminders", "list", "--json", *data]).stdout)["reminders"] == [reminder]
    assert "feed the cat" in run.invoke(app, ["reminders", "list", *data]).stdout
    assert run.invoke(app, ["reminders", "cancel", "77", *data]).exception is not None
    assert "cancelled" in run.invoke(app, ["reminders", "cancel", "1", *data]).stdout
    assert "no reminder waits" in run.invoke(app, ["reminders", "list", *data]).stdout
    assert "cancelled" in run.invoke(app, ["reminders", "list", "--all", *data]).stdout


async def test_what_is_said_of_a_reminder_is_what_is_kept(house: House) -> None:
    _, told = await say(house, "remind me in 1000 hours to renew the passport", "desk")
    (kept,) = await house.memory.reminders.all()
    assert abs(kept.due_at - time.time() - 3_600_000) < 120 + 3_600
    assert f"{datetime.fromtimestamp(kept.due_at).day} " in told  # noqa: DTZ006 - what is told is local
    assert "too far away" in (await say(house, "remind me in 99999999 hours to x", "desk"))[1]
    _, told = await say(house, "remind me every day at eight to take pills", "desk")
    assert "take pills" in told
    assert "only once" in told
    assert sorted(reminder.text for reminder in await house.memory.reminders.all()) == [
        "renew the passport",
        "take pills",
    ]
    for wrong in ("remind me at 25:00 to x", "timer -5 minutes", "remind me in 0 minutes to x"):
        assert (await say(house, wrong, "desk"))[0] == "clarify", wrong
    assert len(await house.memory.reminders.all()) == 2
