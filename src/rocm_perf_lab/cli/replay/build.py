"""``rocm-perf replay build``: a variant of the captured kernel from edited source, replayed and judged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rocm_perf_lab.api.captures.variant import build_variant
from rocm_perf_lab.cli.options.as_json import THE_RESULT
from rocm_perf_lab.cli.options.capture_choice import CAPTURE_DIR, chosen_capture
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.trust import asker
from rocm_perf_lab.errors import VALIDATION_FAILED
from rocm_perf_lab.replaying.request import BuildVariantRequest


@click.command(name="build")
@request_options(BuildVariantRequest, CAPTURE_DIR, ..., THE_RESULT)
@click.argument("capture", required=False, type=click.Path(path_type=Path))
def build_command(capture: Path | None, capture_dir: Path | None, as_json: bool, **options: Any) -> int:
    """Build a variant of the kernel in CAPTURE from edited source, prove that it gives the same, and time it.

    The code object for the captured GPU is taken out of what the build makes: a program, a library, an object
    file or a code object.

    \b
      rocm-perf replay build isolate_capture --source kernel.hip
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.progress import Progress

    document = build_variant(folder, **options, ask=asker(), progress=Progress())
    if as_json:
        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.validation import render_build

        click.echo(render_build(document), nl=False)
    failed = document.validation is not None and document.validation.verdict != "passed"
    return VALIDATION_FAILED if failed else 0
