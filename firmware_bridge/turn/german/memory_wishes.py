"""German sentences that ask something of memory itself, by rule."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.german.clauses import REMEMBER, cleaned, from_subordinate
from edge_memory.records import words_of
from firmware_bridge.turn.wished import Count, Doubts, EraseAll, Happened, Learn, MemoryWish, Recall, TidyUp

_ME = r"(?:mich|mir|uns|meine person)"
_END = r"[\s?.!]*$"
_RECALL = re.compile(
    rf"^(?:(?:sag|erzähl|verrate?)e? (?:mir )?(?:mal |bitte )*,?\s*)?(?:was (?:alles )?(?:weißt|weisst) du (?:denn |alles |schon |noch |eigentlich )*(?:über|von|zu) (?P<a>.+?)(?: alles)?"
    rf"|was du (?:alles )?(?:über|von|zu) (?P<b>.+?) (?:weißt|weisst)|was hast du dir (?:alles |schon )*(?:(?:über|von|zu) (?P<c>.+?) )?gemerkt"
    rf"|(?:weißt|weisst) du (?:etwas|was|irgendetwas) (?:über|von|zu) (?P<d>.+?)|was habe ich dir (?:alles |schon )*(?:über|von) (?P<e>.+?) (?:erzählt|gesagt)|erzähl mir (?:etwas )?von (?P<f>mir|meine[rm] .+?)){_END}",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"^(?:wie viel (?:weißt|weisst) du(?: über {_ME})?|an wie viel(?:e|es)?(?: \w+)? erinnerst du dich|wie viele (?:erinnerungen|dinge|sachen|fakten) (?:hast|kennst|weißt) du.*|wie voll ist dein (?:gedächtnis|speicher)){_END}",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    rf"^(?:(?:worüber|wobei|wo) bist du (?:dir )?(?:noch )?(?:unsicher|nicht sicher)|(?:hast du|gibt es)(?: noch)? (?:etwas|was|offene fragen|irgendwelche fragen|fragen)(?: an mich)?(?:,? (?:zu bestätigen|das ich bestätigen (?:soll|muss)|was ich bestätigen (?:soll|muss)))?|was (?:wartet|ist)(?: noch)? (?:auf (?:meine )?bestätigung|offen|unklar)|was (?:soll|muss) ich (?:noch )?bestätigen){_END}",
    re.IGNORECASE,
)
_ERASE_ALL = re.compile(
    rf"^(?:bitte )?(?:(?:vergiss|lösch|lösche) (?:alles(?: (?:über|von) {_ME}| was du (?:über {_ME} )?weißt)?|dein (?:ganzes |gesamtes )?gedächtnis|{_ME}))(?: bitte)?{_END}",
    re.IGNORECASE,
)
_TIDY = re.compile(rf"^(?:bitte )?räum(?:e)? (?:mal |bitte )*(?:dein|das) gedächtnis auf{_END}", re.IGNORECASE)
_EPISODE = re.compile(
    r"^(?:bitte )?(?:schreib(?:e)?|trag(?:e)?|notier(?:e)?|mach(?:e)?) (?:mir )?(?:bitte )?(?:ins tagebuch|in mein tagebuch|einen tagebucheintrag|als tagebucheintrag)(?: ein)?\s*[:,]?\s*(?P<dass>dass\s+)?(?P<what>\S.*?)[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_ME = re.compile(rf"{_ME}(?: schon| alles)?", re.IGNORECASE)


def memory_wish(text: str) -> MemoryWish | None:
    """As `firmware_bridge.turn.english.memory_wishes.memory_wish`."""
    said = cleaned(text)
    for pattern, wish in ((_ERASE_ALL, EraseAll()), (_COUNT, Count()), (_DOUBTS, Doubts()), (_TIDY, TidyUp())):
        if pattern.match(said):
            return wish
    if (match := _EPISODE.match(said)) and len(words_of(match["what"])) > 1:
        return Happened(from_subordinate(match["what"]) if match["dass"] else match["what"])
    if match := _RECALL.match(said):
        topic = next((group for group in match.groups() if group), "").strip()
        return Recall("" if not topic or _ABOUT_ME.fullmatch(topic) else topic)
    match = REMEMBER.match(said)
    what = said[match.end() :].strip(" .!") if match else ""
    if match is None or len(words_of(what)) < 2 or what.endswith("?"):
        return None
    return Learn(from_subordinate(what) if match["dass"] else what)
