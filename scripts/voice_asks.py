"""How names are said: the sentences, by the kind of name, one after another, and what a list of names is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle


@dataclass(frozen=True)
class Spoken:
    """A name, the sentence that memory is told it with, the one that it is heard in, by which voice, how fast."""

    name: str
    told: str
    said: str
    voice: str
    speed: float  # faster is higher, too, as if somebody else spoke


@dataclass(frozen=True)
class NameList:
    label: str
    groups: Sequence[tuple[str, str]]  # what memory is told, and the names in it, of two words with _ between
    asks: Mapping[str, tuple[str, ...]]  # by kind: the sentences that the names are said in, one after another
    manners: Sequence[tuple[str, float]]  # the voices and speeds, in the same way

    def __iter__(self) -> Iterator[Spoken]:
        asked = {about: cycle(sentences) for about, sentences in self.asks.items()}
        manners = cycle(self.manners)
        for told, names in self.groups:
            for name in (one.replace("_", " ") for one in names.split()):
                said, (voice, speed) = next(asked[kind(told)]), next(manners)
                yield Spoken(name, told.format(name), said.format(name), voice, speed)


def kind(told: str) -> str:
    """Of the names that are told so."""
    words = {"take": "medicines", "went": "places", "dog's": "pets", "cat's": "pets", "Street": "streets"}
    words |= {"car": "products", "cereal": "products", "landlord's": "families", "drives": "vehicles"}
    return next((about for word, about in words.items() if word in told.split()), "people")


PLAIN_ASKS = {
    "people": ("Please call {} tomorrow morning.",),
    "pets": ("Please call {} tomorrow morning.",),
    "places": ("Is it raining in {} today?",),
    "medicines": ("Did I take my {} today?",),
}
VARIED_ASKS = {
    "people": (
        "Please call {} tomorrow morning.",
        "What did {} say about the party?",
        "I had lunch with {} on Sunday.",
        "When is {}'s birthday?",
        "Send {} a message that I am home.",
        "{}'s train is late again.",
    ),
    "pets": ("Has anybody fed {} today?", "I need to take {} to the vet.", "{} was sick on the carpet."),
    "places": (
        "Is it raining in {} today?",
        "How long is the flight to {}?",
        "We are going back to {} in the spring.",
    ),
    "medicines": (
        "Did I take my {} today?",
        "How many {} tablets are left?",
        "Remind me to order more {}.",
    ),
}
HOUSE_ASKS = {
    "people": (
        "Did {} leave a number?",
        "Remind me to pay {} back on Friday.",
        "I am having coffee with {} this afternoon.",
        "{} is coming to dinner tonight.",
        "What is {}'s favourite film?",
        "Ring {} when the roast is done.",
    ),
    "pets": ("Where is {} hiding?", "{} has eaten my slippers again.", "How old is {} now?"),
    "places": (
        "What is the weather like in {}?",
        "The train to {} leaves at noon.",
        "Have I ever been to {}?",
    ),
    "medicines": ("When is my next {} due?", "Am I allowed to drink with {}?", "I forgot the {} last night."),
    "streets": ("How do I get to {} Street from here?", "The bus stops on {} Street."),
    "products": ("Put {} on the shopping list.", "Who has moved the {}?"),
}
DALE_ASKS = {
    "people": (
        "Has {} written back yet?",
        "I promised {} a lift to the station.",
        "Is it {}'s turn to cook?",
        "{} forgot the keys again.",
        "Tell me what {} likes to eat.",
    ),
    "families": (
        "The {}s are away until June.",
        "Mr {} has the spare key.",
        "{}'s car is blocking the drive.",
        "I owe Mrs {} a casserole dish.",
    ),
    "pets": ("Did {} get a long walk?", "{} keeps scratching the sofa.", "I bought a new lead for {}."),
    "places": ("What time is it in {}?", "Our flight from {} was cancelled.", "They moved to {} in March."),
    "medicines": ("Does {} make you sleepy?", "The pharmacy is out of {}.", "I take {} with food."),
    "streets": ("Turn left into {} Street.", "There was a fire in {} Street."),
    "products": ("We are nearly out of {}.",),
    "vehicles": ("We rented a {} for the weekend.", "My next car will be a {}."),
}
VALE_ASKS = {
    "people": (
        "Why is {} so quiet today?",
        "Do you know when {} gets home?",
        "{}'s phone is in the kitchen.",
        "Could you let {} know I am running late?",
        "The parcel is for {}.",
    ),
    "families": (
        "We are having the {}s over for lunch.",
        "Is Mr {} still in hospital?",
        "Did you borrow {}'s ladder?",
        "Mrs {} rang about the roof.",
    ),
    "pets": ("How much does {} weigh?", "{} is asleep on my bed.", "Do not let {} out tonight."),
    "places": ("How far is {} from here?", "I miss the food in {}.", "My sister studied in {}."),
    "medicines": ("Can I stop the {} on Monday?", "My doctor doubled the {}.", "Is {} safe with grapefruit?"),
    "streets": ("The bakery in {} Street is closed.", "Is {} Street one way?"),
    "products": ("Do we have any {} left?",),
    "vehicles": ("She wants to buy a {}.", "Is a {} big enough for five?"),
}
GLEN_ASKS = {
    "people": (
        "Ask {} about the tickets.",
        "What should I get {} for Christmas?",
        "I am picking {} up at six.",
        "Was that {}'s idea?",
        "{} broke an ankle skiing.",
    ),
    "families": (
        "When did the {}s move in?",
        "Mrs {} teaches piano.",
        "Is that {}'s dog barking?",
        "The letter is from Mr {}.",
    ),
    "pets": ("Take {} to the groomer at four.", "{} ran off this morning.", "What did {} eat for breakfast?"),
    "places": ("Is {} warm in October?", "We got lost in {} last summer.", "Send a postcard to {}."),
    "medicines": ("What is {} for?", "I ran out of {} yesterday.", "Put the {} in the blue box."),
    "streets": ("Meet me at the corner of {} Street.", "They are digging up {} Street."),
    "products": ("Get some more {} at the shop.",),
    "vehicles": ("He sold his old {} on Sunday.", "Can you fix a {}?"),
}
