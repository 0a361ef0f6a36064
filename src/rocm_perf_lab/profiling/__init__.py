"""Drives rocprofv3 over a program, pass by pass, and keeps what comes out in a run folder."""
