"""The document of the routes: complete, valid, and true of random requests, over real sockets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from browser import PHONE, Watched, needs_browser, open_browser
from fuzzing import fuzz, house_in_a_thread
from web_house import House, open_house

from firmware_bridge.web.doors import DOORS, Access
from firmware_bridge.web.openapi import document
from firmware_bridge.web.operations import OPERATIONS

BODY = {"application/json", "audio/wav"}


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [(method, path, told) for path, at in document()["paths"].items() for method, told in at.items()]


async def test_every_route_is_documented_and_nothing_else(house: House) -> None:
    assert house.site.routes() == set(OPERATIONS), "a new route needs a row in firmware_bridge/web/operations.py"
    status, served = await house.ask("GET", "/openapi.json")
    assert (status, served) == (200, document())
    assert served["openapi"].startswith("3.1.")


def test_every_reference_leads_somewhere() -> None:
    def references(part: Any) -> list[str]:
        if isinstance(part, dict):
            return [part["$ref"]] if "$ref" in part else [one for inner in part.values() for one in references(inner)]
        return [one for inner in part for one in references(inner)] if isinstance(part, list) else []

    known = {f"#/components/schemas/{name}" for name in document()["components"]["schemas"]}
    assert references(document())
    assert set(references(document())) <= known


def test_every_operation_tells_what_it_takes_and_how_it_may_fail() -> None:
    for method, path, told in operations():
        assert told["summary"].endswith((".", "?")), path
        assert all(parameter["description"] for parameter in told["parameters"]), path
        named = {part.strip("{}") for part in path.split("/") if part.startswith("{")}
        assert {p["name"] for p in told["parameters"] if p["in"] == "path"} == named
        if DOORS[method.upper(), path] is not Access.ANYONE:
            assert "`not_paired`" in told["responses"]["401"]["description"]
        if "requestBody" in told:
            assert BODY & told["requestBody"]["content"].keys()
            assert "413" in told["responses"]


async def test_the_page_for_people_needs_nothing_from_elsewhere(house: House) -> None:
    async with house.session.get(house.url + "/docs") as response:
        page, policy = await response.text(), response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "://" not in page
    for part in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        assert (await house.ask("GET", part))[0] == 200


@needs_browser
async def test_the_page_shows_every_route(house: House) -> None:
    async with open_browser() as browser:
        watched = Watched(await browser.new_page(viewport=PHONE))
        await watched.page.goto(house.url + "/docs")
        await watched.page.locator("details").nth(len(operations()) - 1).wait_for()
        assert await watched.page.locator("details").count() == len(operations())
        await watched.page.locator("summary", has_text="/memory/search").click()
        assert await watched.page.get_by_text("records, and as many turns").is_visible()
    assert watched.complaints == []


@needs_browser
async def test_the_page_sends_the_browsers_key(tmp_path: Path) -> None:
    async with open_house(tmp_path, trust_loopback=False) as house, open_browser() as browser:
        page = await browser.new_page()
        await page.goto(house.url + "/docs")
        await page.get_by_role("alert").wait_for()
        await page.evaluate(f"localStorage.setItem('lobug-key', '{await house.memory.devices.renew_owner_key()}')")
        await page.reload()
        await page.locator("details").first.wait_for()


def test_random_requests_are_answered_as_documented(tmp_path: Path) -> None:
    """The quick form of `scripts/prove fuzz`."""
    with house_in_a_thread(tmp_path) as url:
        found = fuzz(url, 2)
    assert found.requests.keys() == {f"{method.upper()} {path}" for method, path, _ in operations()}
    assert found.wrong == {}
