"""Talking to the dashboard by microphone, in a real browser that hears a recording."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from browser import DESKTOP, Watched, needs_browser, open_browser, open_page
from playwright.async_api import Browser, Page, expect
from sounds import speech, wav
from web_house import House, open_house

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]

_UTTERANCE_PIECES = 17  # of a tenth of a second
_COUNT_PIECES = """
  window.pieces = 0;
  window.AudioWorkletNode = class extends AudioWorkletNode {
    constructor(...told) {
      super(...told);
      this.port.addEventListener("message", () => { window.pieces += 1; });
    }
  };
"""
# As if its user thought for a moment whether this page may have the microphone.
_SLOW_TO_ALLOW = """
  window.given = [];
  const devices = navigator.mediaDevices, ask = devices.getUserMedia.bind(devices);
  devices.getUserMedia = async wanted => {
    await new Promise(resolve => setTimeout(resolve, 500));
    const stream = await ask(wanted);
    window.given.push(...stream.getTracks());
    return stream;
  };
"""
_GIVEN = "() => window.given.length > 0"
_ENDED = "() => window.given.every(track => track.readyState === 'ended')"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the browser's microphone hears."""
    file = tmp_path_factory.mktemp("sound") / "hello.wav"
    file.write_bytes(wav(speech(1.5)))
    return file


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(recording: Path) -> AsyncIterator[Browser]:
    microphone = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    async with open_browser(*microphone, f"--use-file-for-fake-audio-capture={recording}") as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path) as house:
        yield house


@pytest_asyncio.fixture(loop_scope="module")
async def at(browser: Browser, house: House) -> AsyncIterator[Watched]:
    async with open_page(browser, house.url) as watched:
        await watched.page.add_init_script(_COUNT_PIECES)
        await watched.page.reload()
        yield watched


@pytest_asyncio.fixture(loop_scope="module")
async def hesitant(browser: Browser, house: House) -> AsyncIterator[Page]:
    """A page whose user takes a moment to allow the microphone."""
    page = await browser.new_page(viewport=DESKTOP)
    await page.add_init_script(_SLOW_TO_ALLOW)
    await page.goto(house.url)
    yield page
    await page.close()


async def record(page: Page) -> None:
    await page.get_by_role("button", name="Speak").click()
    await page.wait_for_function(f"() => window.pieces >= {_UTTERANCE_PIECES}")


async def test_talking_by_microphone(house: House, at: Watched) -> None:
    await record(at.page)
    async with at.page.expect_response(re.compile(r"/chat/audio/\w+")) as fetched:
        await at.page.get_by_role("button", name="Stop").click()
        await expect(at.page.locator("article").last).to_contain_text("You said hello there.")
    await expect(at.page.locator("article p.heard")).to_contain_text("hello there")
    sound = await fetched.value
    assert (sound.status, sound.headers["content-type"]) == (200, "audio/wav")
    assert int(sound.headers["content-length"]) > 1_000


async def test_a_voice_that_cannot_be_fetched_leaves_the_words(house: House, at: Watched) -> None:
    await at.page.route(re.compile(r"/chat/audio/\w+"), lambda route: route.abort())
    await record(at.page)
    await at.page.get_by_role("button", name="Stop").click()
    await expect(at.page.get_by_role("alert")).to_be_visible()
    await expect(at.page.locator("article").last).to_contain_text("You said hello there.")
    at.complaints.clear()  # the browser tells of the lost request


async def test_who_leaves_right_after_speaking_is_heard(house: House, at: Watched) -> None:
    await record(at.page)
    async with at.page.expect_response(re.compile(r"/chat/audio\?")) as heard:
        await at.page.evaluate("() => { document.querySelector('.microphone').click(); location.hash = '#/health'; }")
    assert (await (await heard.value).json())["text"] == "You said hello there."


async def test_the_microphone_is_off_once_the_page_is_left(hesitant: Page) -> None:
    await hesitant.get_by_role("button", name="Speak").click()
    await hesitant.get_by_role("link", name="Health").first.click()
    await hesitant.wait_for_function(_GIVEN)
    await hesitant.wait_for_function(_ENDED)


async def test_the_microphone_is_off_where_it_cannot_be_recorded(hesitant: Page) -> None:
    await hesitant.evaluate("() => { AudioWorklet.prototype.addModule = async () => { throw new Error('no'); }; }")
    await hesitant.get_by_role("button", name="Speak").click()
    await expect(hesitant.get_by_role("alert")).to_be_visible()
    await hesitant.wait_for_function(_ENDED)
    await expect(hesitant.get_by_role("button", name="Speak")).to_be_enabled()
