"""Lists of names that a memory is told and then hears, and how each is said.

A list is asked for once before any rule has read it; what it gave then is its figure. What comes after is a regression.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from voice_asks import DALE_ASKS, GLEN_ASKS, HOUSE_ASKS, PLAIN_ASKS, VALE_ASKS, VARIED_ASKS, NameList
from voice_data import words

_LONGEST_SENTENCE, _SEED = 12, 5  # words; of the choice


def chosen(labels: str) -> list[NameList]:
    """The lists with these labels, which have commas between them."""
    return [one for one in NAME_LISTS if one.label in labels.split(",")]


def ordinary_sentences(folder: Path, count: int) -> list[str]:
    """As many from the English lives in a folder, always the same, without any name of the lists."""
    names = {spoken.name.lower() for one in NAME_LISTS for spoken in one}
    sentences = []
    for file in sorted(folder.glob("turns_*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines() if "_de_" not in file.name else ():
            text = json.loads(line)["text"]
            if 3 <= len(text.split()) <= _LONGEST_SENTENCE and text[0].isupper() and not names & set(words(text)):
                sentences.append(text)
    return random.Random(_SEED).sample(sentences, count)


_PIPER = (("piper", 0.93), ("piper", 1.0), ("piper", 1.08))
_TWO_VOICES = (("piper", 1.0), ("espeak", 1.0), ("piper", 1.08), ("piper", 0.93), ("espeak", 0.95))

NAME_LISTS = (
    NameList(
        "uncommon",  # a household's people, pets, places and medicines, as they would be told
        (
            ("my wife's name is {}", "Priya Siobhan Aoife Ingeborg"),
            ("my brother's name is {}", "Joaquin Zbigniew Eoin Kwame"),
            ("my sister's name is {}", "Xiomara Nkechi Saoirse Ludmila"),
            ("my neighbour's name is {}", "Okonkwo Vasquez Thorvald Nguyen"),
            ("my dog's name is {}", "Biscuit Pixel Zorro Moxie"),
            ("we went on holiday to {}", "Bangalore Galway Tromso Ljubljana"),
            ("my parents went to {}", "Oaxaca Wroclaw Szeged Tampere"),
            ("I take {} every morning", "metformin ramipril levothyroxine sertraline"),
        ),
        PLAIN_ASKS,
        (("piper", 1.0),),
    ),
    NameList(
        "more",
        (
            ("my wife's name is {}", "Niamh Annelise Svetlana Lakshmi Keiko Esperanza"),
            ("my brother's name is {}", "Oisin Bjorn Yusuf Rajesh Guillermo Wojciech"),
            ("my sister's name is {}", "Chidinma Ayodele Freya Bronagh"),
            ("my neighbour's name is {}", "Kowalczyk Mbeki Haruki Delacroix"),
            ("my dog's name is {}", "Nacho Truffle Gizmo Ziggy"),
            ("we went on holiday to {}", "Reykjavik Marrakesh Aberystwyth Gdansk"),
            ("my parents went to {}", "Kathmandu Valparaiso Tallinn Uppsala"),
            (
                "I take {} every morning",
                "amlodipine atorvastatin bisoprolol gabapentin lisinopril warfarin citalopram",
            ),
        ),
        PLAIN_ASKS,
        _PIPER,
    ),
    NameList(
        "fresh",
        (
            ("my wife's name is {}", "Marguerite Zuzanna Ottoline Farzana Guinevere"),
            ("my brother's name is {}", "Thaddeus Ignacio Emeka Lachlan Dmitri Anselm"),
            ("my sister's name is {}", "Katarzyna Mairead Yolanda Bronwyn"),
            ("my neighbour's name is {}", "Fitzgerald Papadopoulos Achterberg Chaudhry"),
            ("my dog's name is {}", "Bramble Biscotti Tinkerbell Sprocket"),
            ("we went on holiday to {}", "Dubrovnik Cappadocia Llandudno Sarajevo Antigua"),
            ("my parents went to {}", "Montevideo Bruges Kilkenny Samarkand"),
            (
                "I take {} every morning",
                "furosemide rosuvastatin montelukast candesartan esomeprazole tamsulosin carbimazole",
            ),
        ),
        PLAIN_ASKS,
        _PIPER,
    ),
    NameList(
        "world",
        (
            ("my wife's name is {}", "Ngozi Ximena Sunniva Parvati Ilse"),
            ("my brother's name is {}", "Tariq Bogdan Kofi Matteo Anders Hiroshi"),
            ("my sister's name is {}", "Amina Solveig Rosario Tamar Jelena"),
            ("my neighbour's name is {}", "Yilmaz Lindqvist Adeyemi Petrov Castellanos"),
            ("my dog's name is {}", "Kimchi Zeus Paprika Momo Churro"),
            ("we went on holiday to {}", "Zanzibar Cusco Kyoto Tbilisi Essaouira"),
            ("my parents went to {}", "Plovdiv Chennai Bergen Trondheim Cebu"),
            (
                "I take {} every morning",
                "clopidogrel empagliflozin apixaban losartan pantoprazole duloxetine mirtazapine",
            ),
        ),
        PLAIN_ASKS,
        _PIPER,
    ),
    NameList(
        "street",  # this and the following: everyday English names too, many sentences, a second voice
        (
            ("my wife's name is {}", "Hannah Imogen Anjali Xiulan Leila"),
            ("my brother's name is {}", "Geoffrey Rhys Declan Tunde Vikram"),
            ("my sister's name is {}", "Maisie Nneka Ivana Beatriz"),
            ("my friend's name is {}", "Kenji Mehmet Radek Joost"),
            ("my neighbour's name is {}", "Hargreaves Nakamura Szymanski Oyelaran"),
            ("my dog's name is {}", "Rufus Schnitzel Waffles"),
            ("my cat's name is {}", "Marmalade Cleo"),
            ("we went on holiday to {}", "Inverness Guadalajara Hyderabad Lucerne"),
            ("my parents went to {}", "Tauranga Poznan Agadir"),
            (
                "I take {} every morning",
                "metoprolol doxycycline fluoxetine spironolactone simvastatin methotrexate salbutamol ezetimibe",
            ),
        ),
        VARIED_ASKS,
        _TWO_VOICES,
    ),
    NameList(
        "town",
        (
            ("my wife's name is {}", "Penelope Tabitha Shreya Meiling Yasmin"),
            ("my brother's name is {}", "Gareth Callum Cormac Obinna Arjun"),
            ("my sister's name is {}", "Sinead Folake Milica Catarina"),
            ("my friend's name is {}", "Takeshi Emre Tomasz Pieter"),
            ("my neighbour's name is {}", "Ainsworth Watanabe Horvath Abubakar"),
            ("my dog's name is {}", "Monty Pretzel Dumpling"),
            ("my cat's name is {}", "Clementine Luna"),
            ("we went on holiday to {}", "Harrogate Cartagena Jaipur Innsbruck"),
            ("my parents went to {}", "Mombasa Rotorua Krakow Casablanca"),
            (
                "I take {} every morning",
                "carvedilol lansoprazole venlafaxine hydroxychloroquine pravastatin azathioprine tiotropium"
                " sitagliptin",
            ),
        ),
        VARIED_ASKS,
        _TWO_VOICES,
    ),
    NameList(
        "county",
        (
            ("my wife's name is {}", "Victoria Delilah Kavita Yuki Parisa"),
            ("my brother's name is {}", "Rupert Angus Eamon Babatunde Sanjay"),
            ("my sister's name is {}", "Ffion Zainab Oksana Fernanda"),
            ("my friend's name is {}", "Haoran Orhan Gintaras Sven"),
            ("my neighbour's name is {}", "Pemberton Fujimoto Kovalenko Mensah"),
            ("my dog's name is {}", "Bandit Noodle Pickles"),
            ("my cat's name is {}", "Peaches Athena"),
            ("we went on holiday to {}", "Shrewsbury Arequipa Udaipur Salzburg"),
            ("my parents went to {}", "Nairobi Whangarei Bratislava Tangier"),
            (
                "I take {} every morning",
                "diltiazem rabeprazole escitalopram sulfasalazine ticagrelor dapagliflozin allopurinol prednisolone",
            ),
        ),
        VARIED_ASKS,
        _TWO_VOICES,
    ),
    NameList(
        "parish",  # this and the following: usual names of families, streets and products as well
        (
            ("my wife's name is {}", "Charlotte Bridget Padma Consuelo Agnieszka"),
            ("my brother's name is {}", "Stuart Malachy Chukwuemeka Alejandro Krzysztof"),
            ("my sister's name is {}", "Gwendolyn Temitope Pilar Deepika"),
            ("my friend's name is {}", "Darnell Jerzy Olumide Harpreet"),
            ("my neighbour's name is {}", "Featherstone Gutierrez Banerjee Nowak"),
            ("my dog's name is {}", "Barnaby Snickers Pippin"),
            ("my cat's name is {}", "Jasper Mittens"),
            ("we went on holiday to {}", "Scarborough Tenerife Kerala Zakopane"),
            ("my parents went to {}", "Ibadan Savannah Penzance"),
            ("I take {} every morning", "naproxen paracetamol propranolol nitrofurantoin amitriptyline cetirizine"),
            ("my uncle lives on {} Street", "Thornbury"),
            ("my aunt lives on {} Street", "Culpepper"),
            ("my favourite cereal is {}", "Weetabix"),
            ("my car is a {}", "Skoda"),
        ),
        HOUSE_ASKS,
        _TWO_VOICES,
    ),
    NameList(
        "borough",
        (
            ("my wife's name is {}", "Rosalind Mahalia Sushila Ifeoma Dorota"),
            ("my brother's name is {}", "Malcolm Ruairi Enrique Adebayo Stanislaw"),
            ("my sister's name is {}", "Philippa Morenike Araceli Meenakshi"),
            ("my friend's name is {}", "Latoya Bartosz Segun Gurdeep"),
            ("my neighbour's name is {}", "Ravenscroft Echeverria Chatterjee Wisniewski"),
            ("my dog's name is {}", "Winston Cinnamon Scooter"),
            ("my cat's name is {}", "Tigger Saffron"),
            ("we went on holiday to {}", "Blackpool Fuerteventura Varanasi Mallorca"),
            ("my parents went to {}", "Abeokuta Milwaukee Aberdeen"),
            ("I take {} every morning", "ibuprofen codeine loratadine nifedipine quetiapine digoxin"),
            ("my uncle lives on {} Street", "Wellington"),
            ("my aunt lives on {} Street", "Ashgrove"),
            ("my favourite cereal is {}", "Cheerios"),
            ("my car is a {}", "Peugeot"),
        ),
        HOUSE_ASKS,
        _TWO_VOICES,
    ),
    NameList(
        "hamlet",
        (
            ("my wife's name is {}", "Beatrice Grainne Sunita Paloma Malgorzata"),
            ("my brother's name is {}", "Nigel Diarmuid Chinedu Santiago Grzegorz"),
            ("my sister's name is {}", "Harriet Bukola Marisol Lavanya"),
            ("my friend's name is {}", "Tyrone Pawel Ifeanyi Manpreet"),
            ("my neighbour's name is {}", "Throckmorton Villanueva Mukherjee Lewandowski"),
            ("my dog's name is {}", "Humphrey Peanut Dexter"),
            ("my cat's name is {}", "Shadow Matilda"),
            ("we went on holiday to {}", "Bournemouth Alicante Pondicherry Sorrento"),
            ("my parents went to {}", "Enugu Sacramento Torquay"),
            ("I take {} every morning", "aspirin codalgin tramadol fexofenadine oxytetracycline indapamide"),
            ("my uncle lives on {} Street", "Carrington"),
            ("my aunt lives on {} Street", "Hawthorn"),
            ("my favourite cereal is {}", "Shreddies"),
            ("my car is a {}", "Hyundai"),
        ),
        HOUSE_ASKS,
        _TWO_VOICES,
    ),
    NameList(
        "dale",  # this and the following: plurals, possessives, names of two words and such as follow "a"
        (
            ("my wife's name is {}", "Rosemary Ciara Anoushka Xiaoli Marijke"),
            ("my brother's name is {}", "Desmond Fionn Uchenna Mateusz Ramiro"),
            ("my sister's name is {}", "Lorraine Ayesha Wanjiku Ieva"),
            ("my friend's name is {}", "Deshawn Kasper Jaswinder Mary_Beth"),
            ("my landlord's name is {}", "Hollingsworth Yamaguchi Zielinski Abernathy"),
            ("my dog's name is {}", "Toffee Rocket"),
            ("my cat's name is {}", "Smudge Nala"),
            ("we went on holiday to {}", "Lisbon Windhoek Galapagos Costa_Brava"),
            ("my parents went to {}", "Wolverhampton Chattanooga Jodhpur"),
            ("I take {} every morning", "omeprazole baclofen tirzepatide nortriptyline felodipine rivaroxaban"),
            ("my uncle lives on {} Street", "Maplewood"),
            ("my aunt lives on {} Street", "Kensington"),
            ("my favourite cereal is {}", "Frosties"),
            ("my dad drives a {}", "Vauxhall"),
            ("my boss drives a {}", "Toyota"),
        ),
        DALE_ASKS,
        _PIPER,
    ),
    NameList(
        "vale",
        (
            ("my wife's name is {}", "Georgina Roisin Harini Zhenya Annika"),
            ("my brother's name is {}", "Leopold Cathal Olusegun Przemyslaw Esteban"),
            ("my sister's name is {}", "Marjorie Fatoumata Noor Violeta"),
            ("my friend's name is {}", "Tremaine Lars Balwinder Anna_Lena"),
            ("my landlord's name is {}", "Butterworth Takahashi Kaminski Oduya"),
            ("my dog's name is {}", "Crumpet Turbo"),
            ("my cat's name is {}", "Socks Willow"),
            ("we went on holiday to {}", "Valencia Kampala Bologna Puerto_Rico"),
            ("my parents went to {}", "Middlesbrough Albuquerque Mysore"),
            ("I take {} every morning", "metolazone trazodone semaglutide cyclizine lercanidipine edoxaban"),
            ("my uncle lives on {} Street", "Elmhurst"),
            ("my aunt lives on {} Street", "Beaumont"),
            ("my favourite cereal is {}", "Ricicles"),
            ("my dad drives a {}", "Renault"),
            ("my boss drives a {}", "Subaru"),
        ),
        VALE_ASKS,
        _PIPER,
    ),
    NameList(
        "hearth",  # what families here and there are mostly called; without help most are heard right
        (
            ("my wife's name is {}", "Sarah Priya Emily Fatima Rachel"),
            ("my brother's name is {}", "Oliver Mateo Jamal Lukas Patrick"),
            ("my sister's name is {}", "Hannah Aisha Sofia Chloe Megan"),
            ("my friend's name is {}", "Ethan Diego Nadia Kevin"),
            ("my landlord's name is {}", "Patel Murphy Kowalski Jackson"),
            ("my dog's name is {}", "Biscuit Rex Luna"),
            ("my cat's name is {}", "Pepper Milo"),
            ("we went on holiday to {}", "Dublin Seattle Lisbon Jaipur"),
            ("my parents went to {}", "Bristol Denver Nairobi"),
            ("I take {} every morning", "ibuprofen metformin ramipril amoxicillin"),
            ("my uncle lives on {} Street", "Church"),
            ("my aunt lives on {} Street", "Victoria"),
            ("my favourite cereal is {}", "Cheerios"),
            ("my dad drives a {}", "Honda"),
            ("my boss drives a {}", "Volvo"),
        ),
        GLEN_ASKS,
        _PIPER,
    ),
    NameList(
        "glen",
        (
            ("my wife's name is {}", "Henrietta Orlaith Chandrika Mingxia Saskia"),
            ("my brother's name is {}", "Clifford Padraig Adewale Zdzislaw Leandro"),
            ("my sister's name is {}", "Winifred Nomvula Soraya Daina"),
            ("my friend's name is {}", "Jermaine Mikkel Kulwinder Jean_Paul"),
            ("my landlord's name is {}", "Wigglesworth Kobayashi Dabrowski Achebe"),
            ("my dog's name is {}", "Nugget Bruno"),
            ("my cat's name is {}", "Pumpkin Misty"),
            ("we went on holiday to {}", "Marbella Antananarivo Verona Cape_Verde"),
            ("my parents went to {}", "Huddersfield Tallahassee Madurai"),
            ("I take {} every morning", "bumetanide risperidone liraglutide promethazine nebivolol dabigatran"),
            ("my uncle lives on {} Street", "Oakfield"),
            ("my aunt lives on {} Street", "Lancaster"),
            ("my favourite cereal is {}", "Oatibix"),
            ("my dad drives a {}", "Mitsubishi"),
            ("my boss drives a {}", "Citroen"),
        ),
        GLEN_ASKS,
        _PIPER,
    ),
)
