from __future__ import annotations

import pytest

from edge_memory.observe.english.disfluency import clean_up


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("um so i i tune uh pianos", "so i tune pianos"),
        ("im a tuner and she doesnt mind", "i'm a tuner and she doesn't mind"),
        ("my aunt you know my aunt Ingrid", "my aunt my aunt Ingrid"),
        ("the code is five five five", "the code is five five five"),
        ("the ferry goes on tuesday no wait wednesday", "the ferry goes on wednesday"),
        ("the ferry goes on Tuesday, sorry, I mean Wednesday at nine", "the ferry goes on Wednesday at nine"),
        ("her name is Anna, no, Hanna", "her name is Hanna"),
        ("we pay three no four crowns", "we pay four crowns"),
        ("i live in bergen i mean i live in oslo", "i live in oslo"),
        ("the choir meets on the ninth no wait the tenth", "the choir meets on the tenth"),
        ("we're after painting the boat and losing the brush", "we've painted the boat and lost the brush"),
        ("me aunt tunes pianos so she does", "my aunt tunes pianos"),
        ("the old hen died god rest her", "the old hen died"),
        ("sold the old boat in june", "I sold the old boat in june"),
        ("i cannae row and she didnae mind", "i can't row and she didn't mind"),
        ("name's ola", "my name's ola"),
        ("i ain't rowing no more", "i'm not rowing any more"),
        ("she up and moved to moss", "she moved to moss"),
        ("goin fishin this mornin", "going fishing this morning"),
        ("my uncle is goran, he rows", "my uncle is called goran, he rows"),
        ("our cook is berit", "our cook is called berit"),
        ("i am berit and i am the cook here", "my name is berit and i am the cook here"),
        ("ola done sold the boat", "ola has sold the boat"),
        ("we got us a goat", "we got a goat"),
        ("we sold the skiff and bought a punt", "we sold the skiff and bought a punt"),
        # what only looks like a slip
        ("my uncle is cranky, he rows", "my uncle is cranky, he rows"),
        ("my uncle is norwegian", "my uncle is norwegian"),
        ("i am tired and i am the cook here", "i am tired and i am the cook here"),
        ("got it", "got it"),
        ("had i known it was cold", "had i known it was cold"),
        ("we have no more oars", "we have no more oars"),
        ("the robin sings in the basin", "the robin sings in the basin"),
        ("she gave me aunt Ingrid's hat", "she gave me aunt Ingrid's hat"),
        ("I look after the hens", "I look after the hens"),
        ("I had to wait an hour", "I had to wait an hour"),
        ("I'm sorry I can't come", "I'm sorry I can't come"),
        ("there is no milk", "there is no milk"),
        ("I can't wait to see the play", "I can't wait to see the play"),
        ("do you know my aunt", "do you know my aunt"),
    ],
)
def test_what_was_meant(heard: str, meant: str) -> None:
    assert clean_up(heard) == meant
