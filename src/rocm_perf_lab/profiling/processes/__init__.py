"""The processes that a profile starts: their command lines, environment, limits and end."""
