"""Where tasks run: here, on the GPUs of this machine, on a Dask cluster. Tunings, suites and analyses of many
traces use the same."""
