"""rocm-perf-lab: measure, explain and improve HIP programs for AMD GPUs.

``import rocm_perf_lab as rpl; run = rpl.profile("./app"); run.kernels[0].bottleneck``: docs/reference/api.md.
What a name stands for is imported when it is first used: importing the package alone costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would have to be imported
if TYPE_CHECKING:
    from typing import Any

    from rocm_perf_lab.api.analyze import analyze as analyze
    from rocm_perf_lab.api.analyze_each import Analyses as Analyses
    from rocm_perf_lab.api.analyze_each import analyze_each as analyze_each
    from rocm_perf_lab.api.att import att as att
    from rocm_perf_lab.api.autotune import Tuned as Tuned
    from rocm_perf_lab.api.autotune import autotune as autotune
    from rocm_perf_lab.api.autotune import search_recorded as search_recorded
    from rocm_perf_lab.api.captures.capture import capture as capture
    from rocm_perf_lab.api.captures.capture_file import export_capture as export_capture
    from rocm_perf_lab.api.captures.capture_file import import_capture as import_capture
    from rocm_perf_lab.api.captures.minimise import minimise as minimise
    from rocm_perf_lab.api.captures.replay import inspect as inspect
    from rocm_perf_lab.api.captures.replay import replay as replay
    from rocm_perf_lab.api.captures.replay import reserve_check as reserve_check
    from rocm_perf_lab.api.captures.replay import validate as validate
    from rocm_perf_lab.api.captures.replay_profile import replay_profile as replay_profile
    from rocm_perf_lab.api.captures.suite import SuiteRun as SuiteRun
    from rocm_perf_lab.api.captures.suite import suite as suite
    from rocm_perf_lab.api.captures.variant import build_variant as build_variant
    from rocm_perf_lab.api.check import check as check
    from rocm_perf_lab.api.compare import compare as compare
    from rocm_perf_lab.api.doctor import doctor as doctor
    from rocm_perf_lab.api.export import export as export
    from rocm_perf_lab.api.load_run import load_run as load_run
    from rocm_perf_lab.api.optimize import optimize as optimize
    from rocm_perf_lab.api.optimize import revert as revert
    from rocm_perf_lab.api.profile import profile as profile
    from rocm_perf_lab.api.prompt import prompt as prompt
    from rocm_perf_lab.api.report import report as report
    from rocm_perf_lab.api.roofline import roofline as roofline
    from rocm_perf_lab.api.run_object import Kernel as Kernel
    from rocm_perf_lab.api.run_object import Run as Run
    from rocm_perf_lab.api.verify import verify as verify
    from rocm_perf_lab.api.whatif import whatif as whatif
    from rocm_perf_lab.contracts.documents import to_json as to_json
    from rocm_perf_lab.errors import BadInput as BadInput
    from rocm_perf_lab.errors import EnvironmentProblem as EnvironmentProblem
    from rocm_perf_lab.errors import Interrupted as Interrupted
    from rocm_perf_lab.errors import NoKernels as NoKernels
    from rocm_perf_lab.errors import NotReplayable as NotReplayable
    from rocm_perf_lab.errors import NotTrusted as NotTrusted
    from rocm_perf_lab.errors import ProgramFailed as ProgramFailed
    from rocm_perf_lab.errors import RocmPerfError as RocmPerfError
    from rocm_perf_lab.errors import TimedOut as TimedOut
    from rocm_perf_lab.errors import UsageProblem as UsageProblem

__version__ = "0.1.0"

# Public name -> the module that has it.
_PLACES = {
    "Analyses": "api.analyze_each",
    "Kernel": "api.run_object",
    "Run": "api.run_object",
    "SuiteRun": "api.captures.suite",
    "Tuned": "api.autotune",
    "analyze": "api.analyze",
    "analyze_each": "api.analyze_each",
    "att": "api.att",
    "autotune": "api.autotune",
    "build_variant": "api.captures.variant",
    "capture": "api.captures.capture",
    "check": "api.check",
    "compare": "api.compare",
    "doctor": "api.doctor",
    "export": "api.export",
    "export_capture": "api.captures.capture_file",
    "import_capture": "api.captures.capture_file",
    "inspect": "api.captures.replay",
    "load_run": "api.load_run",
    "minimise": "api.captures.minimise",
    "optimize": "api.optimize",
    "profile": "api.profile",
    "prompt": "api.prompt",
    "replay": "api.captures.replay",
    "replay_profile": "api.captures.replay_profile",
    "report": "api.report",
    "reserve_check": "api.captures.replay",
    "revert": "api.optimize",
    "roofline": "api.roofline",
    "search_recorded": "api.autotune",
    "suite": "api.captures.suite",
    "to_json": "contracts.documents",
    "validate": "api.captures.replay",
    "verify": "api.verify",
    "whatif": "api.whatif",
    "BadInput": "errors",
    "EnvironmentProblem": "errors",
    "Interrupted": "errors",
    "NoKernels": "errors",
    "NotReplayable": "errors",
    "NotTrusted": "errors",
    "ProgramFailed": "errors",
    "RocmPerfError": "errors",
    "TimedOut": "errors",
    "UsageProblem": "errors",
}

__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
