"""Talking on the dashboard, and what changes while a page is asking, in a real browser whose requests are held up."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from browser import Watched, hold, needs_browser, open_browser, open_page
from memory_house import digest
from playwright.async_api import Browser, Route, expect
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


async def tell(house: House, sentence: str, turn_id: str = "") -> None:
    body = {"text": sentence, "turn_id": turn_id or uuid.uuid4().hex}
    assert (await house.ask("POST", "/chat/text", json=body))[0] == 200
    await digest(house.memory)


async def open_way(at: Watched, name: str) -> None:
    await at.page.get_by_role("link", name=name).first.click()
    await at.page.locator(".page:not([aria-busy])").wait_for()


async def leave(at: Watched) -> None:
    """On a busy machine the open page may not have asked for its line yet: what is held next is not to be that one."""
    await at.page.goto("about:blank")


async def house_answers(at: Watched) -> None:
    """What was asked before this is answered, too."""
    await at.page.evaluate("fetch('/health').then(answer => answer.json())")


async def test_an_older_search_does_not_come_after_a_newer_one(house: House, at: Watched) -> None:
    await tell(house, "I live in Bergen")
    await tell(house, "I like plum jam")
    await open_way(at, "What it knows")
    searches = await hold(at.page, "**/memory/search?*")
    await at.page.get_by_label("Search memory").fill("Bergen")
    older = await searches.next()
    its_answer = await older.fetch()
    await at.page.get_by_label("Search memory").fill("jam")
    await (await searches.next()).continue_()
    await expect(at.page.locator(".rows").first).to_contain_text("plum jam")
    await older.fulfill(response=its_answer)
    await house_answers(at)
    await expect(at.page.locator(".rows").first).not_to_contain_text("Bergen")


async def test_what_is_told_while_the_page_asks_is_shown(house: House, at: Watched) -> None:
    looks = await hold(at.page, "**/memory/records?*")
    await at.page.get_by_role("link", name="What it knows").first.click()
    route = await looks.next()
    nothing_yet = await route.fetch()
    await tell(house, "I live in Bergen")
    house.companion.happenings.memory_changed()
    await house_answers(at)
    await looks.release()
    await route.fulfill(response=nothing_yet)
    await expect(at.page.locator(".rows")).to_contain_text("Bergen")


async def test_what_is_told_before_the_page_is_told_of_anything_is_shown(house: House, at: Watched) -> None:
    line = await hold(at.page, "**/events")
    await open_way(at, "Waiting")
    await at.page.reload()
    await expect(at.page.get_by_text("Nothing waits")).to_be_visible()
    await house.memory.review.propose("user.diet", "vegan", "", "owner")
    await line.release()
    await expect(at.page.locator(".card")).to_contain_text("vegan")
    await expect(at.page.locator("#side .badge")).to_contain_text("1")


async def test_what_happens_while_somebody_is_in_a_list_is_shown_once_they_leave_it(house: House, at: Watched) -> None:
    await tell(house, "I live in Bergen")
    await open_way(at, "What it knows")
    await at.page.get_by_role("link", name=re.compile("Bergen")).focus()
    await tell(house, "I like plum jam")
    house.companion.happenings.memory_changed()
    await house_answers(at)
    await expect(at.page.get_by_role("link", name=re.compile("Bergen"))).to_be_focused()
    await at.page.get_by_label("Search memory").focus()
    await expect(at.page.locator(".rows")).to_contain_text("plum jam")


async def test_a_page_left_while_it_asks_complains_of_nothing(house: House, at: Watched) -> None:
    await open_way(at, "Health")
    looks = await hold(at.page, "**/health")
    await tell(house, "I like plum jam")  # it looks again
    route = await looks.next()
    async with at.page.expect_event("requestfailed"):
        await at.page.get_by_role("link", name="Devices").first.click()
    await expect(at.page.get_by_text("No device is paired")).to_be_visible()
    await route.abort()


async def test_two_clicks_turn_one_page(house: House, at: Watched) -> None:
    for number in range(60):
        await house.memory.review.propose("user.diet", f"diet {number}", "", "owner")
    await open_way(at, "What it knows")
    await at.page.get_by_label("State").select_option("Waits for you")
    await at.page.get_by_role("button", name="Older").dblclick()
    await expect(at.page.locator(".count")).to_contain_text("26 to 50 of 60")


async def test_two_clicks_decide_one_thing(house: House, at: Watched) -> None:
    for key, value in (("user.diet", "vegan"), ("user.name", "Ola")):
        await house.memory.review.propose(key, value, "", "owner")
    await open_way(at, "Waiting")
    yes = at.page.get_by_role("button", name=re.compile("Yes, that's right")).first
    await yes.click()
    await expect(at.page.locator(".card")).to_have_count(1)
    await yes.hover()
    await at.page.mouse.down(click_count=2)
    await at.page.mouse.up(click_count=2)
    await house_answers(at)
    await expect(at.page.locator(".card")).to_have_count(1)
    assert len(await house.memory.review.pending("owner")) == 1


async def test_two_clicks_erase_once(house: House, at: Watched) -> None:
    await tell(house, "I live in Bergen")
    await open_way(at, "What it knows")
    await at.page.get_by_role("link", name=re.compile("Bergen")).click()
    await at.page.get_by_role("button", name="Erase it").dblclick()
    await at.page.get_by_role("button", name="Erase for good").dblclick()
    await expect(at.page.get_by_text("It knows nothing yet")).to_be_visible()
    assert len([url for method, url in at.asked if method == "POST" and url.endswith("/forget")]) == 2


async def test_erasing_leads_nobody_away_from_where_they_went(house: House, at: Watched) -> None:
    await tell(house, "I live in Bergen")
    await open_way(at, "What it knows")
    await at.page.get_by_role("link", name=re.compile("Bergen")).click()
    await at.page.get_by_role("button", name="Erase it").click()
    erased = await hold(at.page, "**/forget")
    await at.page.get_by_role("button", name="Erase for good").click()
    await open_way(at, "Health")
    async with at.page.expect_response(re.compile("/forget$")):
        await erased.release()
    await house_answers(at)
    await expect(at.page.get_by_role("heading", level=1)).to_have_text("Health")


async def test_who_writes_while_the_past_is_fetched_is_not_interrupted(house: House, at: Watched) -> None:
    await open_way(at, "Health")
    past = await hold(at.page, "**/memory/turns?*")
    await at.page.get_by_role("link", name="Talk").first.click()
    await at.page.get_by_label("Your message").fill("the hens are")
    await past.release()
    await expect(at.page.locator(".page")).not_to_have_attribute("aria-busy", "true")
    await expect(at.page.get_by_label("Your message")).to_be_focused()


async def test_a_reply_that_the_page_lost_is_shown_as_it_happens(house: House, at: Watched) -> None:
    async def cut(route: Route) -> None:
        await route.fetch()
        await route.fulfill(body="event: begin\ndata: {}\n\n", content_type="text/event-stream")

    await at.page.route("**/chat/text", cut)
    await at.page.get_by_label("Your message").fill("the hens are loose")
    await at.page.get_by_role("button", name="Send").click()
    await expect(at.page.locator("article")).to_contain_text("You said the hens are loose.")
    await expect(at.page.get_by_role("alert")).to_have_count(0)


async def test_a_turn_that_ends_while_the_line_is_down_is_not_thought_about_for_ever(house: House, at: Watched) -> None:
    begun = json.dumps({"turn_id": "kettle", "heard": "are kettles loud", "device_id": None})

    async def break_off(route: Route) -> None:
        await route.fulfill(body=f"event: begun\ndata: {begun}\n\n", content_type="text/event-stream")

    await leave(at)
    await at.page.route("**/events", break_off, times=1)
    lines = await hold(at.page, "**/events")  # what is routed last is asked first
    await at.page.goto(house.url)
    await at.page.get_by_text("Say hello").wait_for()
    await (await lines.next()).fallback()
    await expect(at.page.locator(".thinking")).to_be_visible()
    await tell(house, "are kettles loud", "kettle")
    await lines.release()
    await expect(at.page.locator("article")).to_contain_text("You said are kettles loud.")
    await expect(at.page.locator("article")).to_have_count(1)


async def test_what_is_shown_stays_when_the_line_is_back(house: House, at: Watched) -> None:
    await leave(at)
    lines = await hold(at.page, "**/events")
    await at.page.goto(house.url)
    await at.page.get_by_label("Your message").fill("the hens are loose")
    await at.page.get_by_role("button", name="Send").click()
    await expect(at.page.locator("article")).to_contain_text("You said")
    await at.page.evaluate("document.querySelector('article').dataset.seen = 'yes'")
    await (await lines.next()).fulfill(body=": nothing\n\n", content_type="text/event-stream")
    await expect(at.page.locator("#state")).to_contain_text("Connection lost")
    await tell(house, "are kettles loud")
    await lines.release()
    await expect(at.page.locator("article")).to_have_count(2)
    await expect(at.page.locator("article").first).to_have_attribute("data-seen", "yes")


async def test_a_key_is_taken_by_a_page_that_is_open_already(house: House, at: Watched) -> None:
    async with at.page.expect_navigation(wait_until="load"):
        await at.page.evaluate("() => { location.hash = '#key=lobug_told' }")
    await at.page.get_by_label("Key").wait_for()
    assert await at.page.evaluate("localStorage.getItem('lobug-key')") == "lobug_told"
    await at.page.wait_for_load_state("networkidle")
    at.complaints.clear()  # the browser tells of the refusals


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
