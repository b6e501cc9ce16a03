"""Which older records cannot be true beside a new statement, by the kind of what they tell."""
