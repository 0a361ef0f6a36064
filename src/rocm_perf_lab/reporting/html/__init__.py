"""The report as one HTML file: view-models are built first, then rendered."""
