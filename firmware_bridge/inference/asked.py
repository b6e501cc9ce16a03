"""What was asked last in each conversation, so that work for an earlier asking can end."""

from __future__ import annotations

from collections import OrderedDict
from itertools import count

_MOST_KEPT = 256  # conversations; of one that was not heard of for so long nothing is under way


class Asked:
    def __init__(self) -> None:
        self._numbers = count(1)
        self._newest = OrderedDict[str, int]()

    def note(self, conversation: str) -> int:
        """The number of a new asking."""
        self._newest[conversation] = number = next(self._numbers)
        self._newest.move_to_end(conversation)
        if len(self._newest) > _MOST_KEPT:
            self._newest.popitem(last=False)
        return number

    def newest(self, conversation: str) -> int:
        """The number of the newest asking, 0 when there was none, or long ago."""
        return self._newest.get(conversation, 0)
