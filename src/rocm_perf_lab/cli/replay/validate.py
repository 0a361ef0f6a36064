"""``rocm-perf replay validate``: proves that replays give what the program got, and judges a variant."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rocm_perf_lab.cli.options.capture_choice import chosen_capture
from rocm_perf_lab.cli.options.judging import judging_options
from rocm_perf_lab.cli.options.trust import asker, trust_option
from rocm_perf_lab.errors import VALIDATION_FAILED

_FOLDER = click.Path(path_type=Path)


@click.command(name="validate")
@click.option("--capture-dir", type=_FOLDER, help="The capture, where it is not named as CAPTURE.")
@click.option(
    "--hsaco", type=_FOLDER, help="A variant to be judged: code object, or program or bundle with it."
)
@judging_options
@trust_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, and nothing else.")
@click.argument("capture", required=False, type=_FOLDER)
def validate_command(
    capture: Path | None,
    capture_dir: Path | None,
    hsaco: Path | None,
    runs: int,
    rtol: float | None,
    atol: float | None,
    tolerance: tuple[str, ...],
    iterations: int,
    timeout: float | None,
    trust: bool,
    as_json: bool,
) -> int:
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

    document = validate(
        folder,
        hsaco=hsaco,
        runs=runs,
        rtol=rtol,
        atol=atol,
        tolerance=tolerance,
        iterations=iterations,
        timeout=timeout,
        trust=trust,
        ask=asker(),
        progress=Progress(),
    )
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.validation import render_validation

        click.echo(render_validation(document), nl=False)
    return 0 if document.verdict == "passed" else VALIDATION_FAILED
