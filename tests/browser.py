"""A real browser: Debian's Chromium without a screen, driven by Playwright. `scripts/setup --dev` installs it."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, Route, async_playwright, expect

_CHROMIUM = shutil.which("chromium")
# A container has no sandbox to give, and nothing is to be looked up outside.
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
expect.set_options(timeout=60_000)  # a busy machine is no failure
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
needs_browser = pytest.mark.skipif(
    _CHROMIUM is None and not os.environ.get("CI"), reason="needs chromium: run scripts/setup --dev"
)


@asynccontextmanager
async def open_browser(*flags: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=_CHROMIUM, args=[*_FLAGS, *flags])
        try:
            yield browser
        finally:
            await browser.close()


class Watched:
    """A page whose requests, and what it complains of, are kept."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[tuple[str, str]] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append((request.method, request.url)))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda told: self.complaints.append(told.text) if told.type == "error" else None)


@asynccontextmanager
async def open_page(browser: Browser, url: str) -> AsyncIterator[Watched]:
    """The page at this address, which must not complain of anything until it is closed."""
    page = await browser.new_page(viewport=DESKTOP)
    await page.goto(url)
    await page.wait_for_selector("h1")
    watched = Watched(page)
    yield watched
    await page.close()
    assert watched.complaints == []


class Held:
    """Requests that the page has made and that do not leave the browser yet."""

    def __init__(self) -> None:
        self._routes: asyncio.Queue[Route] = asyncio.Queue()
        self._is_open = False

    async def take(self, route: Route) -> None:
        if self._is_open:
            await route.continue_()
        else:
            self._routes.put_nowait(route)

    async def next(self) -> Route:
        """The oldest, once it is asked for."""
        return await self._routes.get()

    async def release(self) -> None:
        """They leave, and so do those to come."""
        self._is_open = True
        while not self._routes.empty():
            await self._routes.get_nowait().continue_()


async def hold(page: Page, address: str) -> Held:
    """Requests for addresses of this form wait from now on."""
    held = Held()
    await page.route(address, held.take)
    return held
