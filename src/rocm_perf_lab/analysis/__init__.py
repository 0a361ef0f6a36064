"""Pure functions from rows to results: no files, no clock, no drawing."""
