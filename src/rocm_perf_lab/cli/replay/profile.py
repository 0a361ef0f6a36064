"""``rocm-perf replay profile``: hardware counters or a thread trace of the replayed kernel."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from rocm_perf_lab.cli.options.as_json import THE_RESULT
from rocm_perf_lab.cli.options.capture_choice import CAPTURE_DIR, chosen_capture
from rocm_perf_lab.cli.options.of_request import request_options
from rocm_perf_lab.cli.options.trust import asker
from rocm_perf_lab.replaying.request import ReplayProfileRequest

_COUNTER = re.compile(r"[A-Za-z_][\w:]*(\[\d+\])?")


def one_counter_each(arguments: Sequence[str]) -> list[str]:
    """``--pmc A B C``, as rocprofv3 takes it, written as ``--pmc A --pmc B --pmc C``."""
    result: list[str] = []
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if word != "--pmc":
            result.append(word)
            continue
        names: list[str] = []
        while waiting and _COUNTER.fullmatch(waiting[0]) and not Path(waiting[0]).is_dir():
            names.append(waiting.pop(0))
        result += [part for name in names for part in ("--pmc", name)] or ["--pmc"]
    return result


class CounterCommand(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, one_counter_each(args))


@click.command(name="profile", cls=CounterCommand)
@request_options(ReplayProfileRequest, CAPTURE_DIR, ..., THE_RESULT)
@click.argument("capture", required=False, type=click.Path(path_type=Path))
def profile_command(capture: Path | None, capture_dir: Path | None, as_json: bool, **options: Any) -> None:
    """Counters or a thread trace of the kernel in CAPTURE, every pass from the same captured state.

    \b
      rocm-perf replay profile isolate_capture --pmc SQ_WAVES SQ_INSTS_VALU TCC_HIT
      rocm-perf replay profile isolate_capture --att
    """
    folder = chosen_capture(capture, capture_dir)

    from rocm_perf_lab.api.captures.replay_profile import replay_profile
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.progress import Progress

    document = replay_profile(folder, **options, ask=asker(), progress=Progress())
    if as_json:
        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.replay_profile import render_profile

        click.echo(render_profile(document), nl=False)
