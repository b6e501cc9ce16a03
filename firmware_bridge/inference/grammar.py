"""From a JSON schema to the grammar that holds a model to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from llama_cpp.llama_grammar import json_schema_to_gbnf

from firmware_bridge.errors import SchemaUnusable

# What the converter allows inside a JSON string, and what JSON allows: no bare control characters. Escaped code units
# are left out too, because half a surrogate pair is valid JSON but no text.
_LOOSE_CHARACTER = r'[^"\\] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F])'
_CHARACTER = r'[^"\\\x00-\x1F\x7F] | "\\" ["\\/bfnrt]'

# A schema may come from a stranger, and the converter spells every repetition out.
_MOST_CHARACTERS, _MOST_LEVELS, _MOST_REPETITIONS, _LARGEST_NUMBER = 20_000, 32, 256, 10**15
_REPETITIONS = frozenset({"minItems", "maxItems", "minLength", "maxLength"})
_CHOICES = frozenset({"enum", "anyOf", "oneOf", "allOf"})


def grammar_of(schema: Mapping[str, Any]) -> str:
    """The GBNF grammar of a JSON schema. Raises SchemaUnusable for one that the converter does not know, or that
    would make an endless grammar."""
    _check(schema)
    try:
        grammar: str = json_schema_to_gbnf(json.dumps(schema))
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise SchemaUnusable("no grammar can be made of this JSON schema", "use types, properties and enums") from error
    return grammar.replace(_LOOSE_CHARACTER, _CHARACTER)


def _check(schema: Mapping[str, Any]) -> None:
    try:
        characters = len(json.dumps(schema))
    except RecursionError:
        characters = _MOST_CHARACTERS + 1
    if characters > _MOST_CHARACTERS:
        raise SchemaUnusable(f"the JSON schema is too large, at most {_MOST_CHARACTERS} characters", "ask for less")
    level: list[Any] = [schema]
    for _ in range(_MOST_LEVELS):
        for node in level:
            if isinstance(node, dict):
                _check_node(node)
        level = [child for node in level for child in _children(node)]
        if not level:
            return
    raise SchemaUnusable(f"the JSON schema has more than {_MOST_LEVELS} levels", "make it flatter")


def _check_node(node: Mapping[str, Any]) -> None:
    for name, value in node.items():
        if name in _REPETITIONS and isinstance(value, int) and value > _MOST_REPETITIONS:
            raise SchemaUnusable(f"{name} is {value}", f"at most {_MOST_REPETITIONS}, or leave it out")
        if name in _CHOICES and value == []:
            raise SchemaUnusable(f"{name} is empty", "give something to choose from")
        if name == "pattern" and isinstance(value, str):
            raise SchemaUnusable("a pattern cannot be held to", "leave it out, or give an enum")
        if isinstance(value, int | float) and not abs(value) <= _LARGEST_NUMBER:
            raise SchemaUnusable(f"{name} is out of range", f"at most {_LARGEST_NUMBER}")


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []
