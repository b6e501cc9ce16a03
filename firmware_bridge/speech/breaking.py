"""What native engines raise while they compute, as an error of ours."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_bridge.errors import BridgeError, SpeechUnusable

_log = logging.getLogger(__name__)


@contextmanager
def as_unusable(what: str) -> Iterator[None]:
    """Whatever breaks inside becomes SpeechUnusable. What it broke with may quote what was said: the log tells it at
    DEBUG only.
    """
    try:
        yield
    except BridgeError:
        raise
    except Exception as error:
        _log.debug("%s", what, exc_info=error)
        told = f"{what} ({type(error).__name__})"
        raise SpeechUnusable(told, "say it again; if it stays so, run `lobug doctor`") from error
