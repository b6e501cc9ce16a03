"""Models that come while the companion runs: its memory is made to fit them, however often that has to be tried."""

from __future__ import annotations

from collections.abc import Awaitable, Callable


class Latecomers:
    def __init__(self, came: Callable[[], Awaitable[bool]], prepare: Callable[[], Awaitable[None]]) -> None:
        """`came` tells once of each model that was not there before; `prepare` is then owed until it succeeds."""
        self._came = came
        self._prepare = prepare
        self._is_owed = False

    async def look(self) -> None:
        """To be called again and again. Raises what `prepare` fails with."""
        self._is_owed = await self._came() or self._is_owed
        if self._is_owed:
            await self._prepare()
            self._is_owed = False
