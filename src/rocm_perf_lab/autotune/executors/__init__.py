"""Where trials run: here, on the GPUs of this machine, on a Dask cluster."""
