"""HTTP for pulling weights: one session, retries for what passes, downloads that go on where they ended."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import aiohttp

from firmware_bridge.errors import DownloadFailed
from firmware_bridge.weights.disk import DiskThread, open_at, size_of

T = TypeVar("T")
Moved = Callable[[int], None]

_CHUNK_BYTES = 1 << 20
_MAX_HOPS = 5
_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_UNTOUCHED = {"Accept-Encoding": "identity"}  # a compressed body would have other ranges than the file


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a server, and how often to ask again after a failure that may pass."""

    attempts: int = 5
    backoff_seconds: float = 0.5
    connect_seconds: float = 5.0
    stall_seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Origin:
    """One file on a server. None where the server did not say."""

    url: str
    size: int | None
    sha256: str | None


class _Passing(Exception):
    """A failure that may be over at the next attempt."""


class Client:
    """An async context manager. Proxies, .netrc and certificate settings are those of the environment.

    Every method raises DownloadFailed; its message names the host, never the credentials of an address.
    """

    def __init__(self, disk: DiskThread, patience: Patience) -> None:
        self._disk = disk
        self._patience = patience
        self._brief = aiohttp.ClientTimeout(total=patience.connect_seconds)

    async def __aenter__(self) -> Client:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=ssl.create_default_context()),
            timeout=aiohttp.ClientTimeout(
                total=None, connect=self._patience.connect_seconds, sock_read=self._patience.stall_seconds
            ),
            trust_env=True,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def describe(self, url: str) -> Mapping[str, str]:
        """The headers of a HEAD request that is tried once; of the hops of a redirect, the first that names a hash."""

        async def attempt() -> Mapping[str, str]:
            hop = url
            for _ in range(_MAX_HOPS):
                async with self._session.head(hop, headers=_UNTOUCHED, timeout=self._brief) as response:
                    _check(response)
                    location = response.headers.get("Location")
                    if "X-Linked-Etag" in response.headers or location is None:
                        return response.headers.copy()
                    hop = urljoin(str(response.url), location)
            raise DownloadFailed("too many redirects", "the server may be wrongly set up; try again later")

        return await self._persist(url, attempt, attempts=1)

    async def json(self, url: str, accept: str) -> tuple[str, object]:
        """The address that answered, after redirects, and what it answered."""

        async def attempt() -> tuple[str, object]:
            async with self._session.get(url, headers={"Accept": accept}) as response:
                _check(response)
                return str(response.url), await _parsed(response)

        return await self._persist(url, attempt, attempts=self._patience.attempts)

    async def file(self, origin: Origin, part: Path, moved: Moved) -> None:
        """Makes `part` as long as the file at `origin`, from where it ends now; `moved` is told its length."""

        async def attempt() -> None:
            await self._stream(origin, part, moved)

        await self._persist(origin.url, attempt, attempts=self._patience.attempts, progress=lambda: size_of(part))

    async def _stream(self, origin: Origin, part: Path, moved: Moved) -> None:
        have = size_of(part)
        if have == origin.size:
            return
        headers = _UNTOUCHED | ({"Range": f"bytes={have}-"} if have else {})
        async with self._session.get(origin.url, headers=headers) as response:
            if response.status == 416:
                await self._disk.run(part.unlink)
                raise _Passing("the server has less than is here already")
            _check(response)
            begin = _begin(response)
            if begin > have:
                raise _Passing("the server began too late in the file")
            size = origin.size or _announced(response, begin)
            done = await self._append(response, part, begin, size, moved)
        if size is not None and done < size:
            raise _Passing("the connection ended early")

    async def _append(
        self, response: aiohttp.ClientResponse, part: Path, begin: int, size: int | None, moved: Moved
    ) -> int:
        done = begin
        with open_at(part, begin) as file:
            async for chunk in response.content.iter_chunked(_CHUNK_BYTES):
                done += len(chunk)
                if size is not None and done > size:
                    raise DownloadFailed(f"the file there is larger than the expected {size} bytes")
                await self._disk.run(file.write, chunk)
                moved(done)
        return done

    async def _persist(
        self,
        url: str,
        attempt: Callable[[], Awaitable[T]],
        *,
        attempts: int,
        progress: Callable[[], int] = lambda: 0,
    ) -> T:
        """Runs `attempt` until it succeeds; gives up after `attempts` failures in a row without progress."""
        failures = 0
        while True:
            before = progress()
            try:
                return await attempt()
            except (aiohttp.ClientSSLError, aiohttp.InvalidURL) as error:
                raise DownloadFailed(_said(url, error)) from error
            except (aiohttp.ClientError, TimeoutError, _Passing) as error:
                failures = 1 if progress() > before else failures + 1
                if failures >= attempts:
                    raise DownloadFailed(_said(url, error)) from error
            await asyncio.sleep(self._patience.backoff_seconds * 2 ** (failures - 1))


def _check(response: aiohttp.ClientResponse) -> None:
    if response.status in _PASSING_STATUS:
        raise _Passing(f"HTTP status {response.status}")
    if response.status >= 400:
        raise DownloadFailed(f"{response.url.host} answers with HTTP status {response.status}")


async def _parsed(response: aiohttp.ClientResponse) -> object:
    try:
        return await response.json(content_type=None)
    except ValueError as error:
        raise DownloadFailed(f"{response.url.host} does not answer in JSON") from error


def _begin(response: aiohttp.ClientResponse) -> int:
    """The position in the file of the first byte of a body: 0 where the server ignored the range."""
    if response.status != 206:
        return 0
    match = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if not match:
        raise _Passing("the server does not say which part it sends")
    return int(match[1])


def _announced(response: aiohttp.ClientResponse, begin: int) -> int | None:
    return None if response.content_length is None else begin + response.content_length


def _said(url: str, error: Exception) -> str:
    host = urlsplit(url).hostname or url
    if isinstance(error, aiohttp.ClientSSLError):
        return f"{host} has a certificate that this machine does not trust (SSL_CERT_FILE names others)"
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"{host} cannot be reached"
    if isinstance(error, TimeoutError):
        return f"{host} does not answer in time"
    return f"{host}: {error or type(error).__name__}"
