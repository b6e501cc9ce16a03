"""Closed word classes of German that the rules share. Kin words stand for the English ones that name slots."""

from __future__ import annotations

_KIN_ROWS = {
    "wife": "frau ehefrau gattin",
    "husband": "mann ehemann gatte",
    "partner": "partner partnerin lebensgefährte lebensgefährtin",
    "fiance": "verlobter verlobte verlobten",
    "girlfriend": "freundin",
    "friend": "freund kumpel",
    "mother": "mutter mama mami mutti",
    "father": "vater papa papi vati",
    "sister": "schwester",
    "brother": "bruder",
    "daughter": "tochter",
    "son": "sohn",
    "child": "kind baby",
    "grandmother": "großmutter oma omi",
    "grandfather": "großvater opa opi",
    "aunt": "tante",
    "uncle": "onkel",
    "cousin": "cousin cousine vetter kusine",
    "niece": "nichte",
    "nephew": "neffe neffen",
    "grandson": "enkel enkelsohn",
    "granddaughter": "enkelin enkeltochter",
    "mother-in-law": "schwiegermutter",
    "father-in-law": "schwiegervater",
    "sister-in-law": "schwägerin",
    "brother-in-law": "schwager",
    "neighbour": "nachbar nachbarin nachbarn",
    "boss": "chef chefin",
    "colleague": "kollege kollegin kollegen",
    "doctor": "arzt ärztin hausarzt hausärztin",
    "dentist": "zahnarzt zahnärztin",
    "teacher": "lehrer lehrerin",
    "flatmate": "mitbewohner mitbewohnerin",
    "landlord": "vermieter vermieterin",
    "cleaner": "putzfrau putzhilfe",
    "ex": "ex",
}
_KIN_BESIDE = {"stief": "step", "halb": "half-", "zwillings": "twin-", "paten": "god", "pflege": "foster-", "": ""}
KIN_OF = {
    f"{prefix}{word}": f"{beside}{kin}"
    for prefix, beside in _KIN_BESIDE.items()
    for kin, row in _KIN_ROWS.items()
    for word in row.split()
}
_PLAIN_KIN = sorted((word for row in _KIN_ROWS.values() for word in row.split()), key=len, reverse=True)
KIN = f"(?:(?:{'|'.join(filter(None, _KIN_BESIDE))})?(?:{'|'.join(_PLAIN_KIN)}))"
PETS = (
    "hund hündin welpe katze kater kätzchen kaninchen hase hamster meerschweinchen wellensittich papagei kanarienvogel"
    " vogel fisch goldfisch schildkröte pferd pony huhn henne ziege schlange ente maus ratte"
).split()
PET = "(?:" + "|".join(sorted(PETS, key=len, reverse=True)) + ")"
HE = frozenset(
    "mann ehemann gatte partner lebensgefährte verlobter freund kumpel vater papa papi vati bruder sohn großvater opa"
    " opi onkel cousin vetter neffe enkel schwiegervater schwager nachbar chef kollege arzt hausarzt zahnarzt lehrer"
    " mitbewohner vermieter hund welpe kater hamster wellensittich papagei kanarienvogel vogel fisch goldfisch"
    " hase".split()
)
IT = frozenset("kind patenkind stiefkind baby kätzchen kaninchen meerschweinchen pferd pony huhn".split())

WEEKDAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
MONTHS = (
    "januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
    "dezember",
)  # fmt: skip
_UNITS = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn".split()
_TENS = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
NUMBERS: dict[str, int] = (
    {word: number for number, word in enumerate(_UNITS)}
    | {"sechzehn": 16, "siebzehn": 17, "achtzehn": 18, "neunzehn": 19, "zwo": 2}
    | {word: 20 + 10 * place for place, word in enumerate(_TENS)}
    | {
        f"{'ein' if unit == 1 else _UNITS[unit]}und{word}": 20 + 10 * place + unit
        for place, word in enumerate(_TENS)
        for unit in range(1, 10)
    }
)
NUMBER = r"(?:\d+|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
ONE = frozenset("ein eine einen einem einer eines".split())

# What is never a name, though it stands where one may.
NOT_A_NAME = frozenset(
    """ich du er sie es wir ihr man der die das den dem ein eine einen einem einer mein meine dein deine sein
    seine unser und oder aber nicht kein keine auch noch schon jetzt heute morgen gestern hier da dort so sehr
    ganz nur immer nie bin bist ist sind war hat habe haben wird werde kann muss soll will in im am an auf aus
    bei mit nach von vor zu zum zur für um gut alt neu allergisch krank müde jahre""".split()
) | set(NUMBERS) | set(WEEKDAYS) | set(MONTHS) | set(KIN_OF) | set(PETS)  # fmt: skip


def number_of(word: str) -> int | None:
    """The number that a word or digits tell; None for what is none."""
    low = word.lower()
    if low.isdigit():
        return int(low)
    return 1 if low in ONE else NUMBERS.get(low)


# What slots are called where risk goes by their names.
ATTRIBUTES = {
    "telefonnummer": "phone", "handynummer": "phone", "nummer": "phone", "adresse": "address", "anschrift": "address",
    "kontonummer": "bank account", "iban": "iban", "versichertennummer": "insurance", "steuernummer": "tax number",
    "e-mail": "email", "e-mail-adresse": "email", "gehalt": "salary", "miete": "rent", "blutgruppe": "blood",
}  # fmt: skip
