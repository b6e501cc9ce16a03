"""Cutting an utterance into clauses that can be judged one by one."""

from __future__ import annotations

from edge_memory import lazy_re as re
from edge_memory.observe.english.appositions import ages_apart
from edge_memory.observe.english.inflection import is_irregular_past
from edge_memory.observe.english.lexicon import ACTIVITY, DAY, KIN, KIN_OR_PET, NOT_A_NAME, VERB_WORDS
from edge_memory.observe.english.prohibitions import forbidding

_SENTENCE_END = re.compile(
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)(?<!\bvs\.)(?<=[.!?;])\s+|\n+", re.IGNORECASE
)
_SUBJECT = (
    r"(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|we'll|our|he|she|they|he's|she's|they're|he'll|she'll|his|her|their|it's"
    r"|there's|(?:mum|mom|mam|dad|gran|nan|grandma|grandad|grandpa|auntie)(?:'s)?|(?-i:[A-Z]\w+)(?:'s)?)"
)
_THEY_ARE_CALLED = r"(?:(?:he|she|it|they)(?:'s|'re| is| are)|their names are|his name|her name)\b"
_FORBIDDEN_DEED = (
    r"(?:tell|mention|say|ring|call|phone|wake|play|let|give|offer|ask|put|turn|buy|order|send|read|suggest|talk|leave"
    r"|open|close|touch|feed|use|lend|share|switch|move|lock|unlock|book|invite|answer|serve|cook|bring|pour|fill|mix)"
)
_ORDER_ABOUT_THEM = rf"(?:please )?(?:never|don't|do not)(?: ever)? {_FORBIDDEN_DEED} (?:him|her|them)\b"
_NO_VERB = r"(?:and|or|to|in|at|on|for|with|from|of|near|by|as|but|too|called|named)\b"
# "..., I ..." and "... and I ..." begin a new clause; "bread and butter" and "Leo, Mia and Tom" do not.
_NEW_SUBJECT = re.compile(
    rf"\s*(?:,\s*(?:and|but|so|because|cos)?|\s(?:and|but|so|because|cos))\s+(?:(?=(?:(?:now|then) )?{_SUBJECT}\s+"
    rf"(?!{_NO_VERB})[a-z'])"
    rf"|(?=(?:he|she|they|we|i)\s+and\s+(?:(?:my|his|her|their)\s+)?\w+\s+[a-z'])"
    rf"|(?={_THEY_ARE_CALLED})|(?=(?:please )?(?:just )?call me (?!back\b|later\b|when\b|at\b|if\b|an?\b)\w)"
    r"|(?=(?:the|my|our)\s+(?:[\w-]+\s+){1,3}(?:is|are)\s+(?:called|named)\s)|(?=an?\s+\w+\s+(?:called"
    r"|named)\s+\w+\s+(?:is|has|was|had|will|lives|took|got)\s)"
    rf"|(?=(?:(?:the|my|our) )?(?:{ACTIVITY}|rent|bill|insurance|mortgage|appointment|key) (?:is|are|starts|ends"
    r"|finishes|costs|expires|runs out|comes|gets)\s)"
    rf"|(?<=so )(?=(?:please )?(?:don't|do not|never) (?:you )?(?:ever )?{_FORBIDDEN_DEED}\s)"
    rf"|(?<=and )(?={_ORDER_ABOUT_THEM})"
    rf"|(?<=, )(?=(?:please )?(?:(?:don't|do not) (?:ever )?(?=(?:let|give|feed|put|open|touch|leave|use)\b)"
    rf"|(?:(?:don't|do not) ever|never) ){_FORBIDDEN_DEED}\s)"
    r"|(?=(?:the|my|our)\s+(?:[\w-]+\s+){0,2}(?:man|woman|lady|guy|plumber|electrician|cleaner|gardener|vet|dentist"
    r"|doctor|landlord|landlady|driver|nurse) is\s)"
    r"|(?<=so )(?=(?:the|my|our)\s+(?:[\w-]+\s+){1,3}?(?:is|are|was|meets|starts|has|have|will|goes|comes"
    r"|costs|closed|died)\s)"
    r"|(?=(?:mum|mom|mam|dad|gran|nan|grandma|grandad|grandpa)'s\s)"
    rf"|(?=(?:i'm|i've|we're|we've|he's|she's|they're|they've|(?:the|my|our) new \w+"
    rf")\s))",
    re.IGNORECASE,
)
_OWN_HABIT = re.compile(_ORDER_ABOUT_THEM, re.IGNORECASE)
_OF_ONESELF = re.compile(r"(?:i|i'm|i've|we|we're|we've)\s", re.IGNORECASE)
# What a verb of a clause of its own is followed by; in "the keys they lost", nothing follows it.
_OBJECT = r"(?:it|my|our|him|her|his|them|their|the|an?|to|too|so|on|in|at|into|with|up|another|some)\b"
_FIRST_PERSON_VERB = (
    r"(?:see|saw|go|went|got|get|do|did|sold|bought|changed|left|lost|found|took|started|stopped|quit|gave|give|joined"
    r"|opened|started|moved|worked|[a-z]{3,}ed|switched|sing|swim|run|cook|bake|speak|teach|study|need|want|keep"
    r"|put|moved|broke|had|was|can't|don't|cannot)"
)
# A recogniser writes no commas: a pronoun with its verb after a finished clause begins another.
_UNMARKED = re.compile(
    r"(?<=any more)\s+(?=(?:i|we|he|she|it|they|the|my|our)\b)|(?<=\w)\s+like\s+(?=(?:if|when)\s)"
    r"|(?<=\w)\s+(?=(?:it's|it turns out|they're|now (?:i|we|he|she|they|it|it's|he's|she's|they're|i'm|we're)"
    r"|my favou?rite)\s+\w)|(?<=\w)\s+(?=(?:he's|she's|i'm"
    r"|i've|we're|we've)\s+\w|(?:he|she)\s+(?:is|was|has|had|works|lives|stays|likes|loves"
    r"|hates|plays|drives"
    r"|joined|got|took|went|left|bought|sold|found|became|quit|gave|married|came|met|lost|won|retired"
    r"|comes|does|helps|makes|collects|visits|phones|calls|cleans|looks|teaches|goes|takes|studies|moved|started"
    r"|wants|needs|can't|doesn't|speaks|keeps|runs|sings|knits|bakes|only|just"
    r"|also|now|never|always)\s+\w|(?:i|we)\s+(?:live|work|like|love|hate|prefer|have|drive|am|are|moved|used|play"
    r"|take)\s+\w"
    r"|(?:everybody|everyone)(?:\s+(?:all|just))?\s+calls\s+(?:him|her|me)\s"
    rf"|(?:his|her)\s+{KIN}\s+(?:is|was|has|does|did|took|takes|lives|works|got|came|moved|runs|looks|will|can)\s"
    r"|(?:his|her|its)\s+(?:name(?:'s)?|birthday)\s|there's\s+an?\s|the\s+[\w-]+\s+(?:don't|doesn't|isn't|won't)\s+\w"
    r"|i\s+call\s+(?:him|her|it)\s+\w+$|(?:the|my|our)\s+new\s+[\w-]+\s+(?:is|was|has)\s"
    r"|its\s+(?=(?:now|zero|one|two|three|four|five|six|seven|eight|nine|\d)\b)"
    r"|(?:my|our)\s+[a-z]+\s+(?:is|are|hurts?|aches?|broke|died|got)\s"
    rf"|(?:my|our)\s+{KIN}\s+(?:is|was|has|had|bought|took|got|gave|lives|works|moved|came|went|does|says|can't"
    rf"|doesn't|sold)\s"
    rf"|they\s+(?!are\b|were\b)[a-z]+\s+{_OBJECT}|(?:i|we)\s+{_FIRST_PERSON_VERB}\s+{_OBJECT})", re.IGNORECASE,
)  # fmt: skip
# The same of any verb, where the words before are a sentence: "my name is Ada I sew", but not "the man she married".
_RUN_ON = re.compile(
    r"(?<=\w)\s+(?=(?:i|we|he|she|they)\s+(?!and\b|or\b|to\b|too\b|both\b|all\b|is$)(?:(?:have|has|had|are|is|was"
    r"|were|will)\s+)?(?P<verb>[a-z']{2,})\s+(?P<next>[\w']+)"
    r"|the\s+[\w-]+\s+(?P<its>is|was|are|were|has|wants|wanted|needs|says|[a-z]{3,}ed)\s+\w)",
    re.IGNORECASE,
)
_QUOTES = frozenset(
    "says said say saying tells told asks asked thinks thought like goes reckons swears shouted".split()
)
_DETERMINERS = frozenset("a an the my our his her their this that these those all every each any some no".split())
_OWN_OBJECT = frozenset("me him them us it my our his her their the a an".split())
_FEELS = frozenset(
    """glad happy sure sorry afraid worried proud pleased certain hoping lucky sad amazed surprised relieved angry cross
    annoyed convinced positive scared told promised heard bet swear realised noticed remember suppose forget forgot
    remembered felt found see saw here there both us them whatever whoever wherever once the a an my our his her and or
    not never always just also still than am is are was were do does did will can""".split()
)
# "It's the third she's coming" is one clause.
_ONLY_WHEN = re.compile(
    rf"it(?:'s| is)(?: now)? (?:the (?:\w+[ -])?(?:first|second|third|\w+th|\d+(?:st|nd|rd))(?: of \w+)?|{DAY}|tomorrow"
    r"|next \w+)",
    re.IGNORECASE,
)
_GOVERNS = frozenset(
    """that if when because so and but as since until after before while what where how who which whether think know say
    said told than although though unless whenever hope wish believe mean guess feel where all everything anything
    something nothing things thing way time place one reason first time day night week year
    have changed different new moved like for
    cause cos to with of in at on says saying tells thinks thought reckons believes hopes wishes knows heard
    is are was were isn't aren't wasn't weren't""".split()
)
_SAYS_ALL = frozenset("retired died emigrated resigned".split())
_TOLD_TO = frozenset("me him her them us you".split())
_TELLS = frozenset(
    """told tells tell telling promised reminded warned asked to gave give gives show showed shows sent made makes let
    means asks assured said""".split()
)
_LEAD_IN = re.compile(
    r"^(?:(?:it turns out(?: that)?|turns out(?: that)?|wait,? no|no,? wait|oh wait|and|but|so|then|well|oh|ok|okay"
    r"|right|um+|uh+|er+|hey|hi|hello|yo|actually|by the way|you know|i mean|sorry"
    r"|please|also|look|huh|eh|between you and me|between us|what(?=,? no\b)"
    r"|listen|just so you know|for the record|fyi|no(?! (?:more|one)\b)(?! (?!(?:i|we|he|she|it|they|my|our"
    r"|his|her|the|that|this|not|a|an)\b)[\w-]+(?: [\w-]+){0,4}? (?:when|whenever|while|after|before"
    r"|during|until|past|on|in|inside|indoors|under|at|for)\b)|yes|yeah|yep"
    r"|anyway|basically|honestly|apparently|luckily|thankfully|fortunately|surprisingly|plus"
    r"|because|cos|cause"
    r"|aight|alright|oh yeah|lol|lmao|omg|bruh|bro|dude|ngl|tbh|haha"
    r"|correction|my mistake|oops|scrap that|scratch that|strike that|never mind(?! (?:about )?\w+ing\b)"
    r"|i think|i reckon"
    r"|i guess|i believe|i"
    r" suppose|lobug|lo-bug|one more thing"
    r"|another thing|as i said|like i said"
    r"|see)\b[,\s]+)+(?!of\b)",
    re.IGNORECASE,
)
_NAMES_ONLY = re.compile(
    rf"^\s*(?:(?:my|our)\s+(?:\w+\s+)?{KIN_OR_PET}(?:\s+[\w-]+)?|me|i|(?-i:[A-Z])[\w-]+|(?!yes|no|so"
    rf"|well)[\w-]+)\s*$",
    re.IGNORECASE,
)
_SAME_VERB_AFTER_NAME = re.compile(r"^(?:[A-Z]\w+)(?:\s+[A-Z]\w+)*$")
FINITE = (
    r"(?:lives?|works?|likes?|loves?|hates?|plays?|goes|teaches|drives?|speaks?|studies|moved|has|have|prefers?"
    r"|runs?|keeps?"
    r"|enjoys?|needs?|wants?|takes?|can't|doesn't|don't|is|am|was|used to|started|collects?|knits|sings?|never|always"
    r"|still"
    r"|usually|also|now|got|bought|sold|took|left|lost|gave|found|joined|became|went|quit|stopped|switched"
    r"|changed|closed|signed|picked|broke|adopted|traded"
    r"|booked|rented|made|put|carries|wears|uses|owns|rides|eats|drinks|stays|helps|cleans|cooks|looks|grows|makes"
    r"|sleeps)"
)
_SECOND_NAME = re.compile(
    rf"\s+(?:and|but)\s+(?=(?P<name>[a-z][\w-]+)(?:'s)?\s+(?P<verb>{FINITE}|is)\s)", re.IGNORECASE
)
_SHORTEST_CLAUSE = 3
_PLURAL_VERBS = frozenset("are were have do hurts aches barks".split())
_PEOPLE_LIST = re.compile(
    rf"\s*,?\s+and\s+(?=(?:my|our)\s+(?:\w+\s+)?{KIN}(?:\s+[\w-]+)?\s+(?:is|was|has|works|lives|likes)\b)"
    r"|\s*,?\s+and\s+(?=the\s+(?:password|passcode|code|pin|number|combination)(?:'s|\s+is)\s)",
    re.IGNORECASE,
)


