"""What is done with captured dispatches."""
