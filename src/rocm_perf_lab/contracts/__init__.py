"""The documents the product writes and reads: frozen dataclasses, checked at the file edge."""
