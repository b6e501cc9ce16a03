"""What the companion tells its log: lines for people, for systemd's journal, or a JSON object in each.

A record may have `fields`, which JSON keeps apart. Nothing that was said is told above DEBUG.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TextIO

_PLAIN = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_JOURNAL = "%(name)s: %(message)s"  # the journal keeps time and level itself
_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


class JournalLines(logging.Formatter):
    """Each line with its priority, as sd-daemon(3) has it."""

    def format(self, record: logging.LogRecord) -> str:
        prefix = f"<{_PRIORITIES.get(record.levelno, 6)}>"
        return "\n".join(prefix + line for line in super().format(record).splitlines())


def start_logging(level: str, form: str, environment: Mapping[str, str] = os.environ) -> None:
    """To stderr. `form` is plain or json."""
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(form, environment, sys.stderr))
    logging.basicConfig(level=level.upper(), handlers=[handler])


def _formatter(form: str, environment: Mapping[str, str], stream: TextIO) -> logging.Formatter:
    if form == "json":
        return JsonLines()
    return JournalLines(_JOURNAL) if _is_journal(environment, stream) else logging.Formatter(_PLAIN)


def _is_journal(environment: Mapping[str, str], stream: TextIO) -> bool:
    """Whether systemd reads this stream, by systemd.exec(5)'s JOURNAL_STREAM."""
    try:
        about = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM") == f"{about.st_dev}:{about.st_ino}"
