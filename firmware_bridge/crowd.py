"""How many connections there may be at once, so that nobody can keep all others out."""

from __future__ import annotations

from collections import Counter

from firmware_bridge.addresses import is_loopback


class Crowd:
    """`most` in all; of those one address of the network may have a part. Programs of this machine may have all."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._here: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """False when there is no room; who entered must leave."""
        if self._here.total() >= self._most:
            return False
        if self._here[address] >= self._most_of_one and not is_loopback(address):
            return False
        self._here[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._here[address] -= 1
        if self._here[address] <= 0:
            del self._here[address]
