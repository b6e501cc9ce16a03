"""Whose an address is."""

from __future__ import annotations

import pytest

from firmware_bridge.addresses import is_everywhere, is_loopback, is_within, without_credentials


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "192.0.2.1", "0.0.0.0", "::", "::ffff:192.0.2.1", "example.org"])
def test_not_this_machine(host: str) -> None:
    assert not is_loopback(host)


def test_everywhere() -> None:
    assert [is_everywhere(host) for host in ("", "0.0.0.0", "::", "127.0.0.1", "name")] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("host", "inside"),
    [
        ("192.0.2.7", True),
        ("::ffff:192.0.2.7", True),
        ("198.51.100.3", True),
        ("198.51.100.4", False),
        ("2001:db8::5", True),
        ("fe80::1%eth0", False),
        ("name", False),
        ("", False),
    ],
)
def test_within_networks(host: str, inside: bool) -> None:
    assert is_within(host, ("192.0.2.0/24", "198.51.100.3", "2001:db8::/32")) is inside


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://192.0.2.7:8080/v1", "http://192.0.2.7:8080/v1"),
        ("https://alex:pass@word@models.lan/v1", "https://models.lan/v1"),
        ("http://token@[2001:db8::5]:80", "http://[2001:db8::5]:80"),
        ("http://alex:secret@[broken/v1", "[broken/v1"),
        ("models.lan:8080", "models.lan:8080"),
        ("", ""),
    ],
)
def test_a_url_is_shown_without_what_opens_its_host(url: str, shown: str) -> None:
    assert without_credentials(url) == shown
