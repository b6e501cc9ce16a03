"""`GET /metrics`, for Prometheus."""

from __future__ import annotations

from typing import Protocol

from aiohttp import web

_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Measured(Protocol):
    """What this route needs of the running companion."""

    async def metrics(self) -> bytes:
        """In Prometheus' text format. Raises ExtraMissing without prometheus-client."""


class MetricsRoutes:
    def __init__(self, companion: Measured) -> None:
        self._companion = companion

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/metrics", self.metrics)]

    async def metrics(self, request: web.Request) -> web.Response:
        return web.Response(body=await self._companion.metrics(), headers={"Content-Type": _CONTENT_TYPE})
