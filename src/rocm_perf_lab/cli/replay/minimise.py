"""``rocm-perf replay minimise``: a capture with only the pages that the kernel touches."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rocm_perf_lab.cli.options.capture_choice import chosen_capture
from rocm_perf_lab.cli.options.trust import asker, trust_option
from rocm_perf_lab.errors import VALIDATION_FAILED

_FOLDER = click.Path(path_type=Path)


@click.command(name="minimise")
@click.option("--capture-dir", type=_FOLDER, help="The capture, where it is not named as CAPTURE.")
@click.option("--out", type=_FOLDER, help="Folder to make. [default: CAPTURE_minimised]")
@click.option(
    "--runs", type=click.IntRange(min=2), default=3, show_default=True, help="Fresh processes of the proof."
)
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds that one execution may take."
)
@trust_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, and nothing else.")
@click.argument("capture", required=False, type=_FOLDER)
def minimise_command(
    capture: Path | None,
    capture_dir: Path | None,
    out: Path | None,
    runs: int,
    timeout: float | None,
    trust: bool,
    as_json: bool,
) -> int:
    """Make a capture with only the pages of CAPTURE that the kernel touches, and prove it again.

    What the kernel touches is seen exactly by the virtual GPU; on hardware this needs the virtual ROCm.

    \b
      rocm-perf replay minimise isolate_capture --out small_capture
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.api.captures.minimise import minimise
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.progress import Progress

    document = minimise(
        folder, out=out, runs=runs, timeout=timeout, trust=trust, ask=asker(), progress=Progress()
    )
    if as_json:
        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.validation import render_minimisation

        click.echo(render_minimisation(document), nl=False)
    return 0 if document.validation.verdict == "passed" else VALIDATION_FAILED