def split_clauses(text: str) -> list[str]:
    """The clauses of an utterance in order, without end marks. Never empty strings."""
    clauses: list[str] = []
    for sentence in _SENTENCE_END.split(text.replace("\u2019", "'").strip()):
        plain, ages = ages_apart(sentence)
        clauses.extend([*_split_sentence(plain), *ages])
    return [forbidding(clause) for clause in clauses]


def strip_lead_in(clause: str) -> str:
    """Without the words that people start with and that say nothing ("well", "by the way")."""
    return _LEAD_IN.sub("", clause).strip()


def _split_sentence(sentence: str) -> list[str]:
    question = sentence.rstrip().endswith("?")
    rough = [part for piece in _at_new_subjects(sentence) for part in _PEOPLE_LIST.split(piece)]
    rough = _rejoin(rough)
    parts = [
        part.strip(" ,.!?;") for piece in rough for finer in _split_unmarked(piece) for part in _split_names(finer)
    ]
    parts = [part for part in parts if part and not _SAME_VERB_AFTER_NAME.match(part)] or [sentence.strip(" ,.!?;")]
    if question:
        parts[-1] += "?"
    return [part for part in parts if part.strip("?")]


def _at_new_subjects(sentence: str) -> list[str]:
    """ "Ann and I sing" stays whole: before its "and" is no verb. "I sing and never let him" is no order."""
    parts, start = [], 0
    for match in _NEW_SUBJECT.finditer(sentence):
        if "and" in match[0] and _NAMES_ONLY.match(sentence[start : match.start()].rpartition(",")[2]):
            continue
        if _OWN_HABIT.match(sentence, match.end()) and _OF_ONESELF.match(sentence, start):
            continue
        parts.append(sentence[start : match.start()])
        start = match.end()
    return [*parts, sentence[start:]]


