"""German, as far as memory reads it: the same statements and slots as of English, from forms of its own."""
