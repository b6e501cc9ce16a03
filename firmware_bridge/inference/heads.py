"""The state of a prompt's head on disk, so that a restart need not read it again.

One file, `head.kv`: a line of JSON that says what it is of, then the cells. It may be deleted at any time, holds no
text, and is used only if everything about it is right.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

_log = logging.getLogger(__name__)
_NAME = "head.kv"
_FORMAT = 1
_LONGEST_LABEL = 4_096
_SAMPLE_BYTES, _SAMPLES = 65_536, 16
_OTHER_TEXT = "it is of another text"
_erasures = Counter[Path]()  # in each folder, by this process


class HeadFile:
    """`kind` is what a state depends on beside the tokens: weights, versions, cell type."""

    def __init__(self, folder: Path, kind: dict[str, Any]) -> None:
        self._path = folder / _NAME
        self._kind = {"format": _FORMAT, **kind}

    def load(self, tokens: Sequence[int]) -> bytes | None:
        """The state of exactly these tokens, None if there is none that can be trusted (the log says why)."""
        try:
            with self._path.open("rb") as file:
                label, state = file.readline(_LONGEST_LABEL), file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("%s cannot be read (%s); the head is read anew", self._path, error.strerror)
            return None
        wrong = self._mismatch(label, state, tokens)
        if wrong:
            # That of another text is the ordinary course: memory has changed since.
            level = logging.DEBUG if wrong == _OTHER_TEXT else logging.INFO
            _log.log(level, "%s is ignored, %s; the head is read anew", self._path, wrong)
            return None
        return state

    @property
    def age(self) -> int:
        """Grows with each erasure. A state that was taken before one must not be stored after it."""
        return _erasures[self._path.parent]

    def store(self, tokens: Sequence[int], state: bytes, age: int) -> None:
        """Replaces the file with a state that was taken at this `age`, or leaves none if something was erased since.

        A disk that refuses costs only the next start some time.
        """
        label = json.dumps(self._label(tokens, state)).encode()
        partial = self._path.with_suffix(".partial")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(label + b"\n" + state)
            partial.replace(self._path)
            if self.age != age:
                _unlink(self._path.parent)
        except OSError as error:
            _log.warning("the head's state is not kept: %s: %s", self._path, error.strerror)

    def _label(self, tokens: Sequence[int], state: bytes) -> dict[str, Any]:
        said = np.array(tokens, dtype=np.int32).tobytes()
        return {
            **self._kind,
            "tokens": len(tokens),
            "text": hashlib.sha256(said).hexdigest(),
            "state": hashlib.sha256(state).hexdigest(),
        }

    def _mismatch(self, label: bytes, state: bytes, tokens: Sequence[int]) -> str:
        """What is wrong with a file, empty if nothing is."""
        try:
            found = json.loads(label)
        except ValueError:
            return "it is damaged"
        expected = self._label(tokens, state)
        if not isinstance(found, dict) or found.keys() != expected.keys():
            return "it is of another version"
        other = [name for name, value in expected.items() if found[name] != value]
        if "state" in other:
            return "it is damaged"
        if not other:
            return ""
        return _OTHER_TEXT if set(other) <= {"tokens", "text"} else f"it is of other {other[0]}"


def discard_heads(folder: Path) -> None:
    """Deletes what is kept, because what it was made of was erased."""
    _erasures[folder] += 1  # first, so that whoever stores at this moment sees it
    _unlink(folder)


def _unlink(folder: Path) -> None:
    for path in (folder / _NAME, (folder / _NAME).with_suffix(".partial")):
        path.unlink(missing_ok=True)


def fingerprint(path: Path) -> str:
    """Tells weights apart without reading all of them: size, time of writing, header, and samples from everywhere."""
    status = path.stat()
    size = status.st_size
    digest = hashlib.sha256(f"{size} {status.st_mtime_ns}".encode())
    with path.open("rb") as file:
        for number in range(_SAMPLES + 1):
            file.seek(min(number * size // _SAMPLES, max(0, size - _SAMPLE_BYTES)))
            digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()
