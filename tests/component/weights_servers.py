"""A model hub and a package index on 127.0.0.1, with small files of our own and faults to order."""

from __future__ import annotations

import asyncio
import hashlib
import io
import re
import socket
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.test_utils import TestServer


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wheel_of(members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def closed_port() -> str:
    """An address at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


class Servers:
    """What is served, and what was asked for. `gets` counts downloads by file; `ranges` lists their Range headers."""

    def __init__(self) -> None:
        self.hub_files: dict[str, bytes] = {}
        self.published: dict[str, str] = {}
        self.wheels: dict[str, bytes] = {}
        self.wheel_sha256: dict[str, str] = {}
        self.cuts: list[int] = []  # each of the next downloads ends after so many bytes
        self.failures: list[int] = []  # each of the next downloads is answered with this status
        self.stalls = 0  # so many of the next downloads send half and then nothing
        self.ignores_range = False
        self.speaks_json = True
        self.gets: Counter[str] = Counter()
        self.ranges: list[str] = []
        self.hub = self.index = ""

    def put_hub(self, path: str, content: bytes, *, published: str | None = None) -> None:
        """Serves owner/repository/file; as hubs do, with the checksum of what they hold."""
        self.hub_files[path] = content
        self.published[path] = sha256(content) if published is None else published

    def put_wheel(self, package: str, version: str, content: bytes, *, published: str | None = None) -> None:
        name = f"{package.replace('-', '_')}-{version}-py3-none-any.whl"
        self.wheels[name] = content
        self.wheel_sha256[name] = published or sha256(content)

    async def head_of_hub(self, request: web.Request) -> web.Response:
        path = _hub_path(request)
        if path not in self.hub_files:
            raise web.HTTPNotFound
        if not self.published[path]:
            return web.Response(headers={"ETag": '"of-a-small-file"'})
        linked = {"X-Linked-Size": str(len(self.hub_files[path])), "X-Linked-Etag": f'"{self.published[path]}"'}
        raise web.HTTPFound("http://127.0.0.1:9/never-followed", headers=linked)

    async def get_from_hub(self, request: web.Request) -> web.StreamResponse:
        path = _hub_path(request)
        if path not in self.hub_files:
            raise web.HTTPNotFound
        return await self._send(request, path, self.hub_files[path])

    async def project(self, request: web.Request) -> web.Response:
        project = request.match_info["project"]
        files = [
            {
                "filename": name,
                "url": f"../../files/{name}",
                "hashes": {"sha256": self.wheel_sha256[name]},
                "size": len(content),
            }
            for name, content in self.wheels.items()
            if name.split("-")[0].replace("_", "-") == project
        ]
        if not files:
            raise web.HTTPNotFound
        if not self.speaks_json:
            return web.Response(text="<!DOCTYPE html>", content_type="text/html")
        return web.json_response({"files": files}, content_type="application/vnd.pypi.simple.v1+json")

    async def wheel(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        return await self._send(request, name, self.wheels[name])

    async def _send(self, request: web.Request, name: str, content: bytes) -> web.StreamResponse:
        self.gets[name] += 1
        self.ranges.append(request.headers.get("Range", ""))
        if self.failures:
            return web.Response(status=self.failures.pop(0))
        begin = self._begin(request)
        if begin >= len(content):
            return web.Response(status=416)
        body = content[begin:]
        response = web.StreamResponse(status=206 if begin else 200)
        response.content_length = len(body)
        if begin:
            response.headers["Content-Range"] = f"bytes {begin}-{len(content) - 1}/{len(content)}"
        await response.prepare(request)
        await self._write(request, response, body)
        return response

    def _begin(self, request: web.Request) -> int:
        match = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", ""))
        return int(match[1]) if match and not self.ignores_range else 0

    async def _write(self, request: web.Request, response: web.StreamResponse, body: bytes) -> None:
        if self.stalls:
            self.stalls -= 1
            await response.write(body[: len(body) // 2])
            await asyncio.sleep(2)
        elif self.cuts:
            await response.write(body[: self.cuts.pop(0)])
            await asyncio.sleep(0.05)  # lets the bytes leave before the line is cut
            assert request.transport is not None
            request.transport.abort()
        else:
            await response.write(body)


def _hub_path(request: web.Request) -> str:
    return f"{request.match_info['owner']}/{request.match_info['repository']}/{request.match_info['path']}"


@asynccontextmanager
async def running(servers: Servers) -> AsyncIterator[Servers]:
    app = web.Application()
    hub = "/{owner}/{repository}/resolve/main/{path:.+}"
    app.add_routes(
        [
            web.get(hub, servers.get_from_hub, allow_head=False),
            web.head(hub, servers.head_of_hub),
            web.get("/simple/{project}/", servers.project),
            web.get("/files/{name}", servers.wheel),
        ]
    )
    async with TestServer(app, host="127.0.0.1") as server:
        servers.hub = str(server.make_url(""))
        servers.index = str(server.make_url("/simple"))
        yield servers
