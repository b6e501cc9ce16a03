"""The devices of the house: who may talk to the companion, for whom, and from where."""

from __future__ import annotations

from collections.abc import Callable

from edge_memory.store import Connection, Store, devices, owner_key
from edge_memory.store.devices import Asked, Device, Invitation, Pairing


class Devices:
    """All state is in the file, so that the command line and the companion see the same."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock

    async def all(self) -> list[Device]:
        return await self._store.read(devices.all_devices)

    async def seen(self) -> list[tuple[Device, float | None]]:
        """Each with when it was last heard from, in Unix seconds."""

        def read(connection: Connection) -> list[tuple[Device, float | None]]:
            return [(device, devices.last_seen(connection, device)) for device in devices.all_devices(connection)]

        return await self._store.read(read)

    async def of_token(self, token: str) -> Device | None:
        """None for a token that no device has, or has any more."""
        return await self._store.read(lambda connection: devices.of_token(connection, token))

    async def add(self, device_id: str, invitation: Invitation) -> str:
        """Pairs a device whose owner holds it in hand, such as by cable. Its token is returned and kept nowhere.

        Raises DeviceKnown.
        """
        now = self._clock()
        return await self._store.write(lambda connection: devices.add(connection, device_id, invitation, now))

    async def find(self, device_id: str) -> Device:
        """Raises DeviceNotFound."""
        return await self._store.read(lambda connection: devices.find(connection, device_id))

    async def change(self, device_id: str, *, name: str | None = None, place: str | None = None) -> Device:
        """Raises DeviceNotFound."""
        return await self._store.write(lambda connection: devices.change(connection, device_id, name, place))

    async def revoke(self, device_id: str) -> Device:
        """It counts as revoked until it is paired anew. Raises DeviceNotFound."""
        now = self._clock()
        return await self._store.write(lambda connection: devices.remove(connection, device_id, now))

    async def revoked(self) -> frozenset[str]:
        """The ids of those that were locked out, and not paired since."""
        return await self._store.read(devices.revoked)

    async def reserved(self) -> frozenset[str]:
        """The ids, also of conversations, that stand for devices which were paired at some time."""
        return await self._store.read(devices.reserved)

    async def pair_by_cable(self, device_id: str, *, has_key: bool = False) -> str | None:
        """The token when the owner has opened the window for a device on a cable, else None. One that is paired and
        says that it has its key takes no window but its own. Raises DeviceKnown.
        """
        if await self.window() is None:
            return None
        now = self._clock()
        return await self._store.write(
            lambda connection: devices.pair_by_cable(connection, device_id, now, has_key=has_key)
        )

    # The owner, away from this machine

    async def renew_owner_key(self) -> str:
        """Kept nowhere. The one before opens nothing any more."""
        return await self._store.write(owner_key.renew)

    async def remove_owner_key(self) -> None:
        await self._store.write(owner_key.remove)

    async def has_owner_key(self) -> bool:
        return await self._store.read(owner_key.is_set)

    async def is_owner_key(self, token: str) -> bool:
        if not token.startswith(owner_key.PREFIX):
            return False
        return await self._store.read(lambda connection: owner_key.fits(connection, token))

    # Pairing over the network: the owner opens the window, a device asks and shows a code, the owner types it, the
    # device fetches its token.

    async def open_window(self, invitation: Invitation) -> None:
        """Raises DeviceKnown when it invites a device on a cable that is, and may not be replaced."""
        now = self._clock()
        await self._store.write(lambda connection: devices.open_window(connection, invitation, now))

    async def close_window(self) -> None:
        await self._store.write(devices.close_window)

    async def window(self) -> Pairing | None:
        now = self._clock()
        return await self._store.read(lambda connection: devices.window(connection, now))

    async def ask(self, device_id: str) -> Asked:
        """Raises PairingClosed, PairingTaken, DeviceKnown."""
        now = self._clock()
        return await self._store.write(lambda connection: devices.ask(connection, device_id, now))

    async def confirm(self, code: str) -> bool:
        """Raises PairingClosed, WrongCode."""
        now = self._clock()
        return await self._store.write(lambda connection: devices.confirm(connection, code, now))

    async def fetch(self, device_id: str, claim: str) -> str | None:
        """Raises PairingClosed."""
        now = self._clock()
        return await self._store.write(lambda connection: devices.fetch(connection, device_id, claim, now))

    # The same for a device that asks again and again with a lasting secret of its own, and shows no claim.

    async def token_of(self, device_id: str, secret: str) -> str | None:
        """The token of a device that was admitted with this secret, else None."""
        return await self._store.read(lambda connection: devices.token_of(connection, device_id, secret))

    async def admit(self, device_id: str, secret: str) -> str:
        """The code that the device is to show; empty once the owner has typed it, and `token_of` knows the device.

        Raises PairingClosed, PairingTaken, DeviceKnown.
        """
        now = self._clock()
        return await self._store.write(lambda connection: devices.admit(connection, device_id, secret, now))
