"""Traces of rocprofv3, whatever their format: opened, checked, merged and summed into typed rows."""
