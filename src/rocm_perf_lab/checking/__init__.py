"""Runs a program on the virtual GPU while its kernels are watched, and says which defects showed."""
