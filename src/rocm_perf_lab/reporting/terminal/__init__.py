"""Documents for the terminal, each in a file of its name."""
