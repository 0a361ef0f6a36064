"""The commands: parse, call, render. No logic lives here."""
