"""Says whether a program became faster or slower, as ``rocm-perf compare`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_perf_lab.api.arguments.keywords import keywords_of
from rocm_perf_lab.api.compare_request import CompareRequest
from rocm_perf_lab.api.run_object import Run
from rocm_perf_lab.errors import BadInput, UsageProblem
from rocm_perf_lab.requests.values import AnyPath

if TYPE_CHECKING:
    from rocm_perf_lab.contracts.profiling.comparison import ComparisonDocument, Difference
    from rocm_perf_lab.contracts.profiling.profile import ProfileDocument


@keywords_of(CompareRequest)
def compare(request: CompareRequest) -> ComparisonDocument:
    """Say whether ``new`` is faster or slower than ``base``: in total and for each kernel.

    Each is a run, a run folder, or a trace as ``analyze`` takes it; ``also_base`` and ``also_new`` are more
    runs of the same. Differences below ``relevant`` (a share: 0.01 is 1 %) are no change; what is slower by
    more than ``fail_on_regression`` is listed in ``regressions``. Runs that differ in their circumstances are
    refused, unless ``allow`` names the aspect or ``force`` is set.
    """
    from rocm_perf_lab.analysis.compare import compare as compared

    kernel, force, allow = request.kernel, request.force, request.allow
    before = _side((request.base, *request.also_base), kernel, force, allow)
    after = _side((request.new, *request.also_new), kernel, force, allow)
    return compared(
        before,
        after,
        base_name=_name(request.base),
        new_name=_name(request.new),
        allowed=_allowed(before, after, ("base", "new"), force, allow),
        relevant=request.relevant,
        fail_on_regression=request.fail_on_regression,
    )


def _name(run: Run | AnyPath) -> str:
    return str(run.documents.folder) if isinstance(run, Run) else str(run)


def _side(
    runs: Sequence[Run | AnyPath], kernel: str | None, force: bool, allow: Sequence[str]
) -> ProfileDocument:
    from rocm_perf_lab.analysis.compare_sides import only_kernels, together

    unfinished = force or "unfinished" in allow
    profiles = [only_kernels(_profile(run, unfinished), kernel) for run in runs]
    for run, other in zip(runs[1:], profiles[1:], strict=True):
        _allowed(profiles[0], other, (_name(runs[0]), _name(run)), force, allow)
    return together(profiles)


def _profile(run: Run | AnyPath, unfinished: bool) -> ProfileDocument:
    """What was written when the run was made; of bare traces, what they tell now."""
    from rocm_perf_lab.profiling.folder.unfinished import what_is_missing

    if not unfinished and not isinstance(run, Run):
        _refuse_unfinished(run, what_is_missing(Path(run)))  # before it is read, which may fail
    profile = run.profile if isinstance(run, Run) else _read(Path(run))
    if not unfinished:
        _refuse_unfinished(_name(run), profile.unfinished)
    return profile


def _refuse_unfinished(name: AnyPath, missing: Sequence[str]) -> None:
    if missing:
        raise BadInput(
            f"{name} is of a run that did not come to its end: {'; '.join(missing)}",
            "profile it again; --allow unfinished compares what there is",
        )


def _read(path: Path) -> ProfileDocument:
    from rocm_perf_lab.contracts.documents import from_json
    from rocm_perf_lab.contracts.profiling.profile import ProfileDocument
    from rocm_perf_lab.profiling.documents.saved_traces import read_saved
    from rocm_perf_lab.profiling.request import RooflineRequest

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
    return read_saved((path,), None, RooflineRequest()).profile


def _allowed(
    base: ProfileDocument, new: ProfileDocument, names: tuple[str, str], force: bool, allow: Sequence[str]
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
