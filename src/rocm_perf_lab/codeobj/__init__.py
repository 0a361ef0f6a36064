"""Code objects: the kernels in an executable or ELF file, with their metadata."""
