"""Files of search spaces and of tunings: our own and those of the auto-tuning community, one file each."""
