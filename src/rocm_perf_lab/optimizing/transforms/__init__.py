"""Changes of a kernel's source, each with the conditions under which it keeps what the kernel computes."""
