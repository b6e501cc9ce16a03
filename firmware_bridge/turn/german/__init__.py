"""German, as far as a turn needs it: reminders, wishes of memory, questions, and what must not be."""
