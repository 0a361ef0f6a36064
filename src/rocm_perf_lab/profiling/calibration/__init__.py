"""The ceilings of a device, measured by microkernels and kept for later profiles."""
