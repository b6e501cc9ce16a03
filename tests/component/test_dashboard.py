"""The dashboard as people use it: a real browser, clicking and typing, over a real memory and real routes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from browser import PHONE, Watched, needs_browser, open_browser, open_page
from memory_house import digest
from playwright.async_api import Browser, expect
from web_house import House, open_house

from edge_memory.records import Status
from edge_memory.store.records import Filter

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]

_LARGEST_BYTES, _MOST_REQUESTS = 200_000, 16
AWAY = ("--host-resolver-rules=MAP lobug.home 127.0.0.1",)
PEANUTS = "I'm allergic to peanuts"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser(*AWAY) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as house:
        yield house


@pytest_asyncio.fixture(loop_scope="module")
async def at(browser: Browser, house: House) -> AsyncIterator[Watched]:
    async with open_page(browser, house.url) as watched:
        yield watched


async def tell(house: House, *sentences: str) -> None:
    for sentence in sentences:
        assert (await house.ask("POST", "/chat/text", json={"text": sentence}))[0] == 200
        await digest(house.memory)


async def test_searching_and_the_history_of_a_fact(house: House, at: Watched) -> None:
    await tell(house, "I live in Bergen", "I moved to Narvik", "I like plum jam")
    await at.page.get_by_role("link", name="What it knows").first.click()
    await at.page.get_by_label("Search memory").fill("Narvik")
    await at.page.get_by_role("link", name=re.compile("Narvik")).click()
    await expect(at.page.locator(".heard")).to_contain_text("I moved to Narvik")  # the turn that it came from
    await at.page.get_by_role("link", name="The user lives in Bergen").click()
    await expect(at.page.get_by_role("heading", level=1)).to_have_text("The user lives in Bergen")
    await expect(at.page.get_by_role("heading", name="Replaced by")).to_be_visible()
    await expect(at.page.get_by_text("Replaced by something newer")).to_be_visible()


@pytest.mark.parametrize(("button", "after"), [("Yes, that's right", Status.EXPIRED), ("No, forget it", Status.ACTIVE)])
async def test_deciding_what_waits(house: House, at: Watched, button: str, after: Status) -> None:
    await tell(house, PEANUTS, "I'm not allergic to peanuts any more")
    await at.page.get_by_role("link", name=re.compile("Waiting")).first.click()
    await expect(at.page.get_by_text("Instead of: The user is allergic to peanuts")).to_be_visible()
    await at.page.get_by_role("button", name=button).click()
    await expect(at.page.get_by_text("Nothing waits")).to_be_visible()
    found, _ = await house.memory.select(Filter())
    assert [record.status for record in found if record.text == "The user is allergic to peanuts"] == [after]


async def test_a_device_reads_and_is_offered_nothing_that_is_the_owners(tmp_path: Path, browser: Browser) -> None:
    async with open_house(tmp_path, trust_loopback=False, allowed_hosts=("lobug.home",)) as house:
        await house.memory.review.propose("user.diet", "vegan", "", "owner")
        page = await browser.new_page(viewport=PHONE)
        await page.goto(f"{house.url.replace('127.0.0.1', 'lobug.home')}/#key={await house.pair('tablet')}")
        await page.get_by_role("link", name="Memory").click()
        await page.get_by_role("link", name="Waiting").click()
        await expect(page.locator(".card")).to_contain_text("vegan")
        await expect(page.get_by_text("Deciding is for the owner")).to_be_visible()
        await page.get_by_role("link", name="More about it").click()
        await expect(page.get_by_role("heading", name="Is it wrong?")).to_be_visible()
        assert await page.locator("main button").count() == 0
        await page.get_by_role("link", name="House").click()
        await expect(page.get_by_role("heading", name="For the owner")).to_be_visible()
        await page.close()


async def test_erasing_shows_what_goes_and_can_be_left(house: House, at: Watched) -> None:
    await tell(house, "I like plum jam", "my cat is called Miso")
    await at.page.get_by_role("link", name="What it knows").first.click()
    await at.page.get_by_role("link", name=re.compile("Miso")).click()
    await at.page.get_by_role("button", name="Erase it").click()
    await expect(at.page.get_by_text("1 memory would go for good")).to_be_focused()
    await at.page.get_by_role("button", name="Keep it").click()
    await at.page.get_by_role("button", name="Erase it").click()
    await at.page.get_by_role("button", name="Erase for good").click()
    await expect(at.page.locator(".rows")).to_contain_text("plum jam")
    await expect(at.page.locator(".rows")).not_to_contain_text("Miso")
    assert [record.text for record in (await house.memory.select(Filter(status=Status.ACTIVE)))[0]] == [
        "The user likes plum jam"
    ]


async def test_all_of_it_is_downloaded(house: House, at: Watched) -> None:
    await tell(house, "I like plum jam")
    await at.page.get_by_role("link", name="About you").first.click()
    async with at.page.expect_download() as coming:
        await at.page.get_by_role("button", name="Download everything").click()
    download = await coming.value
    assert re.fullmatch(r"lobug-memory-[\d-]+\.json", download.suggested_filename)
    assert "plum jam" in (await download.path()).read_text(encoding="utf-8")


async def test_sensors_and_reminders(house: House, at: Watched) -> None:
    for celsius in (20.5, 21.5):
        await house.memory.sensing.sense("kitchen", {"temperature": celsius, "face_down": False})
        await house.memory.sensing.flush()
    await tell(house, "remind me in ten minutes to feed the cat")
    await at.page.get_by_role("link", name="Sensors").first.click()
    await expect(at.page.get_by_role("img", name="now 21.5, from 20.5 to 21.5")).to_be_visible()
    await at.page.get_by_label("Show").select_option("The last hour")
    await expect(at.page.get_by_text("Face down")).to_be_visible()
    await at.page.get_by_role("link", name="Reminders").first.click()
    await expect(at.page.locator(".rows")).to_contain_text("feed the cat")
    await expect(at.page.locator(".rows")).to_contain_text("in 10 minutes")


async def test_everything_can_be_done_by_keyboard(house: House, at: Watched) -> None:
    await tell(house, PEANUTS, "I'm not allergic to peanuts any more")
    await at.page.reload()
    await at.page.get_by_label("Your message").wait_for()
    keyboard = at.page.keyboard

    async def tab_to(name: str) -> None:
        for _ in range(40):
            await keyboard.press("Tab")
            here = await at.page.evaluate("() => document.activeElement.ariaLabel || document.activeElement.innerText")
            if name in (here or ""):
                return
        raise AssertionError(f"{name} cannot be reached")

    await tab_to("Your message")
    await keyboard.type("good morning")
    await keyboard.press("Enter")
    await expect(at.page.locator("article").last).to_contain_text("You said good morning.")
    await at.page.reload()
    await tab_to("Skip to content")
    await tab_to("Waiting")
    await keyboard.press("Enter")
    await at.page.get_by_text("Instead of:").wait_for()
    assert await at.page.evaluate("() => document.activeElement.tagName") == "H1"
    await tab_to("Yes, that's right")
    await keyboard.press("Enter")
    await expect(at.page.get_by_text("Nothing waits")).to_be_visible()


async def test_a_phone_needs_the_owners_key(tmp_path: Path, browser: Browser) -> None:
    async with open_house(tmp_path, trust_loopback=False, allowed_hosts=("lobug.home",)) as house:
        page = await browser.new_page(viewport=PHONE)
        await page.goto(house.url.replace("127.0.0.1", "lobug.home"))
        await page.get_by_label("Key").fill("lobug_wrong")
        await page.get_by_role("button", name="Open").click()
        await expect(page.get_by_role("alert")).to_contain_text("pair it with: lobug devices pair")
        key = await house.memory.devices.renew_owner_key()
        await page.get_by_label("Key").fill(key)
        await page.get_by_role("button", name="Open").click()
        await page.get_by_role("button", name="Speak").click()
        await expect(page.get_by_role("alert")).to_contain_text(
            "Typing works everywhere"
        )  # no microphone without https
        await house.memory.review.propose("user.diet", "vegan", "", "owner")
        await page.get_by_role("link", name="Memory").click()
        await page.get_by_role("link", name="Waiting").click()
        await page.get_by_role("button", name="Yes, that's right").click()
        await expect(page.get_by_text("Nothing waits")).to_be_visible()
        await page.close()


async def test_an_error_tells_what_to_do(house: House, at: Watched) -> None:
    await at.page.evaluate("() => { location.hash = '#/memory/99' }")
    await expect(at.page.get_by_role("alert")).to_contain_text("there is no record 99")
    await expect(at.page.get_by_role("alert")).to_contain_text("lobug memory list")
    at.complaints.clear()  # the browser tells of every 404


async def test_what_was_said_is_shown_as_text(house: House, at: Watched) -> None:
    nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    await tell(house, f"remember that my password is {nasty}")
    await expect(at.page.locator("article").last).to_contain_text(nasty)
    await at.page.get_by_role("link", name="What it knows").first.click()
    await expect(at.page.locator(".rows")).to_contain_text("<img src=x")
    assert await at.page.locator("main img, main script").count() == 0
    assert "What it knows" in await at.page.title()


async def test_the_page_is_light_and_asks_nobody_else(house: House, browser: Browser) -> None:
    page = await browser.new_page()
    watched = Watched(page)
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(int(response.headers.get("content-length", 0))))
    await page.goto(house.url)
    await page.wait_for_selector("h1")
    paint = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
    painted = await page.evaluate(paint)
    print(f"first paint after {painted:.0f} ms, {len(sizes)} requests, {sum(sizes)} bytes")  # noqa: T201 - for pytest -s
    assert {urlsplit(url).netloc for _, url in watched.asked} == {urlsplit(house.url).netloc}
    assert len(watched.asked) <= _MOST_REQUESTS
    parts = (resources.files("firmware_bridge.web") / "static").iterdir()
    assert sum(len(part.read_bytes()) for part in parts) <= _LARGEST_BYTES
    await page.close()


async def test_the_page_fetches_known_routes_only(house: House, at: Watched) -> None:
    await tell(house, "I live in Bergen", PEANUTS, "I'm not allergic to peanuts any more")
    for way in await at.page.locator("#side a").all():
        await way.click()
        await at.page.locator(".page:not([aria-busy])").wait_for()
    known = [(method, re.compile(re.sub(r"{\w+}", "[^/]+", path) + "$")) for method, path in house.site.routes()]
    asked = {(method, urlsplit(url).path) for method, url in at.asked}
    assert len(asked) >= 8
    for method, path in asked:
        assert any(method == known_method and pattern.match(path) for known_method, pattern in known), (method, path)


async def test_policy_of_the_page(house: House) -> None:
    async with house.session.get(house.url) as response:
        policy = response.headers["Content-Security-Policy"]
        etag = response.headers["ETag"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    async with house.session.get(house.url, headers={"If-None-Match": etag}) as response:
        assert response.status == 304
    assert (await house.ask("GET", "/static/nothing.js"))[0] == 404
    assert (await house.ask("GET", "/static/..%2fpage.py"))[0] == 404
