"""Runs `pip install` and shows its stages, how far the compiler is, and what it waits for; all of it where it fails.

.venv/bin/python scripts/pip_install.py ARGUMENTS OF PIP INSTALL...
"""

import re
import subprocess
import sys
import time

COMPILING = "compiling llama.cpp"
STAGES = (
    (r"Collecting ", "getting packages"),
    (r"\s*Building wheel for llama-cpp-python", COMPILING),
    (r"Installing collected packages", "installing packages"),
)
COMPILED = re.compile(r"\s*\[ *(\d+)(?:/(\d+)|%)\]")  # as ninja and make count
TROUBLE = re.compile(r"WARNING: Retrying ")
STEP_PERCENT = 20  # between two lines where there is no terminal


class Progress:
    """On a terminal one line, written anew; elsewhere a line for each stage and each fifth of the compilation."""

    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal
        self._start = time.monotonic()
        self._stage, self._percent = "", 0

    def read(self, line: str) -> None:
        stage = next((name for pattern, name in STAGES if re.match(pattern, line)), self._stage)
        if stage != self._stage:
            self._stage, self._percent = stage, 0
            self._show(stage)
        count = COMPILED.match(line) if stage == COMPILING else None
        if count:
            percent = 100 * int(count[1]) // int(count[2] or 100)
            if percent >= self._percent + (1 if self._terminal else STEP_PERCENT):
                self._percent = percent
                self._show(f"{stage}: {percent}%")
        if TROUBLE.match(line):
            self._show(line.strip())

    def end(self) -> None:
        if self._terminal and self._stage:
            print(flush=True)

    def _show(self, text: str) -> None:
        minutes, seconds = divmod(int(time.monotonic() - self._start), 60)
        line = f"    {minutes}:{seconds:02} {text}"
        print(f"\r\x1b[K{line}" if self._terminal else line, end="" if self._terminal else "\n", flush=True)


def main() -> int:
    progress, printed = Progress(sys.stdout.isatty()), []
    command = [sys.executable, "-m", "pip", "install", "-v", "--disable-pip-version-check", *sys.argv[1:]]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    ) as pip:
        try:
            for line in pip.stdout or ():
                printed.append(line)
                progress.read(line)
        except KeyboardInterrupt:  # pip has got it, too
            pip.wait()
            print("\nstopped; the next run goes on", file=sys.stderr)
            return 130
    progress.end()
    if pip.returncode:
        sys.stderr.writelines(printed)
    return pip.returncode


if __name__ == "__main__":
    sys.exit(main())
