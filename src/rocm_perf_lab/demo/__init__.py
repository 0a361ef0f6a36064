"""The demonstration: a small program with two streams, and the commands that are shown on it."""
