"""What an optimization keeps: its journal and folder, changes written and taken back."""
