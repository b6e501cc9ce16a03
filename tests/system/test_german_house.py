"""A whole process that is spoken with in German: by text with the smallest model, and by voice."""

from __future__ import annotations

import difflib
import shutil
import urllib.request
from pathlib import Path

import pytest
from companion_process import Companion, lobug

pytestmark = pytest.mark.weights
GERMAN = {"LOBUG_PERSONA__LANGUAGE": "de"}


def texts(companion: Companion, status: str = "active") -> list[str]:
    return [record["text"] for record in companion.get(f"/memory/records?status={status}")[1]["records"]]


def test_a_household_is_told_asked_corrected_and_forgotten(tmp_path: Path) -> None:
    with Companion(tmp_path / "data", environment=GERMAN) as companion:
        for said in (
            "Ich heiße Frauke und wohne in Stade",
            "Meine Tochter Imke ist acht",
            "Ich bin allergisch gegen Sesam",
            "Die Gießkanne steht hinter dem Komposter",
        ):
            companion.say(said, "montag")
        companion.say("nein, hinter dem Schuppen", "montag")
        companion.wait_until_digested()
        assert companion.stop() == 0
    with Companion(tmp_path / "data", environment=GERMAN) as companion:
        answers = {
            "Wie heiße ich?": "Du heißt Frauke.",
            "Wo wohne ich?": "Du wohnst in Stade.",
            "Wie alt ist meine Tochter?": "Deine Tochter Imke ist acht.",
            "Wo steht die Gießkanne?": "Die Gießkanne steht hinter dem Schuppen.",
            "Wie heißt mein Bruder?": "Das weiß ich noch nicht. Sag es mir, dann merke ich es mir.",
            "Darf ich ein Sesambrötchen essen?": "Besser nicht. Du bist allergisch gegen Sesam.",
            "Vergiss, wo ich wohne": "Gut, das vergesse ich.",
        }
        for number, (asked, answer) in enumerate(answers.items()):
            assert companion.say(asked, f"dienstag-{number}")["text"] == answer
        companion.say("Ich bin nicht mehr allergisch gegen Sesam", "mittwoch")
        companion.wait_until_digested()
        assert texts(companion, "pending") == ["Der Nutzer ist nicht mehr allergisch gegen Sesam"]
        assert "Der Nutzer ist allergisch gegen Sesam" in texts(companion)
        assert not [text for text in texts(companion) if "Stade" in text]
        reminded = companion.say("Erinnere mich in zwei Stunden daran, die Blumen zu gießen", "mittwoch")
        assert reminded["text"] == "Gut, in 2 Stunden: die Blumen gießen."
        hits = companion.get("/memory/search?q=Giesskanne")[1]["hits"]
        assert hits[0]["text"] == "Die Gießkanne steht hinter dem Schuppen"
        copy = tmp_path / "kopie.db"
        assert lobug("backup", str(copy), "--data-dir", str(companion.data_dir)).returncode == 0
        assert copy.stat().st_size > 0


def test_doctor_tells_what_the_language_asks_for(tmp_path: Path) -> None:
    told = lobug("doctor", "--data-dir", str(tmp_path), environment=GERMAN)
    assert "recall goes by words first" in told.stdout
    wrong = GERMAN | {"LOBUG_SPEECH__TRANSCRIBER": "moonshine-tiny-en"}
    told = lobug("doctor", "--data-dir", str(tmp_path), environment=wrong)
    assert "moonshine-tiny-en knows the language en only, not de: set speech.transcriber to whisper-base" in told.stdout
    assert told.returncode == 1


@pytest.mark.speech
@pytest.mark.small
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_german_is_heard_answered_and_spoken(tmp_path: Path) -> None:
    """The only German voice here is a plain machine's, of which the recogniser understands about half."""
    with Companion(tmp_path / "data", "--profile", "small", environment=GERMAN) as companion:
        assert {name: state["name"] for name, state in companion.health()["models"].items()}["speaking"] == "espeak-ng"
        told = companion.spoken("Ich wohne in Hamburg und arbeite im Krankenhaus.")
        status, heard = companion.ask("/chat/audio?session_id=morgen", told, {"Content-Type": "audio/wav"})
        assert status == 200, heard
        assert "arbeite im Krankenhaus" in heard["heard"], heard
        assert heard["action"] == "respond"
        with urllib.request.urlopen(companion.url + heard["audio_url"], timeout=240) as response:
            assert len(response.read()) > 16_000, heard
        companion.wait_until_digested()
        answer = companion.say("Wo arbeite ich?", "abend")["text"]
        assert answer == "Du arbeitest im Krankenhaus."
        back = companion.understood(companion.spoken(answer))
        assert difflib.SequenceMatcher(None, back.lower(), answer.lower()).ratio() > 0.7, back
        reply = companion.say("Was kann man an einem Regentag machen?", "abend")["text"]
        assert {"und", "der", "die", "das", "ist", "du", "zu", "ein", "man", "kann"} & set(reply.lower().split()), reply
