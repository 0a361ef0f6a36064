"""``rocm-perf replay reserve-check`` and ``replay full-vm``. Start-up counts: nothing heavy is imported."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rocm_perf_lab.cli.options.capture_choice import chosen_capture
from rocm_perf_lab.cli.options.trust import asker, trust_option

_FOLDER = click.Path(path_type=Path)
_CAPTURE_DIR = click.option(
    "--capture-dir",
    type=_FOLDER,
    help="The capture. [default: isolate_capture or the only isolate_capture_*]",
)


@click.command(name="reserve-check")
@_CAPTURE_DIR
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, and nothing else.")
@click.argument("capture", required=False, type=_FOLDER)
def reserve_check_command(capture: Path | None, capture_dir: Path | None, as_json: bool) -> int:
    """Say whether every address of CAPTURE can be had here: exit code 0 exact, 1 failed, 2 relocated.

    \b
      rocm-perf replay reserve-check isolate_capture
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.api.captures.replay import reserve_check
    from rocm_perf_lab.replaying.reserve_check import EXIT_CODES

    document = reserve_check(folder)
    if as_json:
        from rocm_perf_lab.contracts.text import to_text

        sys.stdout.write(to_text(document))
    else:
        from rocm_perf_lab.reporting.terminal.replay import render_reserve_check

        click.echo(render_reserve_check(document), nl=False)
    return EXIT_CODES[document.outcome]


@click.command(name="full-vm")
@_CAPTURE_DIR
@click.option(
    "--iterations", type=click.IntRange(min=1), default=1, show_default=True, help="Timed executions."
)
@click.option("--warmup", type=click.IntRange(min=0), default=0, show_default=True, help="Executions before.")
@click.option("--no-recopy", is_flag=True, help="Restore memory once, not before every iteration.")
@click.option("--cold", is_flag=True, help="Flush the caches before every iteration.")
@click.option("--hsaco", type=_FOLDER, help="A variant: code object, or program or bundle with it.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds that one execution may take."
)
@trust_option
@click.option("--raw", is_flag=True, help="Give the time of every iteration.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, and nothing else.")
@click.argument("capture", required=False, type=_FOLDER)
def full_vm_command(
    capture: Path | None,
    capture_dir: Path | None,
    iterations: int,
    warmup: int,
    no_recopy: bool,
    cold: bool,
    hsaco: Path | None,
    timeout: float | None,
    trust: bool,
    raw: bool,
    as_json: bool,
) -> None:
    """Replay CAPTURE at its addresses, in a fresh process, and say how long the GPU took.

    Every iteration starts from the captured state; with --no-recopy, from what the one before left.

    \b
      rocm-perf replay full-vm isolate_capture --iterations 20 --warmup 2
      rocm-perf replay full-vm isolate_capture --hsaco variant.hsaco --json
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.api.captures.replay import replay
    from rocm_perf_lab.profiling.progress import Progress

    document = replay(
        folder,
        iterations=iterations,
        warmup=warmup,
        recopy=not no_recopy,
        cold=cold,
        hsaco=hsaco,
        timeout=timeout,
        raw=raw,
        trust=trust,
        ask=asker(),
        progress=Progress(),
    )
    if as_json:
        from rocm_perf_lab.contracts.text import to_text

        sys.stdout.write(to_text(document))
    else:
        from rocm_perf_lab.reporting.terminal.replay import render_replay

        click.echo(render_replay(document), nl=False)
