"""What is expected of configurations that were not run: regression on what is known before running them."""
