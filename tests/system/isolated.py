"""The whole companion in a network namespace that has only a loopback, each call that names an address noted.

Run as a program it is what lives in there: `isolated.py FOLDER PROFILE` talks, with `--voice` also by sound, and prints
the replies.
"""

from __future__ import annotations

import ipaddress
import re
import shutil
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from companion_process import Companion

_CALLS = "connect,sendto,sendmsg,sendmmsg"
_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_LOOPBACK_UP = "ip link set lo up && exec "
_PATIENCE_SECONDS = 400.0


@dataclass(frozen=True, slots=True)
class Isolation:
    """What was said, to how many addresses anything was sent or connected, and those that are not this machine."""

    said: str
    inside: int
    outside: tuple[str, ...]


def cannot() -> str:
    """Why it cannot be done on this machine; empty if it can."""
    for tool in ("unshare", "strace", "ip"):
        if shutil.which(tool) is None:
            return f"there is no {tool} here"
    done = subprocess.run(["unshare", "-rn", "strace", "-qq", "-o", "/dev/null", "true"], capture_output=True)
    return "this machine does not allow network namespaces or tracing" if done.returncode else ""


def live(folder: Path, profile: str, *, voice: bool) -> Isolation:
    """Starts the companion in a namespace of its own and talks to it. Raises CalledProcessError if it fails."""
    trace = folder / "trace"
    command = ["strace", "-f", "-qq", "-e", f"trace={_CALLS}", "-o", str(trace), sys.executable, __file__, str(folder)]
    command += [profile, *(["--voice"] if voice else [])]
    done = subprocess.run(
        ["unshare", "-rn", "sh", "-c", _LOOPBACK_UP + '"$@"', "sh", *command],
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
        check=True,
    )
    reached = [one or other for one, other in _ADDRESS.findall(trace.read_text(errors="replace"))]
    outside = tuple(sorted({one for one in reached if not ipaddress.ip_address(one).is_loopback}))
    return Isolation(done.stdout, len(reached) - sum(one in outside for one in reached), outside)


def _talk(folder: Path, profile: str, *, voice: bool) -> None:
    with Companion(folder / "data", "--profile", profile) as companion:
        said = [companion.say("my name is Mirko")["text"]]
        companion.wait_until_digested()
        said.append(companion.say("what is my name", "later")["text"])
        if voice:
            said.append(_speak(companion, "what is my name"))
    sys.stdout.write("\n".join(said))


def _speak(companion: Companion, question: str) -> str:
    """What it heard of its own voice and replied; the reply's sound is fetched, too."""
    sound = companion.spoken(question)
    status, answer = companion.ask("/chat/audio", sound, {"Content-Type": "audio/wav"})
    if status != 200:
        raise RuntimeError(answer)
    with urllib.request.urlopen(companion.url + answer["audio_url"], timeout=240) as response:
        return f"heard {answer['heard']!r}, said {answer['text']!r}, {len(response.read())} bytes of sound"


if __name__ == "__main__":
    _talk(Path(sys.argv[1]), sys.argv[2], voice="--voice" in sys.argv)
