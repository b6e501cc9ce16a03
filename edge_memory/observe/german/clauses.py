"""German utterances cut into clauses that may state something, each brought into one order of words; the rest left out."""

from __future__ import annotations

from collections.abc import Iterator

from edge_memory import lazy_re as re
from edge_memory.observe.german.lexicon import KIN

_LEAD = re.compile(
    r"^(?:(?:hey|hallo|hi|na|also|ach|oh|ah|äh|ähm|ja|okay|ok|gut|so|nun|übrigens|weißt du(?: was)?(?=,)|du|hör mal|sag mal"
    r"|lo-?bug|und|aber|naja|na ja|doch|stell dir vor|ehrlich gesagt|eigentlich|leider|zum glück|danke"
    r"|ich (?:glaube|denke|meine|finde)(?=,? (?:ich|mein|dass ich))|(?:ich (?:wollte|muss|will) dir (?:noch )?(?:sagen|erzählen))"
    r"|du (?:sollst|musst|solltest) wissen|nur damit du es weißt|damit du es weißt|wie gesagt)[\s,:!.–-]+(?:dass\s+)?)+",
    re.IGNORECASE,
)
REMEMBER = re.compile(
    r"^(?:(?:bitte|kannst du|könntest du|würdest du|du sollst)\s+)*(?:dir\s+)?"
    r"(?:merk(?:e)? dir|merken|behalt(?:e)?(?: bitte)?|denk(?:e)? (?:bitte )?d(?:a)?ran|vergiss (?:bitte )?nicht"
    r"|notier(?:e)?(?: dir)?|schreib(?:e)? dir auf|präg(?:e)? dir ein|speicher(?:e)?)"
    r"(?:\s+(?:bitte|mal|für mich|dir|folgendes|das)\b)*\s*[:,]?\s*(?P<dass>dass\s+)?"
    r"(?!(?:mich|wo|was|wann|wie|wer|warum|zu|es|sie|ihn|daran)\b)(?=\S)",
    re.IGNORECASE,
)
_VERB_FIRST = (
    "bin|bist|ist|sind|seid|war|warst|waren|habe|hab|hast|hat|haben|hatte|hattest|kann|kannst|können|könntest|könnte"
    "|darf|dürfen|soll|sollte|sollten|sollen|muss|musst|müssen|will|willst|wollen|weißt|weiß|wird|wirst|werden|würdest"
    "|würde|magst|mag|gibt|geht|kennst|machst|möchtest|hätte|hättest|heiße|heißt|wohne|wohnt|arbeite|arbeitet|nehme"
    "|lebt|lebe|esse|isst|trinke|trinkt|erinnerst"
)
_QUESTION = re.compile(
    rf"^(?:(?:und|aber|also|sag mal|bitte|okay|hey)[\s,]+)*(?:(?:(?:in|an|mit|von|bei|für|seit|auf|um|aus|zu|gegen|als|ab|bis) )?"
    rf"(?:wer|was|wann|wo|woher|wohin|wogegen|womit|wofür|warum|wieso|weshalb|wie|wem|wen|wessen|welche[mnrs]?)\b"
    rf"|(?:{_VERB_FIRST})\s+(?:ich|du|er|sie|es|wir|ihr|man|das|der|die|mein\w*|dein\w*|unser\w*|noch|schon|heute|morgen)\b)",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"^(?:bitte\s+)?(?:mach|mache|spiel|spiele|stopp|stoppe|stell|stelle|schalt|schalte|sag|sage|erzähl|erzähle|zeig|zeige|gib"
    r"|lies|such|suche|finde|ruf|rufe|öffne|schließ|schließe|starte|start|weck|wecke|erinner|erinnere|wiederhole|hör|höre"
    r"|halt|halte|sing|übersetz|übersetze|rechne|erklär|erkläre|beschreib|lösch|lösche|vergiss|brich|dreh|drehe|dimm|dimme"
    r"|lauter|leiser|licht|musik|timer|wecker|bestell|bestelle|kauf|koch|hilf|warte|komm|geh|lass|lasse|schick|sende|schreib"
    r"|schreibe|lern|lerne|buchstabiere|nenn(?! mich)|nenne(?! mich)|empfiehl|schlag|plane|setz|setze|füge|füg|pausiere"
    r"|nächstes|weiter|aus|an|ruhe|sei)\b",
    re.IGNORECASE,
)
_STANDING = re.compile(r"\b(?:nie|niemals|immer|von nun an|ab jetzt|grundsätzlich)\b", re.IGNORECASE)
_SMALL_TALK = re.compile(
    r"^(?:(?:guten (?:morgen|tag|abend)|gute nacht|hallo|hi|hey|moin|servus|grüß gott|tschüss|tschüs|bis (?:bald|später|dann|morgen)"
    r"|auf wiedersehen|danke(?: schön| dir| sehr)?|vielen dank|bitte(?: schön)?|ja|nein|nee|doch|okay|ok|gut|prima|super|toll"
    r"|genau|klar|na klar|stimmt|alles klar|schön|mal sehen|egal|keine ahnung|wie geht es dir|wie geht's|ach so|lo-?bug)[\s,.!?]*)+$",
    re.IGNORECASE,
)
_ON_AIR = re.compile(
    r"\b(?:im (?:fernsehen|radio|film|podcast|hörbuch)|in der (?:serie|zeitung|werbung|sendung)|in den nachrichten|tagesschau"
    r"|meine (?:sehr (?:geehrten|verehrten) )?damen und herren|willkommen (?:zurück|bei)|der (?:moderator|sprecher|minister)"
    r"|die (?:moderatorin|sprecherin|ministerin)|nach der werbung|das wetter (?:für|am|in)|unsere (?:korrespondentin|reporterin)"
    r"|unser (?:korrespondent|reporter)|jetzt anrufen|hier ist (?:das erste|die tagesschau)|laut (?:einer|der) (?:studie|meldung))\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:sagte|sagt|sagten|meinte|meint|behauptet\w*|erzählte|erzählt|rief|schrieb|fragte|fragt)\b[^.]*[,:„\"»]\s*"
    r"|^[„\"»']|\bangeblich\b|\bes heißt,|\bman sagt\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:wäre|wären|hätte|hätten|würde|würden|könnte|könnten|vielleicht|stell dir vor|angenommen|tu so|nur ein witz|war ein scherz"
    r"|im traum|geträumt|früher einmal wollte)\b|^(?:wenn|falls|ob)\b",
    re.IGNORECASE,
)
_UNSAID = re.compile(
    r"^ich (?:weiß (?:nicht|es|das|ja|schon)|frage mich|glaube (?:nicht|schon)|verstehe|habe (?:eine|noch eine) frage|bin (?:mir )?(?:nicht )?sicher"
    r"|wollte (?:nur|mal)|will (?:nur|mal|wissen)|möchte (?:wissen|dass du|mal)|hätte gern|brauche (?:deine )?hilfe|rufe dich|höre(?: dich| zu)?$|hab's|hab es"
    r"|bin (?:da|hier|wieder da|gleich|zurück|fertig|bereit|müde|hungrig|durstig|satt|zu hause|daheim)\b|komme gleich|gehe jetzt"
    r"|habe (?:hunger|durst|lust|zeit|keine zeit|keine ahnung|recht|ja|doch)|danke|warte|sag|meine ja)",
    re.IGNORECASE,
)
_INSTRUCTS = re.compile(
    r"\b(?:ignorier\w*|missachte\w*|vergiss) (?:alle |deine |die |bisherigen |vorherigen )*(?:anweisung\w*|regeln|vorgaben|instruktion\w*)"
    r"|\b(?:du bist (?:ab jetzt|jetzt|nun|von nun an)|beende jede antwort|antworte (?:ab jetzt |immer |stets )*mit|füge (?:jeder|an jede) antwort"
    r"|jede deiner antworten|system ?prompt|entwicklermodus|in jeder antwort)\b",
    re.IGNORECASE,
)
_SUBJECT = rf"(?:ich|wir|(?:mein|unser)e?[nmrs]?\s+(?:[\w-]+\s+)?{KIN}\w*|(?:mein|unser)e?\s+[\w-]+)"
_CUT = re.compile(
    rf"(?:(?<!\d)[.!;]+\s+|\s*,?\s+(?:und|aber|doch|denn)\s+(?=(?:ich (?!(?:sind|haben|waren|wohnen|leben|gehen|fahren)\b)|wir |er |sie |es |mein |meine |unser |unsere |der |die |das )\w)"
    rf"|,\s+(?=(?:{_SUBJECT}|er|sie|es|die heißt|der heißt|das heißt)\s)|\s+(?:und|aber)\s+(?=(?:jetzt|seit|gestern|heute|morgen|außerdem)\s+\w+\s+(?:ich|wir)\b))",
    re.IGNORECASE,
)
_SHARED_SUBJECT = re.compile(
    r"^(?P<head>(?P<subject>ich|wir|er|sie|(?:mein|unser)e?\s+[\w-]+(?:\s+(?-i:[A-ZÄÖÜ])[\w-]+)?)\s+.+?)\s+und\s+"
    r"(?P<tail>(?:bin|ist|habe|hat|haben|sind|wohne|wohnt|lebe|lebt|arbeite|arbeitet|heiße|heißt|mag|liebe|liebt|hasse|hasst|trinke|trinkt|esse|isst"
    r"|spiele|spielt|verträgt|trägt|kocht|geht|macht|kann|hört|liest|sammelt|backt|reitet|schwimmt|wandert|gehe|mache|höre|lese|sammle|koche|lerne|lernt|fahre|fährt|nehme|nimmt|komme|kommt|studiere|studiert)\s+.+)$",
    re.IGNORECASE,
)
_FRONTED = re.compile(
    rf"^(?P<front>(?!(?:ich|wir|er|sie|es|das|der|die|mein\w*|unser\w*)\b)[\w-]+(?:\s+[\w.-]+){{0,4}}?)\s+"
    rf"(?P<verb>[\w]+)\s+(?P<subject>ich|wir|(?:mein|unser)e?\s+{KIN}(?:\s+(?-i:[A-ZÄÖÜ])[\w-]+)?)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_NO_VERB = frozenset("und oder dass weil wenn als ob wie aber denn".split())


def cleaned(utterance: str) -> str:
    """Without what only opens it."""
    plain = " ".join(utterance.replace("\u2019", "'").split())
    return _LEAD.sub("", plain) if not _SMALL_TALK.match(plain) else plain


def asks(utterance: str) -> bool:
    """Whether something is asked, with a question mark or, as speech recognition writes it, without."""
    return utterance.rstrip().endswith("?") or bool(_QUESTION.match(cleaned(utterance)))


def states_nothing(utterance: str) -> bool:
    """Questions, commands, small talk, the television, what others say, and what would take the companion over."""
    plain = cleaned(utterance)
    return bool(
        not plain
        or asks(utterance)
        or _SMALL_TALK.match(utterance.strip())
        or (_COMMAND.match(plain) and not _STANDING.search(plain))
        or _ON_AIR.search(plain)
        or _HEARSAY.search(plain)
        or instructs(plain)
    )


def instructs(utterance: str) -> bool:
    """Whether it tells an assistant how to talk from now on."""
    return bool(_INSTRUCTS.search(utterance))


def clauses_of(utterance: str) -> Iterator[str]:
    """The clauses, each with its subject first and without what only opens it."""
    for piece in _CUT.split(cleaned(utterance)):
        clause = _LEAD.sub("", piece.strip(" ,.!;"))
        shared = _SHARED_SUBJECT.match(clause)
        parts = [shared["head"], f"{shared['subject']} {shared['tail']}"] if shared else [clause]
        yield from (in_order(part.strip(" ,")) for part in parts if part.strip(" ,"))


def in_order(clause: str) -> str:
    """ "Seit Mai wohne ich in Köln" becomes "ich wohne seit Mai in Köln"."""
    match = _FRONTED.match(clause)
    if match is None or match["verb"].lower() in _NO_VERB:
        return clause
    front = match["front"]
    front = front if front.split()[0].istitle() and not _IS_ADVERB.match(front) else front[:1].lower() + front[1:]
    return f"{match['subject']} {match['verb']} {front}{match['rest']}"


_IS_ADVERB = re.compile(
    r"(?:jetzt|seit|gestern|heute|morgen|vorgestern|übermorgen|nächste|letzte|am|im|in|zum|nach|vor|früher|manchmal|inzwischen"
    r"|mittlerweile|abends|morgens|mittags|meistens|außerdem|immer|oft|bei|mit|auf|an|von|gerne?|seitdem|leider|zurzeit|dort|hier)\b",
    re.IGNORECASE,
)


def from_subordinate(clause: str) -> str:
    """ "ich am Montag frei habe", as said after "dass", becomes "ich habe am Montag frei"."""
    words = clause.split()
    lengths = {"ich": 1, "wir": 1, "er": 1, "sie": 1, "es": 1}
    subject = lengths.get(words[0].lower()) if words else None
    if subject is None:
        subject = 3 if len(words) > 3 and words[2][:1].isupper() and re.match(rf"{KIN}$", words[1], re.I) else 2
    if len(words) < subject + 2:
        return clause
    return " ".join([*words[:subject], words[-1], *words[subject:-1]])


def is_unreal(clause: str) -> bool:
    return bool(_UNREAL.search(clause) or _UNSAID.match(clause))
