"""The running companion: it hears a turn, answers it with a local model, and hands it to memory."""

__version__ = "0.1.0"

URL_VARIABLE = "LOBUG_URL"  # where `lobug say` and `lobug chat` find the companion; no setting of its own
