"""The program of the board and its own `M5Board` under MicroPython, with a stub of what the firmware offers them."""

from __future__ import annotations

import ast
import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import prove_cable
import pytest

from firmware_bridge.device import NoticeBoard, SerialDoor
from firmware_bridge.device.pty_cable import PtyCable
from firmware_bridge.settings import SerialSettings

pytest.importorskip("micropython_unix")
STUB = Path(__file__).resolve().parents[1] / "data" / "m5stack_stub.py"


NVS = """
class NVS:
    def __init__(self, name):
        self.kept = {"name": name}
    def set_u8(self, key, value):
        self.kept[key] = value
    def commit(self):
        print(sorted(self.kept.items()))
"""

CUT = """
from lobug import main
main._SETTINGS = "lobug.json"
main.keep_token("first")
class Cut:
    load = main.json.load
    def dump(settings, file):
        file.write("{")
        raise OSError("no power")
whole, main.json = main.json, Cut
try:
    main.keep_token("second")
except OSError:
    print(main.load())
main.json = whole
main.keep_token("third")
print(main.load())
"""


def test_a_board_that_loses_power_while_it_is_paired_keeps_its_settings(tmp_path: Path) -> None:
    prove_cable.install(tmp_path)
    (tmp_path / "lobug.json").write_text('{"ssid": "home"}')
    (tmp_path / "cut.py").write_text(CUT)
    micropython = str(Path(sys.executable).with_name("micropython"))
    done = subprocess.run([micropython, "cut.py"], cwd=tmp_path, capture_output=True, text=True)
    kept, later = map(ast.literal_eval, done.stdout.splitlines())
    assert kept == {"ssid": "home", "token": "first"}
    assert later == {"ssid": "home", "token": "third"}


def test_the_guide_has_the_board_start_this_program_and_not_the_firmwares_menu(tmp_path: Path) -> None:
    guide = (Path(__file__).resolve().parents[2] / "GUIDE.md").read_text(encoding="utf-8")
    told = re.search(r'exec "(import esp32; [^"]+)"', guide)
    assert told is not None
    (tmp_path / "esp32.py").write_text(NVS)
    (tmp_path / "told.py").write_text(told[1])
    micropython = str(Path(sys.executable).with_name("micropython"))
    done = subprocess.run([micropython, "told.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "[('boot_option', 0), ('name', 'uiflow')]\n"


async def test_the_boards_program_hears_and_plays(tmp_path: Path) -> None:
    flash = prove_cable.install(tmp_path / "flash")
    shutil.copy(STUB, flash / "stub.py")
    ears = prove_cable.Ears()
    with PtyCable(tmp_path / "usb0") as cable:
        async with SerialDoor(SerialSettings(ports=(cable.host_port,)), ears, NoticeBoard()) as door:
            device = await asyncio.create_subprocess_exec(
                str(Path(sys.executable).with_name("micropython")),
                "stub.py",
                cwd=flash,
                env=os.environ | {"LOBUG_PORT": cable.device_port},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            assert device.stdout is not None
            told = ""
            try:
                async with asyncio.timeout(240):
                    await ears.all_heard.wait()
                    assert "m5-040506" in door.devices
                    while f"played {len(ears.heard)}" not in told:
                        line = (await device.stdout.readline()).decode()
                        assert line, told
                        told += line
            finally:
                if device.returncode is None:
                    device.kill()
                await device.wait()
    assert ears.heard.count(1) == len(ears.heard) >= 3_200
    assert "clock 20" in told
    assert "reset" not in told
