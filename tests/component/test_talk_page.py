"""The page on which people talk, in a real browser: what is said here, elsewhere and before it was opened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from browser import Watched, hold, needs_browser, open_browser, open_page
from playwright.async_api import Browser, expect
from web_house import House, open_house

from firmware_bridge.contracts import Action, Heard

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as house:
        yield house


@pytest_asyncio.fixture(loop_scope="module")
async def at(browser: Browser, house: House) -> AsyncIterator[Watched]:
    async with open_page(browser, house.url) as watched:
        yield watched


async def tell(house: House, sentence: str) -> None:
    assert (await house.ask("POST", "/chat/text", json={"text": sentence}))[0] == 200


async def test_talking_shows_the_reply_and_where_its_time_went(house: House, at: Watched) -> None:
    await at.page.get_by_label("Your message").fill("the hens are loose")
    await at.page.get_by_role("button", name="Send").click()
    turn = at.page.locator("article").last
    await expect(turn).to_contain_text("You said the hens are loose.")
    await expect(turn).to_contain_text("Took")
    assert len(await house.memory.turns(None, 10)) == 1


async def test_what_is_said_before_the_past_has_come_stays_and_stays_last(house: House, at: Watched) -> None:
    await tell(house, "the goats are fed")
    past = await hold(at.page, "**/memory/turns?*")
    await at.page.reload()
    await at.page.get_by_label("Your message").fill("the hens are loose")
    await at.page.get_by_role("button", name="Send").click()
    await expect(at.page.locator("article")).to_contain_text("You said the hens are loose.")
    await past.release()
    await expect(at.page.locator("article")).to_contain_text(["the goats are fed", "the hens are loose"])


async def test_a_turn_of_the_kitchen_shows_as_it_happens(house: House, at: Watched) -> None:
    await expect(at.page.get_by_text("Say hello")).to_be_visible()
    await tell(house, "are kettles loud")
    await expect(at.page.locator("article").last).to_contain_text("You said are kettles loud.")
    heard = Heard("shh", "default", action=Action.IGNORE, turn_id="noise")
    assert [event async for event in house.companion.talk(heard)]
    await tell(house, "good night")
    await expect(at.page.locator("article")).to_have_count(2)  # noise is not shown


async def test_a_reply_that_breaks_off_says_so(house: House, at: Watched) -> None:
    half = 'event: delta\r\ndata: {"text": "It is"}\r\n\r\n'
    await at.page.route("**/chat/text", lambda route: route.fulfill(body=half, content_type="text/event-stream"))
    await at.page.get_by_label("Your message").fill("what is the time")
    await at.page.get_by_role("button", name="Send").click()
    await expect(at.page.get_by_role("alert")).to_contain_text("The connection broke off.")
    await expect(at.page.locator(".thinking")).to_have_count(0)
