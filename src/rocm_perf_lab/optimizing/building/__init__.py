"""How a program is built, found out and done again for a variant."""
