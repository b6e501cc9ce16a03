"""Who may use which route: the owner on this machine or by key, a paired device by its token, nobody else.

A route that the table does not name is the owner's. Loopback needs no token, unless `server.trust_loopback` is off or a
reverse proxy stands between; a token of our own form is checked wherever it comes from.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from edge_memory.devices import Devices
from edge_memory.memory import OWNER
from edge_memory.store.devices import TOKEN_PREFIX, Device
from firmware_bridge.addresses import is_loopback
from firmware_bridge.contracts import ANY_DEVICE, Heard
from firmware_bridge.errors import NotForDevices, NotPaired, OtherDevice, OtherSession, TooManyTries
from firmware_bridge.settings import ServerSettings


class Access(StrEnum):
    ANYONE = "anyone"
    DEVICE = "device"  # a paired device, and the owner
    OWNER = "owner"


DOORS: dict[tuple[str, str], Access] = {
    ("GET", "/"): Access.ANYONE,  # the empty page: what it shows it fetches from the routes below
    ("GET", "/static/{name}"): Access.ANYONE,
    ("GET", "/docs"): Access.ANYONE,
    ("GET", "/events"): Access.DEVICE,
    ("POST", "/device/pair"): Access.ANYONE,
    ("GET", "/xiaozhi/ota"): Access.ANYONE,
    ("POST", "/xiaozhi/ota"): Access.ANYONE,
    ("GET", "/xiaozhi/ota/"): Access.ANYONE,
    ("POST", "/xiaozhi/ota/"): Access.ANYONE,
    ("POST", "/xiaozhi/ota/activate"): Access.ANYONE,
    ("GET", "/xiaozhi/v1/"): Access.DEVICE,
    ("GET", "/device/events"): Access.DEVICE,
    ("GET", "/device/sounds/{name}"): Access.DEVICE,
    ("POST", "/chat/text"): Access.DEVICE,
    ("POST", "/turns"): Access.DEVICE,
    ("GET", "/turns/{id}"): Access.DEVICE,
    ("GET", "/reminders"): Access.DEVICE,
    ("POST", "/chat/audio"): Access.DEVICE,
    ("GET", "/chat/audio/{turn_id}"): Access.DEVICE,
    ("POST", "/context/sensors"): Access.DEVICE,
    ("GET", "/context/sensors"): Access.DEVICE,
    ("GET", "/devices"): Access.OWNER,
    ("GET", "/health"): Access.DEVICE,
    ("GET", "/metrics"): Access.OWNER,
    ("GET", "/openapi.json"): Access.DEVICE,
    ("GET", "/memory/records"): Access.DEVICE,
    ("GET", "/memory/records/{id}"): Access.DEVICE,
    ("POST", "/memory/records/{id}/forget"): Access.OWNER,
    ("GET", "/memory/export"): Access.OWNER,
    ("GET", "/memory/search"): Access.DEVICE,
    ("GET", "/memory/turns"): Access.DEVICE,
    ("GET", "/memory/profile"): Access.DEVICE,
    ("GET", "/memory/base"): Access.DEVICE,
    ("GET", "/memory/base/versions"): Access.DEVICE,
    ("GET", "/memory/profile/versions"): Access.DEVICE,
    ("GET", "/memory/stats"): Access.DEVICE,
    ("GET", "/memory/review"): Access.DEVICE,
    ("POST", "/memory/review/{id}/confirm"): Access.OWNER,
    ("POST", "/memory/review/{id}/reject"): Access.OWNER,
    ("POST", "/v1/chat/completions"): Access.DEVICE,
    ("POST", "/v1/embeddings"): Access.DEVICE,
    ("POST", "/v1/audio/transcriptions"): Access.DEVICE,
    ("POST", "/v1/audio/speech"): Access.DEVICE,
    ("GET", "/v1/models"): Access.DEVICE,
    ("GET", "/v1/models/{name}"): Access.DEVICE,
}
_FAILURES_ALLOWED, _FAILURE_SECONDS = 5, 60.0
_MOST_REMEMBERED = 1_024
_DEFAULT_SESSION = "default"
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request. `device` is None for the owner, and for an unpaired guest where guests are let in; `barred`
    are the devices, and conversations of devices, that are closed to a guest.
    """

    user_id: str = OWNER
    device: Device | None = None
    is_owner: bool = False
    barred: frozenset[str] = frozenset()

    @property
    def is_stranger(self) -> bool:
        """Somebody who is let in at the doors for anyone only."""
        return not self.user_id

    @property
    def who(self) -> tuple[str, str | None, bool]:
        return self.user_id, self.device.device_id if self.device else None, self.is_owner

    def heard(self, text: str, session_id: str | None, device_id: str | None, turn_id: str | None = None) -> Heard:
        """What was said, where the caller may speak. Raises OtherDevice, OtherSession."""
        device_id = self.device_id(device_id)
        if self.device is None:
            session_id = _DEFAULT_SESSION if session_id is None else session_id
            if not self.may_follow(session_id):
                raise OtherSession("this conversation is a paired device's", "leave session_id out, or name another")
            return Heard(text, session_id, device_id, self.user_id, turn_id, by_guest=not self.is_owner)
        if session_id not in (None, self.device.session_id):
            raise OtherSession("a device talks in its own session only", "leave session_id out")
        return Heard(text, self.device.session_id, device_id, self.user_id, turn_id)

    def may_follow(self, session_id: str | None) -> bool:
        """Whether a conversation is open to the caller."""
        return session_id not in self.barred if self.device is None else session_id == self.device.session_id

    def may_hear(self, device_id: str | None) -> bool:
        """Whether what is said to a device is open to the caller."""
        return device_id not in self.barred if self.device is None else device_id == self.device.device_id

    def device_id(self, named: str | None) -> str | None:
        """The device that the request is about. Raises OtherDevice when a device names another, or a guest one that is
        not a guest's.
        """
        if self.device is None:
            if named in self.barred:
                raise OtherDevice("this device was paired", "use its token, or pair it anew: lobug devices pair")
            return named
        if named not in (None, self.device.device_id):
            raise OtherDevice("this token is another device's", "leave device_id out, or use the token of that device")
        return self.device.device_id

    def device_or_any(self, named: str | None) -> str:
        """As `device_id`; where none is named, the one for whoever names none."""
        device_id = self.device_id(named)
        return device_id if device_id is not None else self.device_id(ANY_DEVICE) or ANY_DEVICE


