"""Words that clients of the Model Context Protocol read about options that several tools have."""

from __future__ import annotations

from rocm_perf_lab.requests.option import Offered

KERNELS_THAT_MATCH = Offered("Regular expression: only kernels whose name matches somewhere.")
NEW_FOLDER = Offered("A new folder in the roots; without it one is made and named in the result.")
SECONDS_OF_A_RUN = Offered("Seconds that one run may take.")
