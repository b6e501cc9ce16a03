#!/usr/bin/env -S .venv/bin/python
"""Coverage-guided bytes (atheris) for everything that reads bytes from outside. Ends with an error at the first
exception that is none of ours. atheris is no dependency: `pip install atheris` where there is a wheel of it.

usage: scripts/fuzz_codecs.py CODEC SECONDS      CODEC is one of those below
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

with atheris.instrument_imports(include=["edge_memory", "firmware_bridge", "cobs"]):
    from edge_memory.errors import EdgeMemoryError
    from edge_memory.observe.english.reading import read_statements
    from edge_memory.recall.question import what_is_sought
    from edge_memory.transfer.document import FORMAT, FORMAT_VERSION
    from edge_memory.transfer.reading import read_document
    from firmware_bridge.contracts import AudioFormat, AudioKind
    from firmware_bridge.device.framing import Frame, FrameReader, Kind, encode
    from firmware_bridge.device.xiaozhi.framing import unpack
    from firmware_bridge.device.xiaozhi.messages import parse
    from firmware_bridge.errors import BridgeError
    from firmware_bridge.integrations.wyoming.framing import EventReader
    from firmware_bridge.speech.decoding import decode

_LONGEST_SOUND = 5.0  # seconds
_DOCUMENT = {
    "format": FORMAT, "version": FORMAT_VERSION, "user_id": "owner", "records": [], "turns": [], "summaries": [],
    "base_memory": [{"version": 1, "content": "", "reason": "", "created_at": 0.0}],
}  # fmt: skip


def _wyoming(data: bytes) -> None:
    reader = EventReader()
    reader.feed(data)
    while reader.take() is not None:
        pass


def _frames(data: bytes) -> None:
    reader = FrameReader()
    for at in range(0, len(data), 7):
        reader.feed(data[at : at + 7])


def _document(data: bytes) -> None:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    read_document(document)


CODECS: dict[str, tuple[Callable[[bytes], object], bytes]] = {
    "frames": (_frames, encode(Frame(Kind.HELLO, 1, 2, b"{}"))),
    "xiaozhi frames": (lambda data: [unpack(version, data) for version in (1, 2, 3)], b"\x00\x00\x00\x04opus"),
    "xiaozhi messages": (parse, b'{"type": "listen", "state": "detect", "text": "hi"}'),
    "wyoming": (_wyoming, b'{"type": "transcribe", "data_length": 2, "payload_length": 1}\n{}x'),
    "sound": (
        lambda data: decode(data, AudioFormat(AudioKind.WAV, 16_000, 1), _LONGEST_SOUND),
        bytes.fromhex("524946462400000057415645666d74201000000001000100803e0000007d00000200100064617461"),
    ),
    "import": (_document, json.dumps(_DOCUMENT).encode()),
    "questions": (lambda data: what_is_sought(data.decode(errors="replace"), ["Nora"]), b"where does Nora live"),
    "turns": (lambda data: read_statements(data.decode(errors="replace")), b"remember that my cat is called Miso"),
}


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in CODECS:
        sys.exit(f"{__doc__}\n{', '.join(CODECS)}")
    name, seconds = sys.argv[1:]
    read, example = CODECS[name]

    def once(data: bytes) -> None:
        with suppress(BridgeError, EdgeMemoryError):
            read(data)

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "example").write_bytes(example)
        options = [f"-max_total_time={seconds}", "-timeout=10", f"-artifact_prefix={folder}/", "-verbosity=1"]
        atheris.Setup([sys.argv[0], folder, *options], once)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
