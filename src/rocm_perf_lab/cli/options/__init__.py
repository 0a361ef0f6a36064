"""What commands share: options and their values, from the command line, variables and rocm-perf.toml."""
