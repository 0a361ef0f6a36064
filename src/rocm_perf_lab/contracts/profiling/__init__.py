"""Documents of profiles and of traces: what time goes where, and what holds kernels back."""
