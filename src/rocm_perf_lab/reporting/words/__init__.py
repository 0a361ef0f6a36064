"""What all reports say in the same words: figures, names of kernels, verdicts, what to do next."""