def _rejoin(pieces: list[str]) -> list[str]:
    """ "our two kids" is no clause: it belongs to the piece before it."""
    joined: list[str] = []
    for piece in pieces:
        words = piece.lower().strip(" ,.!?;").split()
        owned = bool(words) and words[0] in ("my", "our", "his", "her", "their") and len(words) <= _SHORTEST_CLAUSE
        if joined and owned and not set(words) & (VERB_WORDS | _PLURAL_VERBS):
            joined[-1] += f" and {piece.strip()}"
        else:
            joined.append(piece)
    return joined


def _split_unmarked(piece: str) -> list[str]:
    """Where one clause runs into the next without a mark, but not where a word like "that" governs the second."""
    parts, start = [], 0
    for match in _UNMARKED.finditer(piece):
        before = piece[start : match.start()].split()
        last = before[-1].lower().strip(",") if before else ""
        told = last in _TOLD_TO and len(before) > 1 and before[-2].lower() in _TELLS
        whole = len(before) >= _SHORTEST_CLAUSE or (len(before) == 2 and last in _SAYS_ALL)
        whole = whole and not _ONLY_WHEN.fullmatch(" ".join(before))
        if whole and last not in _GOVERNS and not told and not _asks(before[0]):
            parts.append(piece[start : match.start()])
            start = match.end()
    return [own for part in [*parts, piece[start:]] for own in _split_run_on(part)]


