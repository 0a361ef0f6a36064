"""The documents the product writes and reads: frozen dataclasses, checked by pydantic at the file edge."""
