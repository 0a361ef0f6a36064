"""The evidence of an accepted change: bundled, read, run again."""