def _split_run_on(piece: str) -> list[str]:
    """Where a second sentence follows a whole one without a mark."""
    for match in _RUN_ON.finditer(piece):
        before = piece[: match.start()].lower().replace(",", "").split()
        has_verb = any(word in VERB_WORDS or is_irregular_past(word) for word in before[1:-1])
        own = before[:1] in (["i"], ["we"], ["i'm"], ["i've"], ["we're"], ["we've"]) or has_verb
        if not own or len(before) < _SHORTEST_CLAUSE or before[-1] in _GOVERNS | _FEELS or _asks(before[0]):
            continue
        if not _QUOTES.isdisjoint(before):
            continue
        if before[-2] in _DETERMINERS and match["next"] not in _OWN_OBJECT:
            continue
        return [piece[: match.start()], *_split_run_on(piece[match.end() :])]
    return [piece]


def _asks(word: str) -> bool:
    return word.lower() in (
        "what",
        "when",
        "where",
        "who",
        "why",
        "how",
        "which",
        "do",
        "does",
        "did",
        "is",
        "if",
        "when",
    )


def _split_names(piece: str) -> list[str]:
    """ "mia is seven and leo is four" as a recogniser writes it."""
    for match in _SECOND_NAME.finditer(piece):
        before = piece[: match.start()]
        if match["name"].lower() not in NOT_A_NAME and set(before.lower().split()) & VERB_WORDS:
            return [before, *_split_names(piece[match.end() :])]
    return [piece]
