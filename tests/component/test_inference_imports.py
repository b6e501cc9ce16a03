from __future__ import annotations

import subprocess
import sys

import pytest

PROBE = """
import sys
{statement}
print(sorted({{"llama_cpp", "aiohttp"}} & sys.modules.keys()))
"""


@pytest.mark.parametrize(
    ("statement", "loaded"),
    [
        ("import firmware_bridge.inference", "[]"),
        ("from firmware_bridge.inference import check_memory", "[]"),
        ("from firmware_bridge.inference import OpenAIChat", "['aiohttp']"),
        ("from firmware_bridge.inference import LlamaChat, LlamaEmbedder", "['llama_cpp']"),
    ],
)
def test_each_class_loads_only_what_it_needs(statement: str, loaded: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(statement=statement)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == loaded


def test_all_that_is_promised_can_be_imported_and_nothing_else() -> None:
    from firmware_bridge import inference

    for name in inference.__all__:
        assert getattr(inference, name)
    with pytest.raises(AttributeError, match="Nothing"):
        _ = inference.Nothing
