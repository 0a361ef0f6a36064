"""Documents for other programs: Markdown, JUnit XML, CSV, Perfetto."""
