"""What a German voice is given to say, and where a German reply is cut."""

from __future__ import annotations

import pytest

from firmware_bridge.clauses import ClauseCutter
from firmware_bridge.speech.spoken import spoken


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Es sind 21,5 °C.", "Es sind einundzwanzig Komma fünf Grad Celsius."),
        ("Um 18:30 Uhr, oder 7:05.", "Um achtzehn Uhr dreißig, oder sieben Uhr fünf."),
        ("Gut, morgen um 9 Uhr 30: Zahnarzt.", "Gut, morgen um neun Uhr dreißig: Zahnarzt."),
        ("Am 3. Dezember 2026", "Am dritten Dezember zweitausendsechsundzwanzig"),
        ("Der 24.12. ist frei", "Der vierundzwanzigste Dezember ist frei"),
        ("1987 waren es 1.250 Leute", "neunzehnhundertsiebenundachtzig waren es eintausendzweihundertfünfzig Leute"),
        ("Das kostet 3,99 € oder 5 €", "Das kostet drei Euro neunundneunzig oder fünf Euro"),
        ("z. B. 1 km, 3 kg und 40 %", "zum Beispiel ein Kilometer, drei Kilogramm und vierzig Prozent"),
        ("in 1 Stunde", "in eine Stunde"),
        ("Ruf 0171 2345678 an", "Ruf null eins sieben eins zwei drei vier fünf sechs sieben acht an"),
        ("**Wichtig:** 2-3 Tage", "Wichtig: zwei bis drei Tage"),
        ("Das heißt „Moin“", "Das heißt Moin"),
    ],
)
def test_signs_and_digits_become_words(written: str, said: str) -> None:
    assert spoken(written, "de") == said


def test_other_languages_keep_their_digits() -> None:
    assert spoken("Il est 18:30.", "fr") == "Il est 18:30."


@pytest.mark.parametrize("text", ["Deine Impfung ist am 3. Dezember um 10 Uhr.", "Das sind z. B. reife Äpfel."])
def test_a_point_that_ends_no_sentence_cuts_none(text: str) -> None:
    cutter = ClauseCutter()
    assert [piece for piece in [*cutter.feed(text), cutter.rest()] if piece] == [text]
