"""A plain SVG of turns, written by hand so that no plotting library is needed."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 340, 64, 32, 112, 44
_COLOURS = ("#c0392b", "#d68910", "#1f618d")
_STEPS = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
_AROUND = 2  # turns before and after, of which the line is the median
_AIR = 1.25  # above the lines; dots that are higher stand on the edge


def plot(series: Mapping[str, Sequence[float]]) -> str:
    """Milliseconds against the number of the turn: a dot for each, and a line of the median of five, for each name."""
    lines = {name: _medians(values) for name, values in series.items()}
    most = _AIR * max(max(values) for values in lines.values())
    count = max(len(values) for values in series.values())
    step = next((step for step in _STEPS if most / step <= 6), _STEPS[-1])
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(turn: float) -> float:
        return _LEFT + across * turn / max(count - 1, 1)

    def y(value: float) -> float:
        return _TOP + down * (1 - min(value, most) / most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="14">first token, ms (dots: each turn; lines: median of five)</text>',
        f'<text x="{_LEFT + across / 2:.0f}" y="{_HEIGHT - 8}" text-anchor="middle">turn</text>',
    ]
    for value in range(0, int(most) + 1, step):
        parts.append(f'<path d="M{_LEFT} {y(value):.1f}H{_LEFT + across}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    parts += [
        f'<text x="{x(turn):.1f}" y="{_HEIGHT - 26}" text-anchor="middle">{turn}</text>' for turn in range(0, count, 10)
    ]
    for (name, line), colour in zip(lines.items(), _COLOURS, strict=False):
        dots = (f"M{x(turn):.1f} {y(value):.1f}h0" for turn, value in enumerate(series[name]))
        parts.append(
            f'<path d="{"".join(dots)}" stroke="{colour}" stroke-width="4" stroke-linecap="round" opacity=".35"/>'
        )
        points = " ".join(f"{x(turn):.1f},{y(value):.1f}" for turn, value in enumerate(line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{_LEFT + across + 8}" y="{y(line[-1]) + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _medians(values: Sequence[float]) -> list[float]:
    return [statistics.median(values[max(turn - _AROUND, 0) : turn + _AROUND + 1]) for turn in range(len(values))]
