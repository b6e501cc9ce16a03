"""Parting a Piper voice in two networks: what is to be heard, frame by frame, and the sound of frames.

`python -m firmware_bridge.speech.parting VOICE FOLDER` does it in a process of its own, whose memory goes back: the
library needs four times the size of the file.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

_log = logging.getLogger(__name__)
_FIRST_WEIGHT = "dec.conv_pre.weight"  # of the half that makes sound; its node takes the frames
_LONGEST_SECONDS = 120.0


def parted(voice: Path, cache: Path) -> tuple[Path, Path] | None:
    """The files of both halves in `cache`, made when they are not there; None where they cannot be.

    Blocks for some seconds the first time. Whatever is in `cache` may be deleted.
    """
    stat = voice.stat()
    home = cache / f"{voice.stem}-{stat.st_size:x}-{stat.st_mtime_ns:x}"
    frames, sound = _halves(home)
    if not (frames.is_file() and sound.is_file()):
        if find_spec("onnx") is None:
            return None
        command = [sys.executable, "-m", __name__, str(voice), str(home)]
        try:
            subprocess.run(command, capture_output=True, timeout=_LONGEST_SECONDS, check=True)  # noqa: S603 - ourselves
        except (OSError, subprocess.SubprocessError) as error:
            _log.warning("the voice is not parted, so its first sound comes later: %s", error)
            return None
    return frames, sound


def part(voice: Path, home: Path) -> None:
    """Writes both halves into `home`, whole or not at all; what was parted of the voice before goes. Raises ValueError
    for a network that has no such halves.
    """
    import onnx
    from onnx.utils import Extractor

    model = onnx.load(str(voice))
    graph = model.graph
    joint = next((node.input[0] for node in graph.node if _FIRST_WEIGHT in node.input), None)
    if joint is None:
        raise ValueError(f"{voice.name} has no {_FIRST_WEIGHT}")
    extractor = Extractor(model)
    home.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=home.parent))
    frames, sound = _halves(draft)
    onnx.save(extractor.extract_model([one.name for one in graph.input], [joint]), str(frames))
    onnx.save(extractor.extract_model([joint], [one.name for one in graph.output]), str(sound))
    for old in home.parent.glob(f"{voice.stem}-*"):
        shutil.rmtree(old, ignore_errors=True)
    draft.rename(home)


def _halves(home: Path) -> tuple[Path, Path]:
    return home / "frames.onnx", home / "sound.onnx"


if __name__ == "__main__":
    part(Path(sys.argv[1]), Path(sys.argv[2]))
