"""The running companion: it hears a turn, answers it with a local model, and hands it to memory."""

from pathlib import Path

__version__ = "0.1.0"

SERVICE_FOLDER = Path("/var/lib/lobug")  # where the memory of `lobug service` lies
URL_VARIABLE = "LOBUG_URL"  # where `lobug say` and `lobug chat` find the companion; no setting of its own
