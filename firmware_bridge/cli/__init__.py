"""The command line. Verbs that need no model start at once: heavy imports wait until they are used."""

from firmware_bridge.cli.main import main

__all__ = ["main"]
