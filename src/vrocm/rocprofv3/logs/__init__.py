"""The logs of a traced run, read and made into one trace for each process."""
