"""Judges the timing model: builds the programs, runs them on the virtual GPU, compares with hardware."""
