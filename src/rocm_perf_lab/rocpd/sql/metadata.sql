-- What the database says of itself: schema_version, and one guid per process that was merged into the file.
SELECT tag, value FROM rocpd_metadata
