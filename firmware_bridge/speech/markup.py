"""Taking out of a text what is there for the eye: markdown, HTML, links, emoji."""

from __future__ import annotations

import html
import re
import unicodedata

_STEPS = (
    (re.compile(r"```[^\n]*\n?(.*?)(?:```|$)", re.DOTALL), r" \1 "),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),  # links and pictures
    (re.compile(r"<(?:https?://|mailto:)[^>]*>"), " "),
    (re.compile(r"</?[a-zA-Z][^<>]*>"), " "),
    (re.compile(r"\bhttps?://(?:www\.)?([\w.-]+)\S*"), lambda match: match[1].replace(".", " dot ")),
    (re.compile(r"^\s{0,3}#{1,6}\s+", re.MULTILINE), ""),
    (re.compile(r"^\s*>+\s?", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*[-*_]{3,}[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"^[ \t]*\|?[ \t:|-]*-{3,}[ \t:|-]*$", re.MULTILINE), ""),  # the rule under a table's head
    (re.compile(r"^\s*[-*+\u2022]\s+(?:\[[ xX]\]\s+)?", re.MULTILINE), ""),
    (re.compile(r"^\s*(\d{1,3})[.)]\s+", re.MULTILINE), r"\1, "),
    (re.compile(r"^[ \t]*\||\|[ \t]*$", re.MULTILINE), ""),
    (re.compile(r"[ \t]*\|[ \t]*"), ", "),
    (re.compile(r"(\*\*|__|~~|`)(?=\S)(.*?\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]*\S)\*(?!\w)"), r"\1"),
    (re.compile(r"(?<!\w)_(?=\S)([^_\n]*\S)_(?!\w)"), r"\1"),
    (re.compile(r"[*_`~#]+(?=\s|$)|(?<=\s)[*_`~]+|^[*_`~]+"), " "),
    (re.compile(r"(?<![\w.])[:;=]-?[)(DPp/|]+(?=\s|$|[.,!?])"), " "),  # :-) and its kin
)
_INVISIBLE = frozenset(["\ufe0f", "\ufe0e", "\u200d", "\u20e3"])
_SPOKEN_SYMBOLS = frozenset("\u00b0")  # a symbol (So) that means something aloud
_MODIFIERS = range(0x1F3FB, 0x1F400)  # skin colours


def plain(text: str) -> str:
    """The words of a text, line breaks kept."""
    text = html.unescape(text)
    for pattern, instead in _STEPS:
        text = pattern.sub(instead, text)
    return "".join(character for character in text if not _is_picture(character))


def _is_picture(character: str) -> bool:
    if character in _INVISIBLE or ord(character) in _MODIFIERS:
        return True
    kind = unicodedata.category(character)
    return kind in {"So", "Co", "Cn", "Cs"} and character not in _SPOKEN_SYMBOLS
