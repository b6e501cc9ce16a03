"""llama.cpp, loaded once: its functions as `llama`, its chatter in Python's log at DEBUG instead of on stderr."""

from __future__ import annotations

import ctypes
import logging
from typing import Any

import llama_cpp
import llama_cpp.llama_cpp as llama

__all__ = ["StopFlag", "library_version", "llama"]

log = logging.getLogger(__name__)


@llama.llama_log_callback  # type: ignore[untyped-decorator]
def _to_log(_level: int, text: bytes, _data: object) -> None:
    if log.isEnabledFor(logging.DEBUG):
        log.debug("%s", text.decode("utf-8", "replace").rstrip())


# llama.cpp keeps the bare pointer: `_to_log` has to live as long as this module.
llama.llama_log_set(_to_log, ctypes.c_void_p(0))
llama.llama_backend_init()


# llama.cpp asks its abort callback after each node of the graph. A Python function would need the interpreter's lock
# there, so this is one of the C library: the length of a text at a fixed address, which is 0 (false) or 1 (true).
_IS_SET = ctypes.cast(ctypes.CDLL(None).strlen, llama.ggml_abort_callback)


class StopFlag:
    """Ends a native computation early. Any thread may set it; it lives as long as the context that asks it."""

    def __init__(self) -> None:
        self._text = ctypes.create_string_buffer(2)

    def set(self) -> None:
        self._text[0] = b"!"

    def clear(self) -> None:
        self._text[0] = b"\0"

    def attach(self, params: Any) -> None:
        """Has the context that is made with these `llama_context_params` ask this flag."""
        params.abort_callback = _IS_SET
        params.abort_callback_data = ctypes.addressof(self._text)


def library_version() -> str:
    """The version of llama-cpp-python, which has llama.cpp compiled in."""
    return str(llama_cpp.__version__)
