"""Ages that are told beside a name: "two girls, Ann who's six and Bea, who is nine"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.lexicon import COUNT, KIN_OR_PET

_OWN = rf"(?:my|our|his|her|their) (?:(?:little|big|older|younger|eldest|youngest) )?{KIN_OR_PET}"
_NAME = r"(?-i:[A-Z])[\w-]+"
_AGE = (
    rf"(?:only |just |nearly |almost |now )*(?P<age>{COUNT}(?:[ -]{COUNT})?(?: (?:years|months|weeks) old)?)"
    r"(?=,? and\b|[,.;!]|\s*$),?"
)
_WHO_IS = re.compile(
    rf"(?P<before>)\b(?P<whom>{_OWN}(?: {_NAME})?|{_NAME}|(?<=, )\w+|(?<=\band )\w+),? who(?:'s| is) {_AGE}",
    re.IGNORECASE,
)
_ONE_OF_THEM = re.compile(
    rf"(?P<before>\b(?:boy|girl|son|daughter|baby),? (?:called |named )?)(?P<whom>{_NAME}), (?:he|she)(?:'s| is)"
    rf" {_AGE}",
    re.IGNORECASE,
)


def ages_apart(sentence: str) -> tuple[str, list[str]]:
    """The sentence without such ages, and a clause for each of them: "Ann is six"."""
    told: list[str] = []

    def apart(found: re.Match[str]) -> str:
        told.append(f"{found['whom']} is {found['age']}")
        goes_on = found.string[found.end() :].lstrip()[:1].islower()
        listed = found[0].endswith(",") and not (goes_on and f"{found['whom']}," in found[0])
        return f"{found['before']}{found['whom']}{',' if listed else ''}"

    if sentence.rstrip().endswith("?"):
        return sentence, told
    return _ONE_OF_THEM.sub(apart, _WHO_IS.sub(apart, sentence)), told
