"""What a person at a terminal is told when the companion starts: where it is, how to talk to it, how fast it is."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from firmware_bridge.addresses import is_everywhere
from firmware_bridge.machine import machine_memory

if TYPE_CHECKING:
    from firmware_bridge.app.speed import Speed
    from firmware_bridge.settings import Settings

_GIGABYTE = 1e9
_TELLING = 10  # tokens a second, from which on no part of one is told


def greeting(settings: Settings, address: str, carried: str) -> Iterator[str]:
    """Lines. `carried` is what `profile_told` said before the weights were loaded."""
    verb = _verb()
    yield f"Hello, I am {settings.persona.name}. Ctrl-C stops me; my memory is in {settings.data_dir}."
    yield f"  profile    {carried}"
    yield f'  talk       {verb} chat, or {verb} say "hello", from another terminal'
    yield f"  dashboard  {_reachable(settings, address)}/"
    yield "  a device   " + _pairing(settings, verb)


def profile_told(settings: Settings) -> str:
    """Which profile runs, and why."""
    from firmware_bridge.app.models import chosen_profile
    from firmware_bridge.weights import Profile, Shelf, load_catalogue, needed_bytes, weights_dir

    if settings.model.chat_url or settings.model.chat:
        return f"the model that was set: {settings.model.chat_url or settings.model.chat}"
    catalogue, free = load_catalogue(), machine_memory().available
    profile = chosen_profile(settings.model, Shelf(catalogue, weights_dir(settings.data_dir)))
    fits = [one.value for one in Profile if needed_bytes(catalogue, one) <= free]
    others = [one for one in fits if one != profile]
    why = (
        "as you asked"
        if settings.model.profile != "auto"
        else f"which fits the {free / _GIGABYTE:.1f} GB that are free"
    )
    more = f"; --profile {' or '.join(others)} would fit, too" if others else ""
    return f"{profile.value} ({catalogue.chat(profile).name}), {why}{more}"


def speed_told(speed: Speed) -> str:
    """A line."""
    return (
        f"  speed      reads {speed.read:.{_digits(speed.read)}f} tokens a second and writes"
        f" {speed.written:.{_digits(speed.written)}f}:"
        f" the first word of an answer takes about {speed.first_word_seconds:.1f} s"
    )


def _digits(rate: float) -> int:
    """After the point: a busy board may write less than one token a second."""
    return 0 if rate >= _TELLING else 1


def _verb() -> str:
    """How this program is called from where the person is."""
    return "lobug" if shutil.which("lobug") else os.path.relpath(sys.argv[0])


def _reachable(settings: Settings, address: str) -> str:
    return address.replace(settings.server.host, "127.0.0.1") if is_everywhere(settings.server.host) else address


def _pairing(settings: Settings, verb: str) -> str:
    if settings.server.host == "127.0.0.1":
        return (
            f"plug it in by USB; for Wi-Fi start me with --host 0.0.0.0 --allow-pairing, then run {verb} devices pair"
        )
    return f"plug it in by USB, or for Wi-Fi run {verb} devices pair and type the code that it shows"
