from __future__ import annotations

import inspect
import re

from edge_memory import errors
from edge_memory.errors import EdgeMemoryError

CLASSES = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, EdgeMemoryError)]
_BRANCH = re.compile(r"^([│├└─ ]*)(\w+)", re.MULTILINE)


def drawn_tree() -> dict[str, str | None]:
    """Each class of the module docstring with the one that it hangs from."""
    assert errors.__doc__ is not None
    tree = errors.__doc__.split("\n\n", 1)[1]
    parents: dict[str, str | None] = {}
    path: list[str] = []
    for branch, name in _BRANCH.findall(tree):
        depth = len(branch) // 4
        path[depth:] = [name]
        parents[name] = path[depth - 1] if depth else None
    return parents


def test_every_error_stands_where_the_tree_is_drawn() -> None:
    real = {kind.__name__: kind.__base__.__name__ if kind is not EdgeMemoryError else None for kind in CLASSES}
    assert drawn_tree() == real


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [vars(kind)["code"] for kind in CLASSES]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z_]+", code) for code in codes)


def test_every_error_carries_what_to_do_next() -> None:
    for kind in CLASSES:
        error = kind("it broke", "mend it")
        assert (str(error), error.message, error.hint) == ("it broke", "it broke", "mend it")
