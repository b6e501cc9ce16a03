"""English, as far as memory reads it: statements, slots and what they contradict, by rule."""
