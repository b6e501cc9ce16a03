"""Paired devices, and the window in which one more may be paired. Secrets are kept as SHA-256 only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from edge_memory.errors import DeviceKnown, DeviceNotFound, PairingClosed, PairingTaken, WrongCode
from edge_memory.store.connection import Connection

TOKEN_PREFIX = "lobug_"  # noqa: S105 - the form of tokens, not one
PAIRING_SECONDS = 120.0
MOST_TRIES = 5
_CODE_DIGITS = 6
_SECRET_BYTES = 32
_COLUMNS = "device_id, name, place, user_id, session_id, paired_at"


@dataclass(frozen=True, slots=True)
class Device:
    """A paired device: whose it is, where it stands, and the conversation that is its own."""

    device_id: str
    name: str
    place: str
    user_id: str
    session_id: str
    paired_at: float


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a device will be called when it is paired. `replaces` lets it take the place of one of the same id.

    `by_cable` invites the device of this id on a cable, or any there if it is "", which then needs no code.
    """

    user_id: str
    name: str = ""  # empty: as the device calls itself
    place: str = ""
    replaces: bool = False
    by_cable: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What a device that asked to be paired is told: the code to show, and the secret to fetch its token with."""

    code: str
    claim: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """The open window. `device_id` is None until a device has asked."""

    device_id: str | None
    tries: int
    confirmed: bool


def add(connection: Connection, device_id: str, invitation: Invitation, now: float, secret: str | None = None) -> str:
    """The new device's token, which is not kept anywhere; of a device's own `secret` it can be derived again.

    Raises DeviceKnown unless `replaces`.
    """
    if not invitation.replaces:
        _check_new(connection, device_id)
    token = TOKEN_PREFIX + secrets.token_urlsafe(_SECRET_BYTES) if secret is None else _token(device_id, secret)
    connection.execute(
        "INSERT OR REPLACE INTO devices (device_id, name, place, user_id, session_id, token_hash, paired_at)"
        " VALUES (?1, ?2, ?3, ?4, ?1, ?5, ?6)",
        (device_id, invitation.name or device_id, invitation.place, invitation.user_id, _hash(token), now),
    )
    connection.execute("DELETE FROM revoked_devices WHERE device_id = ?", (device_id,))
    return token


def all_devices(connection: Connection) -> list[Device]:
    """By name."""
    return [_device(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM devices ORDER BY name, device_id")]


def last_seen(connection: Connection, device: Device) -> float | None:
    """When it last said or sensed something, in Unix seconds; None while it has not."""
    said = connection.execute(
        "SELECT created_at FROM conversation_log WHERE session_id = ? AND device_id = ? ORDER BY id DESC LIMIT 1",
        (device.session_id, device.device_id),
    ).get
    sensed = connection.execute(
        "SELECT created_at FROM sensor_log WHERE device_id = ? ORDER BY id DESC LIMIT 1", (device.device_id,)
    ).get
    return max((float(str(at)) for at in (said, sensed) if at is not None), default=None)


def get(connection: Connection, device_id: str) -> Device | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM devices WHERE device_id = ?", (device_id,)).fetchone()
    return None if row is None else _device(row)


def of_token(connection: Connection, token: str) -> Device | None:
    """The device whose token this is, whole. Takes the same time whichever part of it is wrong."""
    presented, found = _hash(token), None
    for row in connection.execute(f"SELECT token_hash, {_COLUMNS} FROM devices"):
        if hmac.compare_digest(bytes(row[0]), presented):
            found = _device(row[1:])
    return found


def token_of(connection: Connection, device_id: str, secret: str) -> str | None:
    """The token of a device that was admitted with this secret, else None."""
    token = _token(device_id, secret)
    row = connection.execute("SELECT token_hash FROM devices WHERE device_id = ?", (device_id,)).fetchone()
    return token if row is not None and hmac.compare_digest(bytes(row[0]), _hash(token)) else None


def change(connection: Connection, device_id: str, name: str | None, place: str | None) -> Device:
    """None leaves as it is. Raises DeviceNotFound."""
    connection.execute(
        "UPDATE devices SET name = coalesce(?2, name), place = coalesce(?3, place) WHERE device_id = ?1",
        (device_id, name, place),
    )
    return find(connection, device_id)


def remove(connection: Connection, device_id: str, now: float) -> Device:
    """Its token opens nothing from now on, and the window in which it was paired is closed. It counts as revoked until
    it is paired anew. Raises DeviceNotFound.
    """
    device = find(connection, device_id)
    connection.execute("DELETE FROM pairing WHERE device_id = ?", (device_id,))
    connection.execute("DELETE FROM devices WHERE device_id = ?", (device_id,))
    connection.execute("INSERT OR REPLACE INTO revoked_devices (device_id, revoked_at) VALUES (?, ?)", (device_id, now))
    return device


def revoked(connection: Connection) -> frozenset[str]:
    """The ids of those that were locked out, and not paired since."""
    return frozenset(str(device_id) for (device_id,) in connection.execute("SELECT device_id FROM revoked_devices"))


def reserved(connection: Connection) -> frozenset[str]:
    """The ids of devices that are paired or revoked, and of the conversations of those that are paired."""
    paired = all_devices(connection)
    ids = {name for device in paired for name in (device.device_id, device.session_id)}
    return revoked(connection) | ids


def open_window(connection: Connection, invitation: Invitation, now: float) -> None:
    """Closes the one that may be open. Raises DeviceKnown when the invited device is, and may not be replaced."""
    if invitation.by_cable and not invitation.replaces:
        _check_new(connection, invitation.by_cable)
    connection.execute(
        "INSERT OR REPLACE INTO pairing (id, opened_at, user_id, name, place, replaces, by_cable)"
        " VALUES (1, ?, ?, ?, ?, ?, ?)",
        (now, invitation.user_id, invitation.name, invitation.place, invitation.replaces, invitation.by_cable),
    )


def close_window(connection: Connection) -> None:
    connection.execute("DELETE FROM pairing")


def window(connection: Connection, now: float) -> Pairing | None:
    """None when no window is open, its time is over, or five codes were wrong."""
    row = connection.execute(
        "SELECT device_id, tries, confirmed FROM pairing WHERE abs(? - opened_at) <= ? AND tries < ?",
        (now, PAIRING_SECONDS, MOST_TRIES),
    ).fetchone()
    return None if row is None else Pairing(row[0], row[1], bool(row[2]))


def ask(connection: Connection, device_id: str, now: float, claim: str | None = None) -> Asked:
    """A device asks to be paired; without a `claim` of its own it is given one.

    Raises PairingClosed, PairingTaken when another one was first, DeviceKnown.
    """
    opened = _opened(connection, now)
    if opened.device_id is not None:
        raise PairingTaken("another device is being paired", "wait until it is done, then ask the owner again")
    replaces = bool(connection.execute("SELECT replaces FROM pairing").get)
    if not replaces:
        _check_new(connection, device_id)
    code = f"{secrets.randbelow(10**_CODE_DIGITS):0{_CODE_DIGITS}}"
    asked = Asked(code, claim or secrets.token_urlsafe(_SECRET_BYTES))
    connection.execute(
        "UPDATE pairing SET device_id = ?, claim_hash = ?, code = ?", (device_id, _hash(asked.claim), asked.code)
    )
    return asked


def confirm(connection: Connection, code: str, now: float) -> bool:
    """The owner typed the code that the device shows. False for a wrong one; after five the window is closed.

    Raises PairingClosed when it is closed, and WrongCode when no device has asked yet.
    """
    if _opened(connection, now).device_id is None:
        raise WrongCode("no device shows a code yet", "start pairing on the device, then type what it shows")
    right = hmac.compare_digest(str(connection.execute("SELECT code FROM pairing").get).encode(), code.encode())
    connection.execute(f"UPDATE pairing SET {'confirmed = 1' if right else 'tries = tries + 1'}")
    return right


def fetch(connection: Connection, device_id: str, claim: str, now: float, secret: str | None = None) -> str | None:
    """The token of a device whose code the owner typed; None while the owner has not. A lost answer may be asked for
    again while the window is open: the newer token is the one that counts. `secret` as of `add`.

    Raises PairingClosed, also for a claim that is not the window's.
    """
    opened = _opened(connection, now)
    row: tuple[Any, ...] = connection.execute("SELECT claim_hash, user_id, name, place FROM pairing").fetchone() or ()
    if opened.device_id != device_id or not hmac.compare_digest(bytes(row[0]), _hash(claim)):
        raise PairingClosed("this device is not the one that is being paired", "ask anew, without a claim")
    if not opened.confirmed:
        return None
    return add(connection, device_id, Invitation(row[1], row[2], row[3], True), now, secret)


def admit(connection: Connection, device_id: str, secret: str, now: float) -> str:
    """For a device that has a lasting secret of its own and shows no claim: the code that it is to show, the same as
    long as the window is open; empty once the owner has typed it, and `token_of` knows the device.

    Raises PairingClosed, PairingTaken, DeviceKnown.
    """
    opened, claim = _opened(connection, now), _claim(device_id, secret)
    if opened.device_id is None:
        return ask(connection, device_id, now, claim).code
    code, claim_hash = connection.execute("SELECT code, claim_hash FROM pairing").fetchone() or ("", b"")
    if opened.device_id != device_id or not hmac.compare_digest(bytes(claim_hash), _hash(claim)):
        raise PairingTaken("another device is being paired", "wait until it is done, then ask the owner again")
    return "" if fetch(connection, device_id, claim, now, secret) else str(code)


def pair_by_cable(connection: Connection, device_id: str, now: float, *, has_key: bool = False) -> str | None:
    """The token for a device on a cable, which needs no code: who opened the window has both in hand. None when no
    window is open for it. One that is paired and says that it has its key takes no window but its own.

    Raises DeviceKnown.
    """
    opened = window(connection, now)
    invited = connection.execute("SELECT by_cable FROM pairing").get
    if opened is None or opened.device_id is not None or invited not in ("", device_id):
        return None
    if has_key and not invited and get(connection, device_id) is not None:
        return None
    asked = ask(connection, device_id, now)
    confirm(connection, asked.code, now)
    return fetch(connection, device_id, asked.claim, now)


def _opened(connection: Connection, now: float) -> Pairing:
    opened = window(connection, now)
    if opened is None:
        raise PairingClosed("no pairing is open", "the owner opens one with: lobug devices pair")
    return opened


def _check_new(connection: Connection, device_id: str) -> None:
    """Raises DeviceKnown."""
    if get(connection, device_id) is not None:
        raise DeviceKnown(
            f"a device {device_id} is paired already",
            f"revoke it first (lobug devices revoke {device_id}), pair with --replace, or give this one another id",
        )


def find(connection: Connection, device_id: str) -> Device:
    device = get(connection, device_id)
    if device is None:
        raise DeviceNotFound(f"no device {device_id} is paired", "lobug devices list shows them")
    return device


def _device(row: tuple[Any, ...]) -> Device:
    return Device(*row)


def _token(device_id: str, secret: str) -> str:
    return TOKEN_PREFIX + _derived("token", device_id, secret)


def _claim(device_id: str, secret: str) -> str:
    return _derived("claim", device_id, secret)


def _derived(use: str, device_id: str, secret: str) -> str:
    digest = hmac.digest(secret.encode(), f"lobug {use} {device_id}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
