"""Find a ROCm prefix, real or virtual, and ask its tools."""
