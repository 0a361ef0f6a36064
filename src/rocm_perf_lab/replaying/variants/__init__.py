"""Variants of a captured kernel: built, taken out of what a build made, judged and timed."""
