"""Captures: made by the native tools library, read and checked here."""
