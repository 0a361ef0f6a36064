"""Guarded changes of kernels: source model, guards, transforms, proposers, and the record of it all."""
