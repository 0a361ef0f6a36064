"""``rocm-perf doctor``: which ROCm is in use, what works, and how to mend what does not."""

from __future__ import annotations

import json

import click

from rocm_perf_lab.api.doctor import doctor
from rocm_perf_lab.rocm.diagnose import Diagnosis

MARKS = {"ok": "ok", "warning": "!!", "failed": "NO", "skipped": "--"}
COLOURS = {"ok": "green", "warning": "yellow", "failed": "red", "skipped": None}


def _print(result: Diagnosis) -> None:
    width = max(len(check.name) for check in result.checks)
    for check in result.checks:
        mark = click.style(MARKS[check.status], fg=COLOURS[check.status])
        click.echo(f"[{mark}] {check.name:<{width}}  {check.detail}")
        if check.remedy:
            click.echo(f"     {'':<{width}}  try: {check.remedy}")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--quick", is_flag=True, help="Do not compile and run a test program.")
def command(as_json: bool, quick: bool) -> int:
    """Say which ROCm is in use and why, what works, and how to mend what does not.

    Exit code 0 when everything needed works, 1 otherwise.

    \b
      rocm-perf doctor
      rocm-perf doctor --quick --json
    """
    result = doctor(quick=quick)
    if as_json:
        click.echo(json.dumps(result.document(), indent=2))
    else:
        _print(result)
    return 0 if result.healthy else 1
