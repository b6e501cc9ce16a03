"""From the bytes of tokens to text that can be shown: whole characters only, and nothing from a stop string on."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class ReplyText:
    """Feed bytes, get text. Holds back incomplete characters and whatever may turn out to begin a stop string."""

    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._stop = [text for text in stop if text]
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self.stopped = False  # a stop string was found; everything from it on is dropped

    def feed(self, data: bytes) -> str:
        """The text that is now certain, possibly empty."""
        return self._release(self._decoder.decode(data))

    def end(self) -> str:
        """The text still held back. Bytes that never became a character are replaced by U+FFFD."""
        text = self._release(self._decoder.decode(b"", final=True)) + self._pending
        self._pending = ""
        return text

    def _release(self, text: str) -> str:
        if self.stopped:
            return ""
        self._pending += text
        found = [at for at in map(self._pending.find, self._stop) if at >= 0]
        if found:
            self.stopped = True
            ready, self._pending = self._pending[: min(found)], ""
            return ready
        keep = max((_overlap(self._pending, stop) for stop in self._stop), default=0)
        cut = len(self._pending) - keep
        ready, self._pending = self._pending[:cut], self._pending[cut:]
        return ready


def _overlap(text: str, stop: str) -> int:
    """Length of the longest end of `text` that begins `stop`."""
    longest = min(len(text), len(stop) - 1)
    return next((length for length in range(longest, 0, -1) if text.endswith(stop[:length])), 0)
