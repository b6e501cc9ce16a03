from __future__ import annotations

import re as eager
import subprocess
import sys

from edge_memory import lazy_re as re

_COMPILED = """
import re
compiled = []
compile = re.compile
re.compile = lambda *given: compiled.append(given) or compile(*given)
from edge_memory import lazy_re
from edge_memory.observe.english import people
before = len(compiled)
lazy_re.compile_all()
print(before, len(compiled))
"""


def test_it_is_used_like_a_compiled_expression() -> None:
    lazy, real = re.compile(r"(?P<a>b+)-", re.IGNORECASE), eager.compile(r"(?P<a>b+)-", eager.IGNORECASE)
    text = "x BB-b-"
    assert (lazy.pattern, lazy.flags, lazy.groups) == (real.pattern, real.flags, real.groups)
    assert lazy.sub("", text) == real.sub("", text)
    assert lazy.findall(text) == real.findall(text)
    assert [one["a"] for one in lazy.finditer(text)] == ["BB", "b"]
    assert lazy.match(text) is None
    assert lazy.search(text, 3) is not None


def test_nothing_of_the_rules_is_compiled_before_it_is_needed() -> None:
    told = subprocess.run([sys.executable, "-c", _COMPILED], capture_output=True, text=True, check=True).stdout
    before, after = map(int, told.split())
    assert after > before + 100
