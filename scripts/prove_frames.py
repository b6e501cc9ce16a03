#!/usr/bin/env -S .venv/bin/python
"""Sends frames through the codec, half of them damaged, and counts what comes out.

usage: prove_frames.py [--frames 1000000] [--seed 1] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from firmware_bridge.device.framing import Frame, FrameReader, Kind, encode

_BATCH = 64
_TEXT = b"ets Jul 29 2019 12:21:46\r\nrst:0x1 (POWERON_RESET),boot:0x13\r\n>>> print('x')\r\n"


def flips(wire: bytearray, chance: random.Random) -> bytearray:
    for _ in range(chance.randint(1, 8)):
        wire[chance.randrange(len(wire))] ^= 1 << chance.randrange(8)
    return wire


def truncation(wire: bytearray, chance: random.Random) -> bytearray:
    begin = chance.randrange(len(wire))
    end = begin + chance.randint(1, len(wire) - begin)
    return wire[:begin] + wire[end:]


def insertion(wire: bytearray, chance: random.Random) -> bytearray:
    place = chance.randrange(2, len(wire) - 1)
    return wire[:place] + chance.randbytes(chance.randint(1, 12)) + wire[place:]


def burst(wire: bytearray, chance: random.Random) -> bytearray:
    begin = chance.randrange(len(wire))
    length = chance.randint(1, 40)
    wire[begin : begin + length] = chance.randbytes(len(wire[begin : begin + length]))
    return wire


DAMAGES = (flips, truncation, insertion, burst)


def random_frame(chance: random.Random) -> Frame:
    size = chance.choice((0, 1, 20, 60, 253, 254, 255, 512)) + chance.randrange(8)
    payload = bytes(size) if chance.random() < 0.1 else chance.randbytes(size)
    return Frame(chance.choice(list(Kind)), chance.randrange(65_536), chance.randrange(65_536), payload)


def portions(wire: bytes, chance: random.Random) -> Iterator[bytes]:
    begin = 0
    while begin < len(wire):
        size = chance.choice((1, 7, 64, 512, 4_096))
        yield wire[begin : begin + size]
        begin += size


def prove(frames: int, seed: int) -> dict[str, object]:
    """Counts; the sum of `accepted wrongly`, `intact lost` and `crashes` is 0 if the codec keeps its promise."""
    chance, reader, count = random.Random(seed), FrameReader(), Counter[str]()
    began = time.perf_counter()
    for begin in range(0, frames, _BATCH):
        wire, sent, intact = bytearray(), list[Frame](), list[Frame]()
        for number in range(begin, min(begin + _BATCH, frames)):
            frame = random_frame(chance)
            sent.append(frame)
            if number % 2:
                damage = chance.choice(DAMAGES)
                count[damage.__name__] += 1
                wire += damage(bytearray(encode(frame)), chance)
            else:
                wire += encode(frame)
                intact.append(frame)
            if chance.random() < 0.1:
                wire += _TEXT[: chance.randrange(len(_TEXT))]
        came = _receive(reader, bytes(wire) + b"\0", chance, count)
        # A damaged frame may arrive, too, when the damage took only a delimiter that its neighbour gives it back.
        count["accepted wrongly"] += (came - Counter(sent)).total()
        count["intact lost"] += (Counter(intact) - came).total()
    seconds = time.perf_counter() - began
    table = {"frames": frames, "damaged": sum(count[damage.__name__] for damage in DAMAGES)}
    names = (*(damage.__name__ for damage in DAMAGES), "accepted wrongly", "intact lost", "crashes")
    return table | {name: count[name] for name in names} | {"frames a second": round(frames / seconds)}


def _receive(reader: FrameReader, wire: bytes, chance: random.Random, count: Counter[str]) -> Counter[Frame]:
    came: Counter[Frame] = Counter()
    for portion in portions(wire, chance):
        try:
            came.update(item for item in reader.feed(portion) if isinstance(item, Frame))
        except Exception as error:  # noqa: BLE001 - any is what is counted here
            count["crashes"] += 1
            print(f"crash: {error!r}", file=sys.stderr)
    return came


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    table = prove(arguments.frames, arguments.seed)
    if arguments.json:
        print(json.dumps(table))
    else:
        for name, number in table.items():
            print(f"{name:<18} {number:>10}")
    return 1 if table["accepted wrongly"] or table["intact lost"] or table["crashes"] else 0


if __name__ == "__main__":
    sys.exit(main())
