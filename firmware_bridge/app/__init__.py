"""Where the rooms are built and introduced to each other."""
