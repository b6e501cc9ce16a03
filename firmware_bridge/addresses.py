"""Whose an internet address is, and what of it may be shown."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach it; also `localhost`. False for other names."""
    if host == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def is_everywhere(host: str) -> bool:
    """Whether listening there is listening on every address of this machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return not host


def is_within(host: str, networks: Iterable[str]) -> bool:
    """Whether an address is one of these, or in one of these networks (192.0.2.0/24). Raises ValueError for others."""
    address = _address(host.partition("%")[0])
    return address is not None and any(address in ipaddress.ip_network(one, strict=False) for one in networks)


def without_credentials(url: str) -> str:
    """A URL as it may be shown: what stands before the @ of its host is for the host alone."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.rpartition("@")[2]
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """None for a name; IPv4 written as IPv6 is IPv4."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
