"""``rocm-perf replay reserve-check`` and ``replay full-vm``. Start-up counts: nothing heavy is imported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from rocm_perf_lab.cli.options.as_json import THE_RESULT
from rocm_perf_lab.cli.options.capture_choice import chosen_capture
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.trust import asker
from rocm_perf_lab.replaying.request import FullVmRequest

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
@request_options(FullVmRequest, _CAPTURE_DIR, ..., "trust", "raw", THE_RESULT)
@click.argument("capture", required=False, type=_FOLDER)
def full_vm_command(capture: Path | None, capture_dir: Path | None, as_json: bool, **options: Any) -> None:
    """Replay CAPTURE at its addresses, in a fresh process, and say how long the GPU took.

    Every iteration starts from the captured state; with --no-recopy, from what the one before left.

    \b
      rocm-perf replay full-vm isolate_capture --iterations 20 --warmup 2
      rocm-perf replay full-vm isolate_capture --hsaco variant.hsaco --json
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.api.captures.replay import replay
    from rocm_perf_lab.profiling.progress import Progress

    document = replay(folder, **options, ask=asker(), progress=Progress())
    if as_json:
        from rocm_perf_lab.contracts.text import to_text

        sys.stdout.write(to_text(document))
    else:
        from rocm_perf_lab.reporting.terminal.replay import render_replay

        click.echo(render_replay(document), nl=False)
