"""Builds: a user's build command run for a variant, within limits, where it can do no harm."""
