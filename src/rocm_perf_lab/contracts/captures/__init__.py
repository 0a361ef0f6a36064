"""Documents of captures and of their replays."""
