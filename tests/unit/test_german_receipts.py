"""What is said to a plain German statement: the user's own words told back, and no receipt for sorrow."""

from __future__ import annotations

import pytest

from edge_memory.records import Language
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn.german.receipts import GERMAN

SAID = PHRASES[Language.GERMAN]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ich bin allergisch gegen Haselnüsse", "du bist allergisch gegen Haselnüsse"),
        ("Meine Tochter Frauke verträgt keine Milch", "deine Tochter Frauke verträgt keine Milch"),
        ("Hallo, ich heiße Wiebke", "du heißt Wiebke"),
        ("ich nehme jeden Morgen Ramipril", "du nimmst jeden Morgen Ramipril"),
        ("Weck mich nie vor sieben", "ich wecke dich nie vor sieben"),
        ("Bitte stör mich nicht nach zehn", "ich störe dich nicht nach zehn"),
        ("Sprich mich nicht vor dem Frühstück an", "ich spreche dich nicht vor dem Frühstück an"),
        ("Der Ersatzschlüssel liegt unter meiner Fußmatte", "der Ersatzschlüssel liegt unter deiner Fußmatte"),
        ("Wir wohnen in Emden", "ihr wohnt in Emden"),
        ("Seit Mai wohne ich in Köln", "du wohnst seit Mai in Köln"),
        ("Am Montag habe ich um neun einen Zahnarzttermin", "du hast am Montag um neun einen Zahnarzttermin"),
        ("Unser Hund heißt Rollo und ist drei", "euer Hund heißt Rollo und euer Hund ist drei"),
        ("Der Chor ist jetzt freitags", "der Chor ist jetzt freitags"),
        ("Ich arbeite im Krankenhaus", "du arbeitest im Krankenhaus"),
    ],
)
def test_what_memory_reads_whole_is_told_back_in_the_second_person(said: str, told: str) -> None:
    assert GERMAN.receipt(said) in [form.format(told=told) for form in SAID.receipts]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Mein Hund ist heute gestorben", SAID.sorry_for_loss),
        ("Meine Schwester hat Brustkrebs", SAID.sorry_to_hear),
        ("Mein Vater liegt im Krankenhaus", SAID.sorry_to_hear),
        ("Mein Sohn hat sich verlobt", SAID.glad_to_hear),
        ("Meine Frau ist schwanger", SAID.glad_to_hear),
    ],
)
def test_who_tells_of_sorrow_or_joy_hears_no_receipt(said: str, kind: str) -> None:
    assert GERMAN.receipt(said) == kind


@pytest.mark.parametrize(
    "said",
    [
        "Hallo",
        "Ich bin müde",
        "Ich habe Hunger",
        "Ich mag Labskaus",
        "Wie heiße ich",
        "Ich wohne in Emden, wie wird das Wetter",
        "Ich bin nicht mehr allergisch gegen Nüsse",
        "Ich wohne in Emden, weißt du",
        "Kann ich einen Keks haben",
        "Ich möchte heute einen Kuchen",
    ],
)
def test_what_asks_wishes_or_is_read_in_part_is_left_to_the_model(said: str) -> None:
    assert GERMAN.receipt(said) == ""
