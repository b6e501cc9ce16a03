"""The languages that memory understands."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    ENGLISH = "en"
    GERMAN = "de"
