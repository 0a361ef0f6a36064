"""Finds the fastest configuration of a program in few runs."""
