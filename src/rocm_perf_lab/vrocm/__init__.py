"""The virtual ROCm: a prefix with compiler, headers and runtimes over a gfx942 emulator."""
