"""A real systemd in namespaces of its own, with nothing to start but its journal: what it writes is gone with it.

/etc and /var/lib are copies that nobody else sees; processes, cgroups and /run are its own, the network is shared.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
USER = "alex"  # of /etc/passwd in there
_SYSTEMD = "/lib/systemd/systemd"
_TOOLS = ("unshare", "nsenter", "runuser", "journalctl", _SYSTEMD)
_PATIENCE_SECONDS = 300.0
_GROUP = f"lobug-tests-{os.getpid()}"

# In a mount namespace: a cgroup for all of it, so that this systemd sees no process but its own.
_OUTSIDE = f"""
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir /run/groups
mount -t cgroup2 cgroup2 /run/groups
mkdir -p /run/groups/{_GROUP}
echo $$ > /run/groups/{_GROUP}/cgroup.procs
umount /run/groups
exec unshare --pid --cgroup --uts --ipc --fork --kill-child --mount sh -ec "$0" sh "$@"
"""
# As its first process. The folders in $@ are closed to other users here; in there $USER may walk through them.
_INSIDE = f"""
mount -t proc proc /proc
mount -o bind,ro /proc/sys /proc/sys
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
number=0
for folder in /etc /home /var/lib "$@"; do
  number=$((number + 1)); mkdir -p /run/over/$number/upper /run/over/$number/work
  mount -t overlay -o "lowerdir=$folder,upperdir=/run/over/$number/upper,workdir=/run/over/$number/work" over "$folder"
  chmod 755 "$folder"
done
rm -rf /etc/systemd/system /var/lib/lobug /etc/nsswitch.conf
mkdir -p /etc/systemd/system /run/units/sysinit.target.wants /home/{USER}
chown 4321:4321 /home/{USER}
echo '{USER}:x:4321:4321::/home/{USER}:/bin/sh' >> /etc/passwd
echo '{USER}:x:4321:' >> /etc/group
units="basic.target sysinit.target shutdown.target multi-user.target systemd-journald.service systemd-journald.socket"
for unit in $units; do
  ln -s /lib/systemd/system/$unit /run/units/
done
ln -s /run/units/systemd-journald.service /run/units/sysinit.target.wants/
exec env -i container=lobug PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_UNIT_PATH=/etc/systemd/system:/run/units \
  {_SYSTEMD} --system --unit=multi-user.target --log-target=console systemd.setenv=PYTHONPATH={ROOT}
"""
# What a service must be able to do on this machine at all: a root of its own to read, a user, this checkout's Python.
_PLAIN = f"""\
[Service]
Type=oneshot
User={USER}
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ExecStart={sys.executable} -c pass
"""
# Its processes go one after the other.
_TIDY = f"""
mount -t tmpfs tmpfs /run
mkdir /run/groups
mount -t cgroup2 cgroup2 /run/groups
for _ in $(seq 100); do
  find /run/groups/{_GROUP} -depth -type d -exec rmdir {{}} ';' || true
  [ -e /run/groups/{_GROUP} ] || exit 0
  sleep 0.1
done
"""


def cannot() -> str:
    """Why there is none on this machine; empty if it may be tried."""
    if os.geteuid():
        return "a systemd of one's own needs root"
    if {Path("/tmp"), Path("/var/tmp")} & {*ROOT.parents}:
        return "a service does not see a checkout below /tmp"
    lacking = [tool for tool in _TOOLS if shutil.which(tool) is None]
    return f"there is no {lacking[0]} here" if lacking else ""


class Booted:
    """It runs; commands are run in there."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, *command: str, user: str = "root", typed: str = "") -> subprocess.CompletedProcess[str]:
        """`user` runs it with sudo if it is not root's."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        asked = ["env", f"PYTHONPATH={ROOT}", "LOBUG_MODEL__THREADS=1", *command]
        return subprocess.run(
            ["nsenter", "--target", children[0], "--all", "runuser", "-u", user, "--", *asked],
            input=typed,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_SECONDS,
        )

    def property(self, unit: str, name: str) -> str:
        return self.run("systemctl", "show", "--value", "--property", name, unit).stdout.strip()

    def wait_for(self, unit: str, name: str, wanted: str) -> None:
        """Raises TimeoutError, with what the journal has."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while (found := self.property(unit, name)) != wanted:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{name} is {found}: {self.journal(unit)}")
            time.sleep(0.2)

    def journal(self, unit: str) -> str:
        return self.run("journalctl", "--no-pager", "--output", "cat", "--unit", unit).stdout


@contextmanager
def booted() -> Iterator[Booted | str]:
    """Or why it did not boot."""
    command = ["unshare", "--mount", "sh", "-ec", _OUTSIDE, _INSIDE, *_closed(Path(sys.executable), ROOT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            manager = Booted(process)
            if not _is_up(manager, process):
                yield f"it did not boot: {_rest(process)}"
            elif why := _no_service(manager):
                yield f"no sandboxed service starts here: {why}"
            else:
                yield manager
        finally:
            process.kill()
    _remove_groups()


def _is_up(manager: Booted, process: subprocess.Popen[str]) -> bool:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if manager.run("systemctl", "is-system-running").stdout.strip() == "running":
                return True
        except (IndexError, FileNotFoundError):
            pass  # not forked yet
        time.sleep(0.2)
    return False


def _no_service(manager: Booted) -> str:
    """Why no sandboxed service can be started here, whatever it is; empty if one can."""
    manager.run("tee", "/etc/systemd/system/plain.service", typed=_PLAIN)
    manager.run("systemctl", "daemon-reload")
    done = manager.run("systemctl", "start", "plain.service")
    return (done.stderr + manager.journal("plain.service"))[-500:] if done.returncode else ""


def _rest(process: subprocess.Popen[str]) -> str:
    process.kill()
    return process.communicate()[0][-500:]


def _closed(*paths: Path) -> Sequence[str]:
    """The folders above these, where links lead, too, that other users may not walk through; outer ones first."""
    above = {folder for path in paths for one in (path, path.resolve()) for folder in one.parents}
    return [str(folder) for folder in sorted(above) if not folder.stat().st_mode & 0o001]


def _remove_groups() -> None:
    subprocess.run(["unshare", "--mount", "sh", "-ec", _TIDY], capture_output=True, timeout=_PATIENCE_SECONDS)
