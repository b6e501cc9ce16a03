"""Kinds of things that a question asks for by their common name ("what sport"), and what is one of each."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.turn.english.wordforms import forms

_COLOUR = (
    "red blue green yellow white black grey gray silver gold golden brown orange purple pink beige navy"
    " turquoise cream violet maroon teal burgundy lilac bronze"
)
_INSTRUMENT = (
    "piano guitar violin fiddle cello viola bass drum flute oboe clarinet bassoon sax saxophone trumpet"
    " trombone tuba cornet horn harp banjo ukulele mandolin accordion organ keyboard recorder bagpipe"
    " pipes whistle harmonica tabla sitar veena xylophone marimba bodhran bodhrán concertina euphonium"
)
_SPORT = (
    "football soccer rugby hurling camogie cricket hockey tennis badminton squash netball basketball"
    " baseball softball volleyball golf swimming swim diving rowing sailing surfing skating skateboarding"
    " skiing snowboarding cycling running athletics gymnastics boxing wrestling judo karate taekwondo"
    " fencing archery darts snooker pool bowls bowling climbing yoga pilates lacrosse polo riding dressage"
    " triathlon parkrun jiu-jitsu crossfit pickleball handball kabaddi"
)
_BIRD = (
    "parrot budgie canary cockatiel cockatoo parakeet macaw finch pigeon hen chicken duck goose cockerel"
    " rooster owl hawk falcon"
)
_ANIMAL = (
    f"{_BIRD} dog cat horse pony donkey cow goat sheep pig rabbit hamster gerbil tortoise turtle snake"
    " lizard fish ferret llama alpaca puppy kitten rat mouse bee lurcher greyhound collie labrador terrier"
    " spaniel"
)
_SWEET = (
    "licorice liquorice chocolate toffee fudge caramel gum jelly marshmallow marzipan nougat butterscotch mint lollipop"
)
_DRINK = (
    "beer lager wine stout cider whisky whiskey gin vodka rum brandy port sherry tea coffee juice cola"
    " coke lemonade milk squash cocoa smoothie prosecco champagne water soda espresso cappuccino latte"
    " chai"
)
_SUBJECT = (
    "maths math mathematics english irish welsh gaelic french german spanish latin science physics"
    " chemistry biology history geography music art drama economics business religion accounting"
    " accountancy law medicine engineering nursing psychology sociology philosophy computing statistics"
    " literature architecture politics"
)
_LANGUAGE = (
    "english irish welsh gaelic french german spanish italian portuguese polish russian arabic hindi urdu"
    " tamil telugu malayalam marathi punjabi gujarati bengali mandarin cantonese japanese korean greek"
    " turkish dutch swedish norwegian zulu xhosa sotho afrikaans swahili yoruba igbo hausa tagalog maori"
    " māori hebrew farsi latin"
)
_ILLNESS = (
    "diabetes diabetic asthma asthmatic arthritis angina cancer stroke coeliac celiac epilepsy migraine"
    " dementia parkinson shingles flu pneumonia gout eczema psoriasis anaemia thyroid depression anxiety"
    " sciatica hypertension copd measles glaucoma cataract covid bronchitis tonsillitis appendicitis"
)
_RELATIVE = (
    "mother mum mam mom father dad wife husband partner brother sister son daughter aunt uncle cousin"
    " nephew niece gran granny nan nana grandad grandpa grandma grandmother grandfather girlfriend"
    " boyfriend"
)
_POSITION = (
    "winger wing striker forward goalkeeper keeper goalie midfielder midfield defender fullback full-back back sweeper"
    " prop hooker lock flanker fly-half scrum-half centre center guard pitcher catcher shortstop quarterback linebacker"
    " bowler batsman batter wicketkeeper setter libero goal defence defense bench captain"
)
_FUEL = "diesel petrol gasoline unleaded kerosene paraffin propane butane lpg gas coal wood logs electricity"
CAR_MAKES = frozenset(
    """toyota honda ford chevrolet chevy nissan mazda subaru hyundai kia volkswagen vw audi bmw mercedes
    vauxhall opel peugeot renault citroen citroën fiat skoda seat dacia volvo saab lexus jeep dodge
    chrysler buick cadillac gmc tesla mini mitsubishi suzuki isuzu holden proton perodua tata mahindra
    maruti ssangyong daihatsu jaguar porsche landrover rover peterbilt kenworth freightliner mack scania
    iveco daf hilux landcruiser corolla camry civic golf polo fiesta focus corsa astra transit ranger
    berlingo kangoo sprinter""".split()
) - {"seat", "mini", "focus", "polo", "golf", "mack", "rover", "transit"}
_FRUIT = (
    "apple pear banana orange lemon lime grapefruit kiwi kiwifruit grape strawberry raspberry blueberry"
    " blackberry cherry"
    " plum peach apricot mango papaya pawpaw pineapple melon watermelon guava fig date rhubarb pomegranate"
    " lychee avocado"
)
_HERB = "coriander cilantro basil mint parsley dill rosemary thyme sage oregano chives tarragon fennel"
_VEGETABLE = (
    "carrot potato onion garlic cabbage sprout sprouts broccoli cauliflower pea bean spinach kale lettuce tomato"
    " cucumber"
    " pepper mushroom beetroot turnip parsnip leek celery aubergine eggplant courgette zucchini okra sweetcorn corn"
)
_BREED = (
    "retriever labrador lab poodle terrier spaniel beagle collie dachshund corgi greyhound whippet rottweiler dalmatian"
    " heeler kelpie husky pug boxer bulldog mastiff doberman chihuahua setter schnauzer lurcher staffie alsatian"
    " huntaway"
    " pomeranian labradoodle cockapoo cavapoo ridgeback mutt hound westie shepherd siamese persian bengal tabby cross"
    " mongrel crossbreed thoroughbred shetland jersey friesian hereford merino suffolk clydesdale appaloosa mustang"
)
_THINNER = "warfarin coumadin eliquis apixaban xarelto rivaroxaban heparin clopidogrel plavix aspirin"
_ANTIBIOTIC = (
    "penicillin amoxicillin sulfa sulpha erythromycin clarithromycin azithromycin doxycycline tetracycline trimethoprim"
    " flucloxacillin augmentin cipro ciprofloxacin bactrim septrin metronidazole nitrofurantoin"
)
_PAINKILLER = "aspirin ibuprofen paracetamol codeine tramadol morphine naproxen nurofen tylenol advil panadol voltarol"
_BONE = "collarbone rib ribs arm leg wrist ankle hip elbow finger toe shin femur tibia skull jaw nose"
_KINDS = {
    "colour": _COLOUR,
    "instrument": _INSTRUMENT,
    "sport": _SPORT,
    "exercise": _SPORT,
    "game": f"{_SPORT} chess bridge cards poker dominoes bingo scrabble whist",
    "bird": _BIRD,
    "animal": _ANIMAL,
    "pet": _ANIMAL,
    "sweet": _SWEET,
    "candy": _SWEET,
    "drink": _DRINK,
    "subject": _SUBJECT,
    "language": _LANGUAGE,
    "illness": _ILLNESS,
    "condition": _ILLNESS,
    "disease": _ILLNESS,
    "relative": _RELATIVE,
    "bone": _BONE,
    "position": _POSITION,
    "fuel": _FUEL,
    "fruit": _FRUIT,
    "herb": _HERB,
    "vegetable": _VEGETABLE,
    "veg": _VEGETABLE,
    "breed": _BREED,
    "thinner": _THINNER,
    "antibiotic": _ANTIBIOTIC,
    "painkiller": _PAINKILLER,
    "lawyer": "solicitor barrister attorney conveyancer",
    "car": " ".join(sorted(CAR_MAKES)),
}
_MEMBERS = {kind: frozenset(named.split()) for kind, named in _KINDS.items()}
_CALLED = {"color": "colour", "tipple": "drink", "ailment": "illness"}


def kind_of(word: str) -> str:
    """The kind that a word of a question names; empty where it names none that has a list."""
    return next((one for form in forms(word) if (one := _CALLED.get(form, form)) in _MEMBERS), "")


def is_named(kind: str, told: Iterable[str]) -> bool:
    """Whether one of the words of what was told is one of the kind."""
    return any(form in _MEMBERS[kind] for word in told for form in forms(word))
