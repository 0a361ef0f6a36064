"""Captures as a regression suite: each is replayed, validated and timed, and its time compared."""
