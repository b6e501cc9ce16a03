"""Silero's voice-activity detector, version 6, on ONNX Runtime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firmware_bridge.speech.native import open_session

_FRAME = 512  # samples, 32 ms
_CONTEXT = 64  # samples of the frame before, which the network sees as well
_STATE = (1, 1, 128)


class SileroDetector:
    def __init__(self, path: Path) -> None:
        self._session = open_session(path)

    @property
    def frame_samples(self) -> int:
        return _FRAME

    def begin(self) -> SileroProbe:
        return SileroProbe(self)

    def run(
        self, rows: NDArray[np.float32], hidden: NDArray[np.float32], cell: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        likelihoods, hidden, cell = self._session.run(None, {"input": rows, "h": hidden, "c": cell})
        return likelihoods, hidden, cell


class SileroProbe:
    """Keeps the recurrent state between calls, so that frames may come one by one or all at once."""

    def __init__(self, detector: SileroDetector) -> None:
        self._detector = detector
        self._hidden = np.zeros(_STATE, np.float32)
        self._cell = np.zeros(_STATE, np.float32)
        self._context = np.zeros(_CONTEXT, np.float32)

    def likelihoods(self, frames: NDArray[np.float32]) -> NDArray[np.float32]:
        before = np.vstack([self._context, frames[:-1, -_CONTEXT:]])
        self._context = frames[-1, -_CONTEXT:]
        rows = np.concatenate([before, frames], axis=1)
        likelihoods, self._hidden, self._cell = self._detector.run(rows, self._hidden, self._cell)
        return likelihoods.reshape(-1)
