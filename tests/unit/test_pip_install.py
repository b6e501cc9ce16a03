"""The set-up shows little of what pip prints, and hides nothing that failed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "pip_install.py"
PRINTED = """\
Collecting aiohttp>=3.14.1 (from lobug==0.1.0)
  Installing build dependencies: started
  Collecting setuptools>=61.0
  Installing collected packages: setuptools
Collecting numpy>=1.26 (from lobug==0.1.0)
WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'
  Building wheel for llama-cpp-python (pyproject.toml): started
  [1/200] Building C object ggml.c.o
  [41/200] Building CXX object llama.cpp.o
  [200/200] Linking CXX shared library libllama.so
Installing collected packages: aiohttp, llama-cpp-python, numpy
""".splitlines(keepends=True)


def test_of_what_pip_prints_the_stages_the_compilation_and_what_is_waited_for_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    spec = importlib.util.spec_from_file_location("pip_install", SCRIPT)
    assert spec
    assert spec.loader
    pip_install = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pip_install)
    progress = pip_install.Progress(terminal=False)
    for line in PRINTED:
        progress.read(line)
    progress.end()
    assert [line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines()] == [
        "getting packages",
        "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'",
        "compiling llama.cpp",
        "compiling llama.cpp: 20%",
        "compiling llama.cpp: 100%",
        "installing packages",
    ]


def test_what_pip_failed_of_is_shown_whole() -> None:
    command = [sys.executable, SCRIPT, "--no-index", "no-package-has-this-name"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 1
    assert "No matching distribution found for no-package-has-this-name" in done.stderr
