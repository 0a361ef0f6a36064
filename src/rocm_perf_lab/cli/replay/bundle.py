"""``rocm-perf replay export`` and ``import``: a capture as one file to share, and back."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command("export")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("capture", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
def export_command(capture: Path, file: Path, as_json: bool) -> None:
    """Write CAPTURE as one FILE to share: with a manifest and hashes, without what tells of your machine.

    The memory of the program is in it as it was: look whether you may share that.

    \b
      rocm-perf replay export isolate_capture capture.tar
    """
    from rocm_perf_lab.api.captures.capture_file import export_capture

    document = export_capture(capture, file)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.bundle import exported

        click.echo(exported(document), nl=False)


@click.command("import")
@click.option("--out", type=click.Path(path_type=Path), help="Folder to make. [default: by the file's name]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.argument("file", type=click.Path(path_type=Path))
def import_command(file: Path, out: Path | None, as_json: bool) -> None:
    """Make a capture of a FILE that rocm-perf replay export wrote; every hash in it is checked.

    \b
      rocm-perf replay import capture.tar --out isolate_capture
    """
    from rocm_perf_lab.api.captures.capture_file import import_capture

    document = import_capture(file, out=out)
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    else:
        from rocm_perf_lab.reporting.terminal.bundle import imported

        click.echo(imported(document), nl=False)
