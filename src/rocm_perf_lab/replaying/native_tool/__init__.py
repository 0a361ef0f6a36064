"""The native tool that replays: found, run in fresh processes, and what it says and leaves."""
