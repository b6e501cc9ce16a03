"""Reading safetensors files: 8 bytes of header length, a JSON header, then the tensors' bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firmware_bridge.errors import WeightsDamaged

_LENGTH_BYTES = 8
_DTYPES: dict[str, np.dtype[np.floating]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}


def read_tensors(path: Path) -> Iterator[tuple[str, npt.NDArray[np.floating]]]:
    """Every floating-point tensor with its name, in the order of the file; others are left out.

    Raises WeightsDamaged for a file that is not in this form.
    """
    try:
        raw = np.memmap(path, dtype=np.uint8, mode="r")
        start = _LENGTH_BYTES + int.from_bytes(raw[:_LENGTH_BYTES].tobytes(), "little")
        header = json.loads(raw[_LENGTH_BYTES:start].tobytes())
        header.pop("__metadata__", None)
        for name, tensor in header.items():
            dtype = _DTYPES.get(tensor["dtype"])
            if dtype is None:
                continue
            begin, end = tensor["data_offsets"]
            yield name, raw[start + begin : start + end].view(dtype).reshape(tensor["shape"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsDamaged(f"{path.name} is not a safetensors file ({error})") from error
