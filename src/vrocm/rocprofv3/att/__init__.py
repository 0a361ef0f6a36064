"""Thread traces (ATT)."""
