"""A companion that is spoken with in German: what rules answer, ask, refuse and promise, and what its model is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from memory_house import texts
from talking_house import House, open_house

from edge_memory.memory import Memory
from edge_memory.records import Language, Role, Status
from firmware_bridge.contracts import Action, Heard, Said
from firmware_bridge.phrases import PHRASES
from firmware_bridge.turn import Dialogue, Injection, Introduction, Manner, Persona
from firmware_bridge.turn.scripted import ScriptedReplies

GERMAN = PHRASES[Language.GERMAN]


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    persona = Persona("Ada", GERMAN.manner, Language.GERMAN)
    injection = Injection(language=Language.GERMAN)
    manner = Manner(persona, "tail", 50, 0.0, injection=injection, commands=(Introduction(persona),))
    async with open_house(path, "Schön.", manner, language=Language.GERMAN) as house:
        yield house


async def test_what_was_told_is_answered_in_another_session(house: House) -> None:
    for said in ("Ich heiße Wiebke und wohne in Emden", "Meine Schwester heißt Antje", "Antje arbeitet bei der Fähre",
                 "Das Ruderboot liegt hinter dem Deich", "Mein Sehtest ist am Montag um neun",
                 "Ich bin allergisch gegen Walnüsse", "Ich mag Labskaus"):  # fmt: skip
        await house.say(said)
    before = house.asked_the_model
    asked = {
        "Wie heiße ich?": "Du heißt Wiebke.",
        "wo wohne ich": "Du wohnst in Emden.",
        "Weißt du noch, wo ich wohne?": "Du wohnst in Emden.",
        "Wie heißt meine Schwester?": "Deine Schwester heißt Antje.",
        "Wo arbeitet meine Schwester?": "Antje arbeitet bei der Fähre.",
        "Wo liegt das Ruderboot?": "Das Ruderboot liegt hinter dem Deich.",
        "Wogegen bin ich allergisch?": "Du bist allergisch gegen Walnüsse.",
        "Was mag ich?": "Du magst Labskaus.",
    }
    for number, (question, answer) in enumerate(asked.items()):
        assert await house.say(question, f"s{number}") == answer
    assert "Montag um neun" in await house.say("Wann ist mein Sehtest?", "s9")
    assert house.asked_the_model == before


@pytest.mark.parametrize(
    "question",
    ["Wie heißt mein Bruder?", "Wo wohnt meine Tante?", "Was ist meine Schuhgröße?", "wann habe ich geburtstag",
     "Wie alt bin ich?", "Welche Medikamente nehme ich?", "Habe ich ein Boot?"],
)  # fmt: skip
async def test_what_it_does_not_know_it_says(house: House, question: str) -> None:
    await house.say("Ich heiße Wiebke")
    assert await house.say(question, "andere") == GERMAN.dont_know


async def test_the_wrong_animal_is_no_answer(house: House) -> None:
    await house.say("Unsere Katze heißt Minka")
    assert await house.say("Wie heißt mein Hund?", "andere") == GERMAN.dont_know
    assert "Minka" in await house.say("Wie heißt unsere Katze?", "andere")


async def test_a_question_of_the_world_is_the_models(house: House) -> None:
    assert await house.say("Wie hoch ist der Kölner Dom?") == "Schön."


async def test_the_model_is_spoken_to_in_german(house: House) -> None:
    await house.say("Ich wohne in Emden")
    await house.say("Erzähl mir etwas über Emden", "andere")
    system, *rest = house.replies.prompts[-1]
    assert system.content.startswith("Du bist Ada, ein freundlicher Sprachassistent. Antworte immer auf Deutsch")
    assert [m.content for m in rest if m.role is Role.ASSISTANT][-1] == "Hallo! Was kann ich für dich tun?"
    assert rest[-1].content == "[Erinnerungen]\n- Der Nutzer wohnt in Emden\n\nErzähl mir etwas über Emden"


async def test_a_risky_change_is_asked_about_and_a_no_leaves_it(house: House) -> None:
    await house.say("Ich bin allergisch gegen Walnüsse")
    first = await house.say("Ich bin nicht mehr allergisch gegen Walnüsse")
    assert first.startswith("Ich habe gehört: Du bist nicht mehr allergisch gegen Walnüsse.")
    asked = await house.say("Das Wetter ist schön heute")
    assert asked == "Schön. Habe ich das richtig verstanden: Du bist nicht mehr allergisch gegen Walnüsse?"
    assert await house.say("Nein, das stimmt nicht") == GERMAN.left_as_it_was
    assert await texts(house.memory) == ["Der Nutzer ist allergisch gegen Walnüsse"]


async def test_a_yes_lets_it_count(house: House) -> None:
    await house.say("Ich bin allergisch gegen Walnüsse")
    await house.say("Ich bin nicht mehr allergisch gegen Walnüsse")
    await house.say("Das Wetter ist schön heute")
    assert (await house.say("Ja, genau")).startswith("Gut, davon gehe ich jetzt aus. Du bist nicht mehr allergisch")
    assert "Der Nutzer ist allergisch gegen Walnüsse" not in await texts(house.memory)


async def test_what_an_allergy_forbids_is_refused(house: House) -> None:
    await house.say("Ich bin allergisch gegen Nüsse")
    await house.say("Meine Tochter Frauke verträgt keine Milch")
    before = house.asked_the_model
    for asked in ("Darf ich Haselnusskuchen essen?", "Kann ich ein Brot mit Nutella haben?", "Mach mir Erdnussbutter"):
        assert await house.say(asked, "andere") == "Besser nicht. Du bist allergisch gegen Nüsse.", asked
    assert "Frauke verträgt keine Milch" in await house.say("Darf Frauke einen Joghurt essen?", "andere")
    assert house.asked_the_model == before
    assert await house.say("Darf ich einen Joghurt essen?", "andere") == "Schön."


async def test_a_medicine_sends_to_the_pharmacist(house: House) -> None:
    await house.say("Ich nehme Marcumar")
    told = await house.say("Kann ich Ibuprofen nehmen?", "andere")
    assert "Du nimmst Marcumar" in told
    assert "Apotheker" in told


async def test_a_diet_is_in_the_prompt_where_something_is_to_be_suggested(house: House) -> None:
    await house.say("Ich bin Vegetarierin")
    await house.say("Hast du eine gute Idee?", "andere")
    assert "[Zu beachten: Du bist Vegetarierin. Sage Nein" in house.replies.prompts[-1][-1].content


async def test_a_suggestion_that_a_diet_forbids_is_held_back(path: Path) -> None:
    manner = Manner(Persona("Ada", GERMAN.manner, Language.GERMAN), "tail", 50, 0.0)
    async with open_house(path, "Wie wäre es mit Gulasch?", manner, language=Language.GERMAN) as house:
        await house.say("Ich bin Vegetarierin")
        assert await house.say("Hast du eine gute Idee?", "andere") == GERMAN.nothing_fits.format(
            told="Du bist Vegetarierin"
        )


async def test_who_asks_for_something_to_eat_is_told_of_a_diet_with_what_would_do(house: House) -> None:
    await house.say("Ich bin Vegetarierin")
    before = house.asked_the_model
    careful = "Vorsicht: Du bist Vegetarierin."
    assert (
        await house.say("Was soll ich heute Abend kochen?", "andere")
        == f"{careful} Wie wäre es mit: Ofengemüse mit Reis?"
    )
    await house.say("Ich bin allergisch gegen Äpfel")
    told = await house.say("Ich hätte Lust auf einen Snack, hast du einen Vorschlag", "dritte")
    assert "gegen Äpfel" in told
    assert told.endswith("Wie wäre es mit: Gurke und Trauben?")
    await house.say("Ich bin allergisch gegen Walnüsse")
    told = await house.say("Was soll ich zum Nachtisch machen?", "noch-eine")
    assert told.endswith("Wie wäre es mit: Birnen mit Mango?")
    await house.say("Ich bin allergisch gegen Lupinen")
    told = await house.say("Was kann ich heute kochen?", "vierte")
    assert "gegen Lupinen" in told
    assert "Wie wäre es" not in told, "nobody here knows all that holds lupins"
    assert house.asked_the_model == before


async def test_a_plain_statement_is_told_back_without_the_model(house: House) -> None:
    told = await house.say("Ich wohne in Emden und arbeite bei der Fähre")
    assert told.endswith("du wohnst in Emden und du arbeitest bei der Fähre.")
    assert await house.say("Mein Hund ist heute gestorben") == GERMAN.sorry_for_loss
    assert house.asked_the_model == 0
    assert await house.say("Ich mag Labskaus") == "Schön."


async def test_a_standing_order_is_kept(house: House) -> None:
    assert (await house.say("Weck mich nie vor sieben")).endswith("ich wecke dich nie vor sieben.")
    assert await house.say("Weck mich um sechs Uhr früh", "andere") == (
        "Das mache ich nicht, du hast mir gesagt: „Weck mich nie vor sieben“."
    )
    assert (await house.say("Weck mich morgen um acht", "andere")).startswith("Gut, morgen um 8 Uhr: aufwachen.")


async def test_remembering_and_forgetting_by_voice(house: House) -> None:
    told = await house.say("Merk dir, dass ich meinen Schirm im Zug vergessen habe")
    assert told == "Gut, das merke ich mir. Du hast deinen Schirm im Zug vergessen."
    assert await house.say("Vergiss meinen Schirm", "andere") == GERMAN.forgets
    assert await texts(house.memory) == []
    assert await house.say("Was weißt du über mich?", "andere") == GERMAN.knows_nothing
    assert await house.say("Vergiss meinen Schirm", "andere") == GERMAN.nothing_to_forget
    assert await house.say("Vergiss alles", "andere") == GERMAN.too_much


async def test_which_one_is_asked_and_answered(house: House) -> None:
    await house.say("Der Schlüssel hängt im Flur")
    await house.say("Der Schlüssel vom Schuppen liegt im Regal")
    asked = await house.say("Vergiss den Schlüssel")
    assert asked.startswith("Was meinst du: ")
    assert "Flur" in asked
    assert "Regal" in asked
    assert await house.say("den zweiten") == GERMAN.forgets
    assert len(await texts(house.memory)) == 1


async def test_topics_counts_and_doubts(house: House) -> None:
    await house.say("Meine Schwester Antje wohnt in Leer")
    await house.say("Meine Schwester Antje spielt Orgel")
    told = await house.say("Was weißt du über meine Schwester?", "andere")
    assert "wohnt in Leer" in told
    assert "spielt Orgel" in told
    assert await house.say("Was weißt du über mein Boot?", "andere") == "Über dein Boot weiß ich noch nichts."
    assert (await house.say("Wie viel weißt du über mich?", "andere")).startswith("Ich erinnere mich an 2 Sachen aus")
    assert await house.say("Worüber bist du dir unsicher?", "andere") == GERMAN.nothing_waits


async def test_reminders_and_timers(house: House) -> None:
    assert await house.say("Erinnere mich in zehn Minuten an die Wäsche") == "Gut, in 10 Minuten: Wäsche."
    assert await house.say("Stell einen Timer auf eine Stunde") == "Gut, Timer für eine Stunde."
    assert (await house.say("Welche Timer laufen?")).startswith("Du hast 1: Timer in ")
    assert await house.say("Erinnere mich an den Zahnarzt") == "Zahnarzt: Wann soll ich dich daran erinnern?"
    assert (await house.say("morgen um neun")).startswith("Gut, morgen um 9 Uhr: Zahnarzt.")
    assert await house.say("Lösch den Timer") == "Gut, gelöscht: Timer."
    assert await house.say("Lösche alle Erinnerungen") == "Gut, gelöscht: Wäsche; Zahnarzt."
    assert await house.say("Welche Erinnerungen habe ich?") == GERMAN.no_reminders
    assert house.asked_the_model == 0


async def test_it_says_who_it_is(house: House) -> None:
    assert await house.say("Hallo Ada, wie heißt du?") == "Ich heiße Ada."
    assert await house.say("Wer bist du?") == "Ich bin Ada, ein freundlicher Sprachassistent."


async def test_what_was_badly_heard_is_asked_again(house: House) -> None:
    said = [event async for event in house.dialogue.talk(Heard("mmpf", "kitchen", action=Action.CLARIFY))][-1]
    assert isinstance(said, Said)
    assert said.text == GERMAN.ask_again


async def test_an_echo_of_the_user_is_told_as_theirs(tmp_path: Path) -> None:
    replies = ScriptedReplies(lambda messages: messages[-1].content)
    async with Memory(tmp_path / "memory.db", serve=True, language=Language.GERMAN) as memory:
        manner = Manner(Persona("Ada", GERMAN.manner, Language.GERMAN), "tail", 50, 0.0)
        async with Dialogue(memory, replies, manner, max_text_characters=500) as dialogue:
            said = [event async for event in dialogue.talk(Heard("Ich mag meinen Hut", "kitchen"))][-1]
    assert isinstance(said, Said)
    assert said.text == "Alles klar. Du magst deinen Hut"


async def test_pending_is_counted_apart(house: House) -> None:
    await house.say("Meine Kontonummer ist 12 34 56")
    await house.say("Meine Kontonummer ist jetzt 65 43 21")
    assert [r.status for r in [p.record for p in await house.memory.review.pending("owner")]] == [Status.PENDING]
