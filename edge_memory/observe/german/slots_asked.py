"""Which slots a German noun or question asks for: "wo wohne ich", "meine Adresse", "wie alt ist Mia"."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.slots import normal_key
from edge_memory.observe.german.lexicon import ATTRIBUTES, KIN, KIN_OF, PET

_MY = r"(?:mein|unser)(?:e|en|em|er|es)?"
_WHO = rf"(?P<who>ich|wir|{_MY} (?P<kin>{KIN}|{PET})(?: [\w-]+)?|(?-i:[A-ZÄÖÜ])[\w-]+)"
_ROWS: tuple[tuple[str, str], ...] = (
    (r"(?:wie )?(?:heiße ich|ich heiße)|(?:wie|was) (?:ist|lautet|war) mein name|(?:mein(?:en)? )name[n]?|wer (?:bin ich|ich bin)", "user.name"),
    (r"wie (?:soll|sollst) (?:ich|du) (?:mich|dich) nennen|wie nennst du mich", "user.nickname user.name"),
    (rf"wo (?:wohnt|wohne|wohnen|lebt|lebe|leben) (?:noch )?{_WHO}|wo {_WHO} (?:wohnt|wohne|wohnen|lebt|lebe|leben)", "{who}.home"),
    (rf"(?:{_MY} )?(?:adresse|anschrift|wohnort)|wo (?:bin ich|ist) zu hause|in welche[rm] (?:stadt|ort|dorf) (?:wohne|lebe) ich", "user.address user.home"),
    (rf"(?:wo|bei wem|für wen|bei welcher firma) (?:arbeitet|arbeite|arbeiten) {_WHO}|wo {_WHO} (?:arbeitet|arbeite)|(?:{_MY} )?(?:arbeitgeber|firma|arbeitsplatz)|wer ist mein arbeitgeber", "{who}.employer {who}.occupation"),
    (rf"(?:was|als was) (?:bin|ist|arbeitet|arbeite|mache|macht) {_WHO}(?: von beruf| beruflich)?|(?:was|wie) ist {_MY} beruf|(?:{_MY} )?(?:beruf|job)|welchen beruf (?:habe|hat) {_WHO}", "{who}.occupation {who}.employer"),
    (rf"wann (?:habe|hat|haben) {_WHO} geburtstag|wann (?:bin|ist) {_WHO} geboren|wann ist {_MY} geburtstag|(?:{_MY} )geburtstag|an welchem tag (?:habe|hat) {_WHO} geburtstag", "{who}.birthday {who}.birth_year"),
    (rf"wann ist (?:der )?geburtstag (?:von )?meine[rs] (?P<kin>{KIN})", "{who}.birthday"),
    (r"wann ist (?P<who>[\w-]+?)s geburtstag", "{who}.birthday"),
    (r"wo bin ich geboren", "user.birthplace"),
    (r"wann ist (?:mein|unser) hochzeitstag", "user.anniversary"),
    (rf"wie alt (?:bin|ist|sind|wird) {_WHO}|(?:mein )alter", "{who}.age"),
    (rf"(?:wie|was) (?:heißt|heisst|heißen) {_MY} (?P<what>{KIN})|wer (?:ist|sind) {_MY} (?P<what>{KIN})|wie ist der name meine[rs] (?P<what>{KIN})", "user.{what}"),
    (rf"(?:wie|was) (?:heißt|heisst|heißen) {_MY} (?P<pet>{PET})\w?|welche (?:haus)?tiere (?:habe|haben) (?:ich|wir)|(?:habe|haben) (?:ich|wir) (?:ein )?haustiere?", "user.pet"),
    (r"(?:wogegen|worauf|gegen was|auf was) (?:bin|ist|reagiere|reagiert) (?P<who>ich|[\w -]+?) allergisch|welche allergien? (?:habe|hat) (?P<who>ich|[\w -]+?)|was (?:vertrage|verträgt) (?P<who>ich|[\w -]+?) nicht|meine? allergien?", "{who}.allergy"),
    (r"was (?:darf|soll|kann) (?P<who>ich|[\w -]+?) nicht (?:essen|trinken|haben|nehmen)", "{who}.allergy {who}.cannot_have {who}.diet"),
    (r"(?:welche|was für) (?:medikamente|tabletten|medizin|mittel) (?:nehme|nimmt|brauche|braucht) (?P<who>ich|[\w -]+?)(?: ein)?|meine (?:medikamente|tabletten)", "{who}.medicine_*"),
    (r"was (?:mag|esse|isst|trinke|trinkt) (?P<who>ich|[\w -]+?) (?:nicht|gar nicht|ungern)|was (?:hasse|hasst) (?P<who>ich|[\w -]+?)", "{who}.dislikes {who}.cannot_have"),
    (r"(?:was|welches \w+) (?:mag|esse|isst|trinke|trinkt|höre|hört|lese|liest|liebe|liebt) (?P<who>ich|[\w -]+?)(?: gerne?| am liebsten)?|was schmeckt mir", "{who}.likes {who}.prefers"),
    (rf"(?:was|wie|welches) (?:ist|sind|heißt) {_MY} (?P<what>lieblings[\w-]+)|{_MY} (?P<what>lieblings[\w-]+)", "user.{what}"),
    (r"(?:welche sprache|was|welche sprachen) (?:lerne|lernt|studiere|studiert) (?P<who>ich|[\w -]+?)", "{who}.learning"),
    (r"(?:welches instrument|was|welchen sport) (?:spiele|spielt) (?P<who>ich|[\w -]+?)", "{who}.plays"),
    (r"welche sprachen? (?:spreche|spricht) (?P<who>ich|[\w -]+?)", "{who}.speaks"),
    (r"(?:welches|was für ein) (?:auto|rad|fahrrad) (?:fahre|fährt|habe|hat) (?P<who>ich|[\w -]+?)", "{who}.car"),
    (r"mit wem bin ich (?:verheiratet|zusammen|verlobt)", "user.married_to user.wife user.husband user.partner"),
    (r"(?:wie viel|was) verdiene ich|mein gehalt|wie hoch ist mein gehalt", "user.salary"),
    (rf"(?:(?:wie|was) (?:ist|lautet|war) )?{_MY} (?P<what>{'|'.join(sorted(ATTRIBUTES, key=len, reverse=True))})", "user.{what}"),
)  # fmt: skip
_GROUP = re.compile(r"\(\?P<(\w+)>")


def _numbered(pattern: str) -> re.Pattern[str]:
    """Compiled; a group of one name may stand in each alternative."""
    count = iter(range(pattern.count("(?P<")))
    return re.compile(_GROUP.sub(lambda match: f"(?P<{match[1]}_{next(count)}>", pattern), re.IGNORECASE)


_ASKED = tuple((_numbered(pattern), keys.split()) for pattern, keys in _ROWS)


def slots_named(text: str) -> tuple[str, ...]:
    """Keys, best first, of what a noun or a question names without the words in which it may have been told; a key may
    end in "*". Empty for anything else.
    """
    plain = text.strip(" ?.!,")
    for pattern, keys in _ASKED:
        match = pattern.fullmatch(plain)
        if match:
            groups = {name.partition("_")[0]: group for name, group in match.groupdict().items() if group}
            what = groups.get("what", "")
            what = KIN_OF.get(what.lower()) or ATTRIBUTES.get(what.lower()) or what
            return tuple(_plain(key.format(who=_subject(groups), what=what)) for key in keys)
    return ()


def _subject(groups: dict[str, str]) -> str:
    said = groups.get("who", "")
    kin = groups.get("kin") or next((word for word in said.lower().split() if word in KIN_OF), "")
    if said.lower() in ("", "ich", "wir") and not kin:
        return "user"
    named = [word for word in said.split() if word[:1].isupper() and word.lower() not in KIN_OF]
    return named[-1] if named else KIN_OF.get(kin.lower(), kin or said)


def _plain(key: str) -> str:
    for umlaut, spelled in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        key = key.lower().replace(umlaut, spelled)
    return f"{normal_key(key[:-1])}_*" if key.endswith("*") else normal_key(key)
