"""Being found on the network by mDNS, so that a device, or Home Assistant, needs no address."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from firmware_bridge import __version__

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf

SERVICE, WYOMING_SERVICE = "_lobug._tcp.local.", "_wyoming._tcp.local."
_log = logging.getLogger(__name__)


class Advertiser:
    """An async context manager; inside it, `port` is found at these addresses under `service`. Needs the extra
    `integrations`: without it, and on a machine whose network does not let it, it says so in the log and does nothing.
    """

    def __init__(self, addresses: Sequence[str], port: int, service: str = SERVICE) -> None:
        self._addresses = addresses
        self._port = port
        self._service = service
        self._zeroconf: AsyncZeroconf | None = None

    async def __aenter__(self) -> Self:
        if not self._addresses:
            return self
        try:
            from zeroconf import NonUniqueNameException
            from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf
        except ImportError:
            _log.info("others need this companion's address: scripts/setup brings mDNS")
            return self
        name = socket.gethostname().partition(".")[0]
        info = AsyncServiceInfo(
            self._service,
            f"{name}.{self._service}",
            port=self._port,
            parsed_addresses=list(self._addresses),
            server=f"{name}.local.",
            properties={"version": __version__} | ({"pair": "/device/pair"} if self._service == SERVICE else {}),
        )
        try:
            self._zeroconf = AsyncZeroconf(interfaces=list(self._addresses))
            await (await self._zeroconf.async_register_service(info, allow_name_change=True))
        except (OSError, NonUniqueNameException) as error:
            _log.warning("others need this companion's address: mDNS does not work here (%s)", error)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._zeroconf is not None:
            await self._zeroconf.async_unregister_all_services()
            await self._zeroconf.async_close()


def reachable_addresses(host: str) -> list[str]:
    """The addresses at which devices reach a companion that listens on `host`; none for loopback."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return []  # a name: who chose it tells the devices
    if address.is_loopback:
        return []
    return [host] if not address.is_unspecified else _own_addresses()


def _own_addresses() -> list[str]:
    try:
        import ifaddr  # zeroconf needs it, too
    except ImportError:
        return []
    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return [address for address in found if not ipaddress.ip_address(address).is_loopback]
