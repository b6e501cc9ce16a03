"""A plain SVG of lines over turns, written by hand so that no plotting library is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 340, 64, 24, 112, 44
_COLOURS = ("#c0392b", "#d68910", "#1f618d")
_STEPS = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)


def plot(series: Mapping[str, Sequence[float]]) -> str:
    """Milliseconds against the number of the turn, one line for each name."""
    most = max(max(values) for values in series.values())
    count = max(len(values) for values in series.values())
    step = next((step for step in _STEPS if most / step <= 6), _STEPS[-1])
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(turn: float) -> float:
        return _LEFT + across * turn / max(count - 1, 1)

    def y(value: float) -> float:
        return _TOP + down * (1 - value / most)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="14">first token, ms</text>',
        f'<text x="{_LEFT + across / 2:.0f}" y="{_HEIGHT - 8}" text-anchor="middle">turn</text>',
    ]
    for value in range(0, int(most) + 1, step):
        parts.append(f'<path d="M{_LEFT} {y(value):.1f}H{_LEFT + across}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>')
    parts += [
        f'<text x="{x(turn):.1f}" y="{_HEIGHT - 26}" text-anchor="middle">{turn}</text>' for turn in range(0, count, 10)
    ]
    for (name, values), colour in zip(series.items(), _COLOURS, strict=False):
        points = " ".join(f"{x(turn):.1f},{y(value):.1f}" for turn, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{_LEFT + across + 8}" y="{y(values[-1]) + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
