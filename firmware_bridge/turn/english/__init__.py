"""English: what is wished, asked and told."""
