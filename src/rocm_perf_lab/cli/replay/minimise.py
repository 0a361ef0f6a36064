"""``rocm-perf replay minimise``: a capture with only the pages that the kernel touches."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rocm_perf_lab.cli.options.as_json import THE_RESULT
from rocm_perf_lab.cli.options.capture_choice import CAPTURE_DIR, chosen_capture
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.trust import asker
from rocm_perf_lab.errors import VALIDATION_FAILED
from rocm_perf_lab.replaying.request import MinimiseRequest


@click.command(name="minimise")
@request_options(MinimiseRequest, CAPTURE_DIR, ..., THE_RESULT)
@click.argument("capture", required=False, type=click.Path(path_type=Path))
def minimise_command(capture: Path | None, capture_dir: Path | None, as_json: bool, **options: Any) -> int:
    """Make a capture with only the pages of CAPTURE that the kernel touches, and prove it again.

    What the kernel touches is seen exactly by the virtual GPU; on hardware this needs the virtual ROCm.

    \b
      rocm-perf replay minimise isolate_capture --out small_capture
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.api.captures.minimise import minimise
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.progress import Progress

    document = minimise(folder, **options, ask=asker(), progress=Progress())
    if as_json:
        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.validation import render_minimisation

        click.echo(render_minimisation(document), nl=False)
    return 0 if document.validation.verdict == "passed" else VALIDATION_FAILED
