"""The Python API from one end to the other, as cells of a notebook; needs hipcc on PATH and writes here."""

# %% A program to look at: two kernels on two streams.
import subprocess
import sys
from pathlib import Path

import rocm_perf_lab as rpl

here = Path(__file__).parent
if not Path("two_streams").exists():
    subprocess.run(["hipcc", "-O2", "-g", here / "two_streams.hip", "-o", "two_streams"], check=True)

# %% Where does its GPU time go? `progress` is called as each pass begins.
run = rpl.profile(
    "./two_streams",
    runs=2,
    focus_critical=True,
    progress=lambda step, done, total: print(f"[{done}/{total}] {step}", file=sys.stderr),
)
print(f"{run.runtime_ms:.3g} ms, {run.origin}")
for kernel in run.kernels:
    print(f"{kernel.share:6.1%}  {kernel.name}")

# %% What holds the first kernel back, and how do we know?
worst = run.kernels[0]
assert worst.bottleneck is not None
print(worst.bottleneck.label, f"(certainty {worst.bottleneck.certainty})")
for evidence in worst.bottleneck.evidence:
    print(" ", evidence.statement)
for name, reason in worst.missing.items():
    print("  not known:", name, "-", reason)

# %% Is it worth the work? Twice as fast would mean for the whole:
prediction = rpl.whatif(run, kernel=r"^scale", speedup=2)
print(f"{prediction.span_ns / 1e6:.3g} ms become {prediction.predicted_ns / 1e6:.3g} ms")

# %% One dispatch of it by itself: kept, replayed, proved.
capture = rpl.capture("./two_streams", kernel="scale", out="scale.capture", output_to_stderr=True)
replayed = rpl.replay(capture.folder, iterations=3)
print(f"replay: median {replayed.timing.median:g} us")
print("validation:", rpl.validate(capture.folder, runs=2).verdict)

# %% Only what the kernel touches, as one file to share, and back.
small = rpl.minimise(capture.folder, out="small.capture", runs=2)
print(f"minimised: {small.before.pages} pages become {small.after.pages}, {small.validation.verdict}")
rpl.export_capture("small.capture", "scale.tar")
print("in the file:", rpl.import_capture("scale.tar", out="again.capture").kernel)

# %% Later, or elsewhere: the run from its folder, compared with itself, and as a page.
again = rpl.load_run(run.folder or ".")
print("against itself:", rpl.compare(run, again).total.verdict)
print("page:", again.report("two_streams.html"))

# %% Errors say what is wrong and what to do.
try:
    rpl.profile("./three_streams")
except rpl.RocmPerfError as error:
    print(f"{error.cause}; {error.remedy}")
