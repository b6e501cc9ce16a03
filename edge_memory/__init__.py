"""Lo-Bug's memory engine: a library over one SQLite file. It knows no HTTP, no device and no llama.cpp."""
