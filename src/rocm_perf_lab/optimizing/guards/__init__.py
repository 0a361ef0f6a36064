"""What a change must hold to before anything of it runs: in the source, and in the code object."""
