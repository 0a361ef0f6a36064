"""What a HIP source says of its kernels, read with a real parser."""
