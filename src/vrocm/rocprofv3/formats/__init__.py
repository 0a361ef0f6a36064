"""A trace as files: rocpd, CSV, JSON, Perfetto; and as the tables of --summary."""
