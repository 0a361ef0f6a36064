"""``rocm-perf compare``: whether a program became faster or slower, kernel by kernel."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rocm_perf_lab.cli.kernel_pattern import kernel_pattern
from rocm_perf_lab.cli.percentage import share_of
from rocm_perf_lab.errors import REGRESSION_FOUND, BadInput, UsageProblem

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.comparison import ComparisonDocument, Difference
    from rocm_perf_lab.contracts.profile import ProfileDocument

ASPECTS = ("origin", "gpu", "clocks", "command", "environment", "filter")


@click.command()
@click.option("--also-base", multiple=True, type=click.Path(path_type=Path), help="More runs of BASE.")
@click.option("--also-new", multiple=True, type=click.Path(path_type=Path), help="More runs of NEW.")
@click.option("--kernel", "kernel_filter", metavar="REGEX", help="Only kernels whose name matches somewhere.")
@click.option("--relevant", metavar="PERCENT", default="1%", show_default=True, help="Less is no change.")
@click.option("--fail-on-regression", "limit", metavar="PERCENT", help="Exit with 8 if slower by more.")
@click.option("--allow", multiple=True, type=click.Choice(ASPECTS), help="Compare although this differs.")
@click.option("--force", is_flag=True, help="Compare whatever differs.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and nothing else, on stdout.")
@click.option(
    "--markdown", type=click.Path(path_type=Path, allow_dash=True), help="Write it there; - is stdout."
)
@click.option("--junit", type=click.Path(path_type=Path), help="Write JUnit XML there.")
@click.argument("base", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
def command(
    base: Path,
    new: Path,
    also_base: tuple[Path, ...],
    also_new: tuple[Path, ...],
    kernel_filter: str | None,
    relevant: str,
    limit: str | None,
    allow: tuple[str, ...],
    force: bool,
    as_json: bool,
    markdown: Path | None,
    junit: Path | None,
) -> int:
    """Say whether NEW is faster or slower than BASE: in total and for each kernel.

    Both are run folders of rocm-perf profile, or traces as rocm-perf analyze takes them. Times come from all
    runs of a side; with one run, or runs that scatter much, the verdict is "undecided".

    \b
      rocm-perf compare .rocm-perf/before .rocm-perf/after
      rocm-perf compare before.db after.db --fail-on-regression 5% --junit compare.xml
    """
    from rocm_perf_lab.analysis.compare import compare

    to_stdout = markdown is not None and str(markdown) == "-"
    if as_json and to_stdout:
        raise UsageProblem("--json and --markdown - each want stdout for themselves", "give one of them")
    kernel_pattern(kernel_filter)
    least, most = (
        share_of(relevant, "--relevant"),
        None if limit is None else share_of(limit, "--fail-on-regression"),
    )
    before = _side((base, *also_base), kernel_filter, force, allow)
    after = _side((new, *also_new), kernel_filter, force, allow)
    document = compare(
        before,
        after,
        base_name=str(base),
        new_name=str(new),
        allowed=_allowed(before, after, ("base", "new"), force, allow),
        relevant=least,
        fail_on_regression=most,
    )
    _print(document, as_json, to_stdout)
    if markdown is not None and not to_stdout:
        from rocm_perf_lab.report.compare_markdown import render as as_markdown

        _write(markdown, as_markdown(document))
    if junit is not None:
        from rocm_perf_lab.report.junit import render as as_junit

        _write(junit, as_junit(document))
    return REGRESSION_FOUND if document.regressions else 0


def _side(
    paths: tuple[Path, ...], kernel_filter: str | None, force: bool, allow: tuple[str, ...]
) -> ProfileDocument:
    from rocm_perf_lab.analysis.compare_sides import only_kernels, together

    profiles = [only_kernels(_profile(path), kernel_filter) for path in paths]
    for path, other in zip(paths[1:], profiles[1:], strict=True):
        _allowed(profiles[0], other, (str(paths[0]), str(path)), force, allow)
    return together(profiles)


def _profile(path: Path) -> ProfileDocument:
    """What was written when the run was made; of bare traces, what they tell now."""
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.contracts.profile import ProfileDocument
    from rocm_perf_lab.profile.roofline_wish import RooflineWish
    from rocm_perf_lab.profile.saved_traces import read_saved

    file = path / "profile.json" if path.is_dir() else path
    if file.name.endswith("profile.json") and file.is_file():
        try:
            return from_json(ProfileDocument, file.read_bytes(), str(file))
        except OSError as problem:
            raise BadInput(f"{file} cannot be read: {problem.strerror}") from problem
        except BadInput:  # of another version: the databases say what matters
            if not path.is_dir():
                raise
    if path.is_dir() and not any(path.iterdir()):
        raise BadInput(f"{path} is empty", "name a run folder or a trace")
    if (path / "failure.json").is_file():
        raise BadInput(f"{path} is of a run that failed: there is nothing to compare", "profile it again")
    return read_saved((path,), None, RooflineWish()).profile


def _allowed(
    base: ProfileDocument, new: ProfileDocument, names: tuple[str, str], force: bool, allow: tuple[str, ...]
) -> list[Difference]:
    """The differences that the user puts up with; raises at the others."""
    from rocm_perf_lab.analysis.compare_settings import differences

    found = differences(base, new)
    refused = [one for one in found if one.aspect == "figure" or not (force or one.aspect in allow)]
    if refused:
        listed = "; ".join(f"{one.what}: {one.base} and {one.new}" for one in refused[:4])
        aspects = dict.fromkeys(one.aspect for one in refused)
        options = " ".join(f"--allow {aspect}" for aspect in aspects)
        remedy = (
            "take both with or both without --no-rocprof" if "figure" in aspects else f"{options}, or --force"
        )
        raise UsageProblem(f"{names[0]} and {names[1]} are not comparable: {listed}", remedy)
    return found


def _print(document: ComparisonDocument, as_json: bool, as_markdown: bool) -> None:
    if as_json:
        from rocm_perf_lab.contracts.documents import to_json

        sys.stdout.write(to_json(document))
    elif as_markdown:
        from rocm_perf_lab.report.compare_markdown import render as markdown

        click.echo(markdown(document), nl=False)
    else:
        from rocm_perf_lab.report.compare_terminal import render

        click.echo(render(document), nl=False)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageProblem(f"{path} cannot be written: {problem.strerror}", "name another file") from None
