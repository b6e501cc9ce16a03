"""Being a systemd service: the unit file, and telling the service manager how we are (sd_notify(3))."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from edge_memory.errors import EdgeMemoryError

_log = logging.getLogger(__name__)

_UNIT = """\
[Unit]
Description=Lo-Bug, an offline companion with a memory
After=network.target
StartLimitIntervalSec=300
StartLimitBurst=10

[Service]
# It tells when it answers, and again and again that its event loop and its memory's writer do.
Type=notify
ExecStart={command} serve --data-dir %S/lobug{config}
{key}WatchdogSec=60
Restart=on-failure
RestartSec=2
TimeoutStartSec=180
TimeoutStopSec=30

# Who it is, and the one folder that it writes: /var/lib/lobug. dialout is for a device on a USB cable.
User={user}
SupplementaryGroups=dialout
StateDirectory=lobug
StateDirectoryMode=0700
UMask=0077

# This machine and the home's network; the kernel refuses everything else, so nothing can leave the house.
IPAddressDeny=any
IPAddressAllow=localhost link-local multicast 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

# What it does not need is taken away. (Not memory that is written, then run: the recogniser compiles its kernels.)
CapabilityBoundingSet=
DeviceAllow=char-ttyACM rw
DeviceAllow=char-ttyUSB rw
DevicePolicy=closed
LockPersonality=yes
NoNewPrivileges=yes
PrivateMounts=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=read-only
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""

_KEY = """\
LoadCredential=lobug.key:{file}
Environment=LOBUG_STORE__KEY_FILE=%d/lobug.key
"""


def unit(command: Path, user: str, config: Path | None = None, key_file: Path | None = None) -> str:
    """The unit file for `command`, the installed `lobug`. Its lines say what they are for."""
    return _UNIT.format(
        command=_quoted(command),
        user=user,
        config="" if config is None else f" --config {_quoted(config)}",
        key="" if key_file is None else _KEY.format(file=_quoted(key_file)),
    )


class ServiceManager:
    """Whoever started this process and wants to know how it is; without one, nothing is told."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        microseconds = environment.get("WATCHDOG_USEC", "")
        self.watchdog_seconds = int(microseconds) / 1e6 if microseconds.isdecimal() else None

    def tell(self, state: str) -> None:
        """`state` as in sd_notify(3), such as READY=1."""
        if self._address:
            address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.connect(address)
                line.sendall(state.encode())

    async def reassure(self, alive: Callable[[], Awaitable[None]]) -> None:
        """Tells that all is well whenever `alive` returns in time; for ever. Ends at once if nobody asked. `alive` may
        raise EdgeMemoryError: then all is not.
        """
        if self.watchdog_seconds is None:
            return
        pause = self.watchdog_seconds / 3
        while True:
            try:  # one answer that fails is not the end: the manager judges the silence
                async with asyncio.timeout(pause):
                    await alive()
                self.tell("WATCHDOG=1")
            except (TimeoutError, EdgeMemoryError) as error:
                _log.warning("the service manager is not told that all is well: %s", str(error) or "too slow")
            await asyncio.sleep(pause)


def _quoted(path: Path) -> str:
    """As systemd.service(5) wants it: % is doubled, and a path with blanks is quoted."""
    text = str(path).replace("%", "%%")
    return f'"{text}"' if any(letter.isspace() for letter in text) else text
