"""Documents of changes: proposed, tried, accepted, verified, tuned."""
