"""``rocm-perf replay build``: a variant of the captured kernel from edited source, replayed and judged."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rocm_perf_lab.api.captures.variant import BUILD, build_variant
from rocm_perf_lab.cli.options.capture_choice import chosen_capture
from rocm_perf_lab.cli.options.judging import judging_options
from rocm_perf_lab.cli.options.trust import asker, trust_option
from rocm_perf_lab.errors import VALIDATION_FAILED

_PATH = click.Path(path_type=Path)


@click.command(name="build")
@click.option("--capture-dir", type=_PATH, help="The capture, where it is not named as CAPTURE.")
@click.option("--source", type=_PATH, required=True, help="The edited source file.")
@click.option(
    "--build",
    "build_command_line",
    metavar="COMMAND",
    default=BUILD,
    show_default=True,
    help="The program's own build; no shell runs it.",
)
@click.option("--out", type=_PATH, help="Code object to write. [default: SOURCE's name with .hsaco]")
@click.option("--no-replay", is_flag=True, help="Build and check it only.")
@judging_options
@trust_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, and nothing else.")
@click.argument("capture", required=False, type=_PATH)
def build_command(
    capture: Path | None,
    capture_dir: Path | None,
    source: Path,
    build_command_line: str,
    out: Path | None,
    no_replay: bool,
    runs: int,
    rtol: float | None,
    atol: float | None,
    tolerance: tuple[str, ...],
    iterations: int,
    timeout: float | None,
    trust: bool,
    as_json: bool,
) -> int:
    """Build a variant of the kernel in CAPTURE from edited source, prove that it gives the same, and time it.

    The code object for the captured GPU is taken out of what the build makes: a program, a library, an object
    file or a code object.

    \b
      rocm-perf replay build isolate_capture --source kernel.hip
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.progress import Progress

    document = build_variant(
        folder,
        source=source,
        build=build_command_line,
        out=out,
        replay=not no_replay,
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
        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.validation import render_build

        click.echo(render_build(document), nl=False)
    failed = document.validation is not None and document.validation.verdict != "passed"
    return VALIDATION_FAILED if failed else 0
