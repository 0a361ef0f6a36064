"""Replays of captured dispatches: run by the native tool, judged here."""
