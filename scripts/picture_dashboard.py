#!/usr/bin/env -S .venv/bin/python
"""Takes the README's pictures of the dashboard anew: a made-up house, filled with two days, in a real browser.

usage: scripts/picture_dashboard.py [FOLDER]
"""

from __future__ import annotations

import asyncio
import math
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / part) for part in ("", "system", "component"))]

from browser import DESKTOP, PHONE, open_browser
from companion_process import Companion
from memory_house import digest

from edge_memory.memory import Memory
from edge_memory.records import UserTurn
from edge_memory.store.conversation import Answer
from edge_memory.store.devices import Invitation

_DAY, _HOUR = 86_400.0, 3_600.0
_TALK = (
    ("My name is Alex and I work at NASA", "Nice to meet you, Alex.", None),
    ("I live in Bergen", "Bergen is lovely in spring.", "kitchen"),
    ("I'm allergic to peanuts", "I'll keep that in mind: no peanuts.", "kitchen"),
    ("My sister Sarah's birthday is on the 3rd of May", "I'll remember Sarah's birthday.", None),
    ("I have two cats, Miso and Tofu", "Miso and Tofu, what a pair.", "bedroom"),
    ("I moved to Narvik", "So you left Bergen. How is Narvik?", None),
    ("I'm not allergic to peanuts any more", "That is good news.", None),
    ("Where do I live?", "You live in Narvik.", "kitchen"),
    ("When is my sister's birthday?", "Sarah's birthday is on the 3rd of May.", None),
)
_PICTURES = (
    ("dashboard_talk", DESKTOP, "light", "talk"),
    ("dashboard_record", PHONE, "light", "memory/3"),
    ("dashboard_waiting", PHONE, "light", "waiting"),
    ("dashboard_sensors", PHONE, "dark", "sensors"),
)


async def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "scripts" / "pictures"
    with tempfile.TemporaryDirectory() as lent:
        data = Path(lent) / "data"
        data.mkdir()
        await fill(data / "memory.db")
        with Companion(data, reply_tokens=None) as companion:
            companion.wait_for(lambda health: health["status"] == "ok")
            await picture(companion.url, folder)


async def fill(file: Path) -> None:
    chance, now = random.Random(3), [time.time() - _DAY]
    async with Memory(file, serve=True, clock=lambda: now[0]) as memory:
        await memory.prepare()
        for place in ("kitchen", "bedroom"):
            await memory.devices.add(place, Invitation("owner", place.capitalize(), place))
        for number, (text, reply, device) in enumerate(_TALK, start=1):
            now[0] = time.time() - (len(_TALK) - number) * 2.3 * _HOUR - 60
            turn = UserTurn(f"turn{number}", device or "default", "owner", text, now[0], device)
            await memory.hear(turn)
            await memory.answer(Answer(turn, reply, "respond", _timings(chance), now[0]))
            await digest(memory)
        for five_minutes in range(288):
            now[0] = time.time() - (288 - five_minutes) * 300
            wave = math.sin(math.tau * five_minutes / 288 - 1)
            await memory.sensing.sense("kitchen", {"temperature": round(20.5 + 2.4 * wave + chance.random() / 4, 1)})
            await memory.sensing.sense("kitchen", {"humidity": round(44 - 6 * wave + chance.random())})
            await memory.sensing.flush()


def _timings(chance: random.Random) -> dict[str, float]:
    first = 300 + 500 * chance.random()
    looked_up = {"queue_ms": 60 * chance.random(), "embed_ms": 25.0, "recall_ms": 8.0, "prompt_tokens": 400.0}
    return looked_up | {"first_token_ms": first, "total_ms": first + 900 + 900 * chance.random()}


async def picture(url: str, folder: Path) -> None:
    async with open_browser() as browser:
        for name, size, scheme, page_name in _PICTURES:
            page = await browser.new_page(viewport=size, color_scheme=scheme)
            await page.goto(f"{url}/#/{page_name}")
            await page.locator(".page:not([aria-busy])").wait_for()
            await page.wait_for_timeout(300)
            await page.screenshot(path=folder / f"{name}.png")
            print(folder / f"{name}.png")


if __name__ == "__main__":
    asyncio.run(main())
