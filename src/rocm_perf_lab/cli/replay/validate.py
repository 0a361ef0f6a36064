"""``rocm-perf replay validate``: proves that replays give what the program got, and judges a variant."""

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
from rocm_perf_lab.replaying.request import ValidateRequest


@click.command(name="validate")
@request_options(ValidateRequest, CAPTURE_DIR, ..., THE_RESULT)
@click.argument("capture", required=False, type=click.Path(path_type=Path))
def validate_command(capture: Path | None, capture_dir: Path | None, as_json: bool, **options: Any) -> int:
    """Prove that replays of CAPTURE give what the program got; with --hsaco, that a variant does, too.

    The original is replayed in fresh processes (self-replay), a kernel that does nothing has to be found out
    (negative control), bytes that are only written hold poison before each run. Exit code 10: outputs differ,
    or the proof is void.

    \b
      rocm-perf replay validate isolate_capture
      rocm-perf replay validate isolate_capture --hsaco variant.hsaco
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.api.captures.replay import validate
    from rocm_perf_lab.profiling.progress import Progress

    document = validate(folder, **options, ask=asker(), progress=Progress())
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.validation import render_validation

        click.echo(render_validation(document), nl=False)
    return 0 if document.verdict == "passed" else VALIDATION_FAILED
