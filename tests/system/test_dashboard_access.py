"""The dashboard of the real process, as axe-core sees it: nothing keeps people with other eyes, ears or hands out."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from browser import DESKTOP, PHONE, needs_browser, open_browser
from companion_process import Companion
from playwright.async_api import Page
from scripted_server import ScriptedServer

_AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
_LOOK = "rules => axe.run({ resultTypes: ['violations'], ...rules && { runOnly: rules } })"
_BY_LOOKS = [
    "color-contrast",
    "target-size",
    "scrollable-region-focusable",
    "meta-viewport",
]  # differ by size and scheme
_SERIOUS = ("serious", "critical")
_PAGES = ("talk", "memory", "memory/1", "waiting", "about", "devices", "sensors", "reminders", "health")


async def violations(page: Page, name: str, scheme: str, rules: list[str] | None) -> list[tuple[Any, ...]]:
    found = (await page.evaluate(_LOOK, rules))["violations"]
    return [(one["impact"], name, scheme, one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]


@needs_browser
async def test_no_page_keeps_anybody_out(tmp_path: Path) -> None:
    found = []
    every_reading = {"LOBUG_MEMORY__SENSOR_SECONDS": "0", "LOBUG_PERSONA__NAME": "Ada & Co"}
    with (
        ScriptedServer() as server,
        Companion(tmp_path / "data", environment=server.settings | every_reading) as companion,
    ):
        for said in ("I'm allergic to peanuts", "I'm not allergic to peanuts any more", "timer ten minutes", "hello"):
            companion.say(said)
        for lux in (3, 4):
            companion.post("/context/sensors", {"lux": lux, "face_down": False})
        companion.wait_for(lambda health: health["memory"]["records"] >= 2)
        async with open_browser() as browser:
            for size, scheme, rules in ((DESKTOP, "light", None), (PHONE, "dark", _BY_LOOKS)):
                page = await browser.new_page(viewport=size, color_scheme=scheme)
                await page.goto(f"{companion.url}/docs")
                await page.locator("details").first.click()
                await page.evaluate(_AXE)
                found += await violations(page, "docs", scheme, rules)
                await page.goto(companion.url)
                await page.evaluate(_AXE)
                for name in _PAGES:
                    await page.evaluate("name => { location.hash = `#/${name}` }", name)
                    await page.locator(f".page.{name.split('/')[0]}:not([aria-busy])").wait_for()
                    assert (await page.title()).endswith(" · Ada & Co")
                    found += await violations(page, name, scheme, rules)
    assert [one for one in found if one[0] in _SERIOUS] == []
    assert found == [], "not serious, and yet"
