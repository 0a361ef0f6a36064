"""rocprofv3's CSV tables."""
