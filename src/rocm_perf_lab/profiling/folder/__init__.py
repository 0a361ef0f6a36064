"""The folder of a run: made, marked until it is whole, and the setting that the run was made in."""
