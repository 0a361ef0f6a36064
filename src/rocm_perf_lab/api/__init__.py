"""The product as Python functions: what each command does, without printing it."""
