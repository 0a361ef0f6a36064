"""``rocm-perf verify``: run the evidence of an accepted change again."""

from __future__ import annotations

from pathlib import Path

import click

from rocm_perf_lab.cli.options.trust import asker, trust_option
from rocm_perf_lab.errors import VERIFICATION_FAILED


@click.command()
@click.option(
    "--no-run", is_flag=True, help="Build and run nothing of the bundle: hashes, diff and guard alone."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    help="Seconds a run may take.",
)
@trust_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("bundle", type=click.Path(path_type=Path))
def command(bundle: Path, no_run: bool, timeout: float, trust: bool, as_json: bool) -> int:
    """Run what speaks for an accepted change again, and say of each claim whether it holds here.

    \b
      rocm-perf verify bundle.tar
      rocm-perf verify --no-run bundle.tar

    BUNDLE is a file that rocm-perf optimize made. Its build command and its program are run, in the working
    folder, with the arguments that it names. If it was not made here, you are shown what would be run and
    asked first; without a terminal that is exit code 13. Exit code 0 only if every claim is confirmed.
    """
    from rocm_perf_lab.api.verify import verify
    from rocm_perf_lab.contracts.documents import to_json
    from rocm_perf_lab.profiling.progress import Progress
    from rocm_perf_lab.reporting.terminal.verify import render

    document = verify(bundle, run=not no_run, timeout=timeout, trust=trust, ask=asker(), progress=Progress())
    click.echo(to_json(document) if as_json else render(document), nl=False)
    return 0 if document.verdict == "confirmed" else VERIFICATION_FAILED
