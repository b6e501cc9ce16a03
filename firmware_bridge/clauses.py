"""Cutting a reply into what can be spoken on its own, while it is still being written."""

from __future__ import annotations

import re

_MONTHS = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
_SENTENCE_END = rf"(?<!\d)[.!?](?=\s|$)|(?<=\d)[.!?](?=\s)(?!\s(?:{_MONTHS})\b)|[\u2026\u3002\uff01\uff1f\n]"
_CLAUSE_END = re.compile(rf"{_SENTENCE_END}|[,;:](?=\s)|(?<=[^\W\d_]),$")  # nothing but a number goes on after a comma
_JOINT = re.compile(  # where a speaker may take breath; "on it" and the like belong to what is before them
    r"(?<=\w)\s(?=(?:and|or|but|because|so|that|which|while|although|when|where|who|if|until|und|oder|aber|weil|wenn|dass)\s"
    r"|(?:by|with|without|from|for|in|on|at|into|between|after|before)\s"
    r"(?!(?:it|them|him|her|me|us|you|this|that)\b|\w{0,3}$))"
)
_OPENER = re.compile(r"^\s*[A-Z][\w'\u2019]{2,}[.!](?=\s+\S)")  # "Okay.", said before all else
_SENTENCES = re.compile(rf"(?:{_SENTENCE_END})[\"')\]*_]*")
_ABBREVIATED = re.compile(
    r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|No|vs|etc|approx|e\.g|i\.e|bzw|ca|Nr|[zdu]|z\. ?B|d\. ?h|[A-Z])\.$"
)
_SHORTEST_CLAUSE = 12
_CLAUSE_BEGIN = re.compile(r"(?:because|that|which|while|although|when|where|who|if|until|weil|wenn|dass)\s")
_SHORTEST_BEFORE_CLAUSE = 14
_SHORTEST_BEFORE_JOINT = 20  # characters: "salt and pepper" stays together
_LONGEST_SENTENCE = 180  # characters; a longer one is cut at a comma or a space


def has_clause(reply: str) -> bool:
    """Whether the beginning of a reply can be spoken already."""
    return _first_clause(reply) > 0


class ClauseCutter:
    """Feed it a reply in pieces. The first clause comes out as early as can be, then whole sentences."""

    def __init__(self) -> None:
        self._left = ""
        self._begun = False

    def feed(self, text: str) -> list[str]:
        """What became complete, in order."""
        self._left += text
        complete = []
        while end := self._end():
            complete.append(self._left[:end].strip())
            self._left = self._left[end:]
            self._begun = self._begun or bool(complete[-1])
        return [clause for clause in complete if clause]

    def rest(self) -> str:
        """What is left when the reply is over, perhaps nothing."""
        left, self._left = self._left.strip(), ""
        return left

    def _end(self) -> int:
        if not self._begun:
            return _first_clause(self._left)
        for match in _SENTENCES.finditer(self._left):
            # At the very end of what is written the mark may still become "3.5" or "e.g.".
            if match.end() < len(self._left) and not _ABBREVIATED.search(self._left[: match.end()]):
                return match.end()
        return _break(self._left) if len(self._left) > _LONGEST_SENTENCE else 0


def _first_clause(reply: str) -> int:
    """Where the first clause ends that is long enough to be spoken alone, 0 if there is none yet."""
    if (opener := _OPENER.match(reply)) and not _ABBREVIATED.search(opener[0]):
        return opener.end()
    marks = (match.end() for match in _CLAUSE_END.finditer(reply))
    joints = (match.end() for match in _JOINT.finditer(reply))
    mark = next((end for end in marks if end >= _SHORTEST_CLAUSE and not _ABBREVIATED.search(reply[:end])), 0)
    joint = next((end for end in joints if end >= _before_joint(reply, end)), 0)
    return min(mark, joint) if mark and joint else mark or joint


def _before_joint(reply: str, joint: int) -> int:
    return _SHORTEST_BEFORE_CLAUSE if _CLAUSE_BEGIN.match(reply, joint) else _SHORTEST_BEFORE_JOINT


def _break(text: str) -> int:
    """The best place to cut a text that is too long."""
    for mark in (", ", "; ", ": ", " "):
        if (place := text.rfind(mark, _SHORTEST_CLAUSE, _LONGEST_SENTENCE)) > 0:
            return place + len(mark)
    return _LONGEST_SENTENCE
