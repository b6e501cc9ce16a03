"""Retelling a German clause of the first person: in the second to the user, in the third for the record. By rule."""

from __future__ import annotations

from edge_memory import lazy_re as re

_IRREGULAR = {
    "bin": ("bist", "ist"), "hab": ("hast", "hat"), "habe": ("hast", "hat"), "werde": ("wirst", "wird"),
    "will": ("willst", "will"), "kann": ("kannst", "kann"), "muss": ("musst", "muss"), "darf": ("darfst", "darf"),
    "soll": ("sollst", "soll"), "mag": ("magst", "mag"), "möchte": ("möchtest", "möchte"), "weiß": ("weißt", "weiß"),
    "esse": ("isst", "isst"), "fresse": ("frisst", "frisst"), "nehme": ("nimmst", "nimmt"), "lese": ("liest", "liest"),
    "sehe": ("siehst", "sieht"), "spreche": ("sprichst", "spricht"), "fahre": ("fährst", "fährt"),
    "schlafe": ("schläfst", "schläft"), "laufe": ("läufst", "läuft"), "trage": ("trägst", "trägt"),
    "gebe": ("gibst", "gibt"), "helfe": ("hilfst", "hilft"), "treffe": ("triffst", "trifft"),
    "vergesse": ("vergisst", "vergisst"), "trete": ("trittst", "tritt"), "werfe": ("wirfst", "wirft"),
    "halte": ("hältst", "hält"), "lasse": ("lässt", "lässt"), "lade": ("lädst", "lädt"), "falle": ("fällst", "fällt"),
    "backe": ("backst", "backt"), "tue": ("tust", "tut"), "vertrage": ("verträgst", "verträgt"),
    "verlasse": ("verlässt", "verlässt"), "unterhalte": ("unterhältst", "unterhält"), "sterbe": ("stirbst", "stirbt"),
    "wachse": ("wächst", "wächst"), "empfehle": ("empfiehlst", "empfiehlt"), "rate": ("rätst", "rät"),
    "aß": ("aßt", "aß"), "las": ("last", "las"), "saß": ("saßt", "saß"), "wusste": ("wusstest", "wusste"),
}  # fmt: skip
# Present forms that end like a past one ("wohnte").
_PRESENT_TE = re.compile(
    r"(?:arbeite|warte|heirate|miete|leite|reite|biete|bitte|streite|koste|teste|faste|taste|richte|achte|beobachte"
    r"|übernachte|unterrichte|berichte|fürchte|züchte|dichte|betrachte|verzichte|rechte|knete|bete|gestalte|halte"
    r"|erwarte|verarbeite|bearbeite|vermiete|begleite|starte|chatte|jogge)$"
)
_WORD = re.compile(r"[\w'-]+")
_SUBORDINATE = frozenset(
    "dass weil wenn ob als da obwohl damit bevor nachdem während seit bis falls sobald wo was wie wer wann".split()
)
_BEFORE_SUBJECT = frozenset("und aber oder denn doch sondern dann".split())
_MY = re.compile(r"(?P<of>mein|unser)(?P<ending>e[mnrs]?)?$", re.IGNORECASE)


def second_person(clause: str) -> str:
    """ "meine Schwester Jana wohnt bei mir" becomes "Deine Schwester Jana wohnt bei dir"."""
    swaps = {"ich": "du", "mir": "dir", "mich": "dich", "wir": "ihr", "uns": "euch"}

    def possessive(of: str, ending: str) -> str:
        return ("dein" if of == "mein" else "eur" if ending else "euer") + ending

    return _told(clause, 0, swaps, possessive)


def third_person(clause: str) -> str:
    """ "ich wohne mit meiner Frau in Köln" becomes "Der Nutzer wohnt mit seiner Frau in Köln"."""
    words = {word.lower() for word in _WORD.findall(clause)}
    of_user, of_us = "ich" in words, "wir" in words
    swaps = {
        "ich": "der Nutzer",
        "mir": "sich" if of_user else "dem Nutzer",
        "mich": "sich" if of_user else "den Nutzer",
        "wir": "der Nutzer und die Seinen",
        "uns": "sich" if of_us else "den Seinen des Nutzers",
    }

    def possessive(of: str, ending: str) -> str:
        if of_user or of_us:
            return ("sein" if of_user else "ihr") + ending
        return "des Nutzers"

    return _told(clause, 1, swaps, possessive)


def _told(clause: str, person: int, swaps: dict[str, str], possessive: object) -> str:
    assert callable(possessive)
    verbs = _verbs_of_speaker(clause)

    def swap(match: re.Match[str]) -> str:
        word, low = match[0], match[0].lower()
        if match.start() in verbs:
            return _plural(low, person) if verbs[match.start()] else conjugated(low, person)
        if low in swaps:
            return swaps[low]
        mine = _MY.match(low)
        return str(possessive(mine["of"], mine["ending"] or "")) if mine else word

    told = _WORD.sub(swap, clause).strip()
    return told[:1].upper() + told[1:]


def _verbs_of_speaker(clause: str) -> dict[int, bool]:
    """Where the finite verbs of "ich" and "wir" stand, and whether it is that of "wir"."""
    found: dict[int, bool] = {}
    for part in re.finditer(r"[^,;.!?]+", clause):
        words = [(part.start() + m.start(), m[0].lower()) for m in _WORD.finditer(part[0])]
        for place, (_, word) in enumerate(words):
            if word not in ("ich", "wir"):
                continue
            before = [low for _, low in words[:place]]
            if _SUBORDINATE & set(before[:2]):
                at = len(words) - 1
            elif before and before[-1] not in _BEFORE_SUBJECT:
                at = place - 1
            else:
                at = place + 1
            if 0 <= at < len(words) and at != place:
                found[words[at][0]] = word == "wir"
            break
    return found


def conjugated(verb: str, person: int) -> str:
    """The finite verb of "ich" as that of "du" (`person` 0) or "er" (1)."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb][person]
    if verb.endswith("te") and not _PRESENT_TE.search(verb):
        return (f"{verb}st", verb)[person]  # a past form
    if not verb.endswith("e"):
        return (f"{verb}{'est' if verb[-1] in 'td' else 't' if verb[-1] in 'sßzx' else 'st'}", verb)[person]
    stem = verb[:-1]
    if re.search(r"[^aeiouyäöühlr]l$", stem):
        stem = f"{stem[:-1]}el"  # "sammle"
    soft = stem[-1] in "td" or bool(re.search(r"[^aeiouyäöühlrmn][mn]$", stem))
    if person:
        return f"{stem}{'et' if soft else 't'}"
    return f"{stem}{'est' if soft else 't' if stem[-1] in 'sßzx' else 'st'}"


def _plural(verb: str, person: int) -> str:
    """The verb of "wir": as it is for "sie", of "ihr" without its ending."""
    if person:
        return verb
    irregular = {"sind": "seid", "haben": "habt", "werden": "werdet", "tun": "tut"}
    if verb in irregular:
        return irregular[verb]
    stem = verb.removesuffix("en") if verb.endswith("en") else verb.removesuffix("n")
    return f"{stem}et" if stem[-1:] in "td" else f"{stem}t"
