"""The passes of a profile: executions of the program under rocprofv3, one after another."""