@dataclass(frozen=True, slots=True)
class _Doorman:
    recognised: Callable[[web.Request], Awaitable[Caller | None]]


_DOORMAN = web.RequestKey("doorman", _Doorman)
_CALLER = web.RequestKey("caller", Caller)


def caller_of(request: web.Request) -> Caller:
    return request[_CALLER]


async def check_still_welcome(request: web.Request) -> None:
    """Raises NotPaired for whom `still_welcome` is not true."""
    if not await still_welcome(request):
        raise NotPaired("this device is not paired any more", "pair it anew with: lobug devices pair")


async def still_welcome(request: web.Request, device_id: str | None = None) -> bool:
    """Whether who asked would be let in again as the same, and for this device, for answers that go on for long: tokens
    are revoked.
    """
    now = await request[_DOORMAN].recognised(request)
    return now is not None and now.who == caller_of(request).who and device_id not in now.barred


def door_keeper(devices: Devices, settings: ServerSettings) -> Middleware:
    """A middleware that answers 401 to whom it does not know, 403 to devices at the owner's routes, and 429 to who
    keeps guessing. What it lets through has a Caller.
    """
    guesses = _Guesses(time.monotonic)

    async def recognised(request: web.Request) -> Caller | None:
        at_home = settings.trust_loopback and _is_local(request)
        token = _token(request)
        if token is not None and (not at_home or token.startswith(TOKEN_PREFIX)):
            if await devices.is_owner_key(token):
                return Caller(is_owner=True)
            device = await devices.of_token(token)
            return None if device is None else Caller(device.user_id, device)
        if at_home:
            return Caller(is_owner=True)
        return Caller(barred=await devices.reserved()) if settings.allow_unpaired else None

    @web.middleware
    async def keep(request: web.Request, handler: Handler) -> web.StreamResponse:
        access = _access(request)
        caller = await recognised(request)
        if caller is None and access is not Access.ANYONE:
            wait = guesses.failed(request.remote or "") if _token(request) is not None else 0.0
            if wait:
                raise TooManyTries("too many wrong tokens", f"wait {wait:.0f} s, then use the right one")
            raise NotPaired("this device is not paired", "pair it with: lobug devices pair; then send its token")
        if access is Access.OWNER and caller is not None and not caller.is_owner:
            raise NotForDevices("devices may talk and read; this is for the owner", "use it on the companion's machine")
        request[_CALLER] = caller or Caller(user_id="")
        request[_DOORMAN] = _Doorman(recognised)
        return await handler(request)

    return keep


def _access(request: web.Request) -> Access:
    resource = request.match_info.route.resource
    if resource is None:  # an unknown route or method: whom we know is told so
        return Access.DEVICE
    method = "GET" if request.method == "HEAD" else request.method
    return DOORS.get((method, resource.canonical), Access.OWNER)


def _token(request: web.Request) -> str | None:
    """What was presented, "" when it was no bearer token; None when nothing was."""
    presented = request.headers.getall("Authorization", [])
    if not presented:
        return None
    scheme, _, token = presented[0].partition(" ")
    return token.strip() if len(presented) == 1 and scheme.lower() == "bearer" else ""


def _is_local(request: web.Request) -> bool:
    """Whether a program on this machine asks, and not for somebody else."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    return is_loopback(request.remote or "")


class _Guesses:
    """Wrong tokens of each address. Five in a minute close the door to it for a minute; a right one always opens."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures: OrderedDict[str, list[float]] = OrderedDict()

    def failed(self, address: str) -> float:
        """Notes one more. Returns the seconds to wait, 0 while it may go on trying."""
        now = self._clock()
        recent = [at for at in self._failures.pop(address, []) if now - at < _FAILURE_SECONDS]
        if len(recent) < _FAILURES_ALLOWED:
            recent.append(now)
        self._failures[address] = recent
        if len(self._failures) > _MOST_REMEMBERED:
            self._failures.popitem(last=False)
        over = len(recent) >= _FAILURES_ALLOWED and recent[-1] != now
        return recent[0] + _FAILURE_SECONDS - now if over else 0.0
