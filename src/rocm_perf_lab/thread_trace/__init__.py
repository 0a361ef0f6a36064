"""Folders of the thread trace (ATT) that rocprofv3 writes: read and checked."""
