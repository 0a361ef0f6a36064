"""What happened when, as columns."""
