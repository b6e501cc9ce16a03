"""The dashboard: one page and its parts, read once and served as they are. Everything in it comes from this machine."""

from __future__ import annotations

import base64
import hashlib
import html
from dataclasses import dataclass
from importlib import resources

from aiohttp import web

_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
MEDIA_TYPES = tuple(_TYPES.values())
_STYLE = b'<link rel="stylesheet" href="/static/style.css">'
_NAME = b"Lo-Bug"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' {style}",
        "img-src 'self'",
        "connect-src 'self'",
        "media-src 'self' blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
_HEADERS = {
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class _Part:
    content: bytes
    kind: str
    etag: str


class PageRoutes:
    def __init__(self, name: str) -> None:
        """`name`: what the companion is called."""
        contents = {
            file.name: file.read_bytes() for file in (resources.files("firmware_bridge.web") / "static").iterdir()
        }
        style = contents["style.css"]
        for page in ("index.html", "docs.html"):
            contents[page] = contents[page].replace(_NAME, html.escape(name).encode())
        # A browser paints it without asking once more.
        contents["index.html"] = contents["index.html"].replace(_STYLE, b"<style>" + style + b"</style>")
        self._parts = {file: _part(file, content) for file, content in contents.items()}
        told = base64.b64encode(hashlib.sha256(style).digest()).decode()
        self._headers = {**_HEADERS, "Content-Security-Policy": _POLICY.format(style=f"'sha256-{told}'")}

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/", self.page), web.get("/docs", self.docs), web.get("/static/{name}", self.part)]

    async def page(self, request: web.Request) -> web.Response:
        return self._served(request, self._parts["index.html"])

    async def docs(self, request: web.Request) -> web.Response:
        """`/openapi.json` for people."""
        return self._served(request, self._parts["docs.html"])

    async def part(self, request: web.Request) -> web.Response:
        part = self._parts.get(request.match_info["name"])
        if part is None:
            raise web.HTTPNotFound
        return self._served(request, part)

    def _served(self, request: web.Request, part: _Part) -> web.Response:
        """304 where the browser has it already."""
        known = any(tag.value == part.etag for tag in request.if_none_match or ())
        response = web.Response(status=304) if known else web.Response(body=part.content, content_type=part.kind)
        if not known and part.kind.startswith("text/"):
            response.charset = "utf-8"
        response.etag = part.etag
        response.headers.update(self._headers)
        return response


def _part(name: str, content: bytes) -> _Part:
    return _Part(content, _TYPES[name[name.rindex(".") :]], hashlib.sha256(content).hexdigest()[:16])
