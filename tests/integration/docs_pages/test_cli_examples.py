"""Every example in the help of the commands (docs/reference/cli.md) is run as it is, and does its work."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests import doc_blocks
from tests.commands import SECONDS
from tests.doc_blocks import ROOT, Block
from tests.integration.docs_pages.workshop import (
    SYSTEM_PATH,
    Recipe,
    Workshop,
    shared_folder,
    without_virtual_rocm,
)
from tests.tiers import sweep
from tests.wanted import wanted

PAGE = ROOT / "docs" / "reference" / "cli.md"
HERE = Path(__file__).parent
SMALL_SPACE = {"parameters": {"BLOCK_M": [2, 4], "BLOCK_N": [16, 64]}}
# As Kernel Tuner keeps what it measured; the law is plain: best at x = 4, y = 2.
MEASURED = {
    "tune_params_keys": ["x", "y"],
    "cache": {
        f"{x},{y}": {"x": x, "y": y, "time": 1 + abs(x - 4) + abs(y - 2)}
        for x in (1, 2, 4, 8)
        for y in (1, 2)
    },
}
FILES = {
    "space.json": json.dumps(SMALL_SPACE),
    "cache.json": json.dumps(MEASURED),
    "Makefile": "made: app.hip\n\thipcc -O3 app.hip -o made\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.21)\nproject(app LANGUAGES CXX)\n"
    'find_package(hip REQUIRED)\nmessage(STATUS "found HIP ${hip_VERSION}")\n',
}
PROFILE = "rocm-perf profile --runs 1 --out .rocm-perf/"
RECIPES = {
    "app": Recipe("hipcc -g -O3 kernel.hip -o app"),
    "kernel": Recipe("cp app kernel", ("app",)),
    ".rocm-perf": Recipe(
        f"{PROFILE}before ./app && {PROFILE}after ./app"
        f" && {PROFILE}first --roofline --focus-critical --deep-analysis ./app",
        ("app",),
    ),
    "before.db": Recipe("cp .rocm-perf/before/.rocpd_profile/run-1/*/*.db before.db", (".rocm-perf",)),
    "after.db": Recipe("cp .rocm-perf/after/.rocpd_profile/run-1/*/*.db after.db", (".rocm-perf",)),
    "ui_output_agent_1_dispatch_4": Recipe(  # one that has waves in it
        "waves=(.rocm-perf/first/att/*/ui_output_*/se*_sm*_*.json)"
        ' && cp -r "$(dirname "${waves[0]}")" ui_output_agent_1_dispatch_4',
        (".rocm-perf",),
    ),
    "isolate_capture": Recipe("rocm-perf capture --kernel matmul --out isolate_capture -- ./app", ("app",)),
    "captures": Recipe("mkdir captures && cp -r isolate_capture captures/matmul", ("isolate_capture",)),
    "capture.tar": Recipe("rocm-perf replay export isolate_capture capture.tar", ("isolate_capture",)),
    "variant.hsaco": Recipe("hipcc --genco -O3 kernel.hip -o variant.hsaco"),
}


@dataclass(frozen=True)
class Outcome:
    says: str = ""
    makes: str = ""
    code: int = 0
    why: str = ""  # the code is not 0
    then: str = ""  # has to succeed afterwards: a look at what was made, or something for the next example


@dataclass(frozen=True)
class Scene:
    """Examples that are run one after another, in one folder; its variables are settings that save time."""

    begins_with: str
    examples: Mapping[str, Outcome]
    first: str = ""
    inside: str = "."
    variables: Mapping[str, str] = field(default_factory=dict)
    newcomer: bool = False  # the shell knows nothing of a ROCm
    tools: tuple[str, ...] = ()


COMPILE_HERE = "hipcc -g -O3 kernel.hip -o app && cp kernel.hip before.hip"  # optimize finds the source
ONE_CHANGE = {"ROCM_PERF_OPTIMIZE_MAX_TRIALS": "1", "ROCM_PERF_OPTIMIZE_MAX_ITERS": "1"}
SCENES = {
    "profile": Scene(
        "app",
        {
            "rocm-perf profile ./app --its-option --json": Outcome('"name": "matmul', ".rocm-perf/latest"),
            "rocm-perf profile --runs 5 -- ./app --its-option": Outcome("over 5 runs"),
            "rocm-perf profile \"./app --its-option 'two words'\"": Outcome(
                "\n./app --its-option 'two words'\n"
            ),
        },
    ),
    "traces": Scene(
        "before.db after.db ui_output_agent_1_dispatch_4",
        {
            "rocm-perf analyze --each *.db --executor local --out analyses": Outcome(
                "2 traces: 2 analysed", "analyses/analyses.json"
            ),
            "rocm-perf compare before.db after.db --fail-on-regression 5% --junit compare.xml": Outcome(
                "no regression beyond 5.00%", "compare.xml"
            ),
            "rocm-perf att ui_output_agent_1_dispatch_4 --top 20": Outcome("global_load_dword"),
        },
    ),
    "runs": Scene(
        ".rocm-perf kernel.hip",
        {
            "rocm-perf compare .rocm-perf/before .rocm-perf/after": Outcome("total: same"),
            "rocm-perf att .rocm-perf/latest": Outcome("kernel     matmul\n"),
            "rocm-perf report --open": Outcome(
                "report.html\n",
                ".rocm-perf/latest/report.html",
                then="grep -q '^file:.*/.rocm-perf/latest/report.html$' ~/opened",
            ),
            "rocm-perf report .rocm-perf/latest --format md -o summary.md": Outcome(
                "summary.md\n", then="grep -q matmul summary.md"
            ),
            "rocm-perf export --perfetto trace.pftrace": Outcome("trace.pftrace\n", "trace.pftrace"),
            "rocm-perf export .rocm-perf/latest --csv tables": Outcome(
                "tables/kernels.csv\n", then="grep -q matmul tables/kernels.csv"
            ),
            "rocm-perf whatif .rocm-perf/latest": Outcome("if one kernel were 2 times as fast"),
            "rocm-perf whatif .rocm-perf/latest --kernel matmul --speedup 1.5": Outcome(
                "1.5 times as fast\n"
            ),
            "rocm-perf prompt .rocm-perf/latest --source kernel.hip": Outcome("Kernel: matmul\n"),
        },
    ),
    "capture": Scene(
        "app",
        {
            "rocm-perf capture --kernel matmul --out matmul.capture -- ./app arguments": Outcome(
                "PASSED\n", "matmul.capture/manifest.json"
            ),
            "rocm-perf capture --kernel 'reduce<float' --dispatch 3 --stop ./app": Outcome(
                "next       rocm-perf replay inspect isolate_capture_",
                then="ls isolate_capture_*/manifest.json",
            ),
        },
    ),
    "replay": Scene(
        "isolate_capture variant.hsaco kernel.hip",
        {
            "rocm-perf replay reserve-check isolate_capture": Outcome("EXACT "),
            "rocm-perf replay full-vm isolate_capture --iterations 20": Outcome("median of 20 iterations"),
            "rocm-perf replay full-vm isolate_capture --iterations 20 --warmup 2": Outcome(
                "after 2 not timed"
            ),
            "rocm-perf replay full-vm isolate_capture --hsaco variant.hsaco --json": Outcome(
                '"hsaco_path": "variant.hsaco"'
            ),
            "rocm-perf replay validate isolate_capture": Outcome("PASSED   5 of 5 replays"),
            "rocm-perf replay validate isolate_capture --hsaco variant.hsaco": Outcome("PASSED   variant: "),
            "rocm-perf replay inspect isolate_capture": Outcome("every checksum is right"),
            "rocm-perf replay minimise isolate_capture --out small_capture": Outcome(
                "PASSED   3 of 3 replays", "small_capture/manifest.json"
            ),
            "rocm-perf replay profile isolate_capture --pmc SQ_WAVES SQ_INSTS_VALU TCC_HIT": Outcome(
                "  TCC_HIT "
            ),
            "rocm-perf replay profile isolate_capture --att": Outcome("global_load_dword"),
            "rocm-perf replay build isolate_capture --source kernel.hip": Outcome(
                "PASSED   variant: ", "kernel.hsaco"
            ),
            "rocm-perf replay export isolate_capture capture.tar": Outcome(
                "next       rocm-perf replay import capture.tar", "capture.tar"
            ),
        },
        variables={
            "ROCM_PERF_REPLAY_BUILD_RUNS": "2",
            "ROCM_PERF_REPLAY_BUILD_ITERATIONS": "2",
            "ROCM_PERF_REPLAY_VALIDATE_ITERATIONS": "2",
        },
    ),
    "import": Scene(
        "capture.tar",
        {
            "rocm-perf replay import capture.tar --out isolate_capture": Outcome(
                "every hash is right", "isolate_capture/manifest.json"
            )
        },
    ),
    "suite": Scene(
        "captures",
        {
            "rocm-perf suite run captures --out base": Outcome("1 capture: 1 passed", "base/suite.json"),
            "rocm-perf suite run captures --baseline base --junit junit.xml": Outcome(
                "passed, same", "junit.xml"
            ),
        },
    ),
    "check": Scene(
        "app",
        {
            "rocm-perf check ./app its arguments": Outcome("no defects found"),
            "rocm-perf check --only out-of-bounds --only race-lds ./app": Outcome("2 classes"),
        },
    ),
    "autotune": Scene(
        "kernel space.json cache.json",
        {
            'rocm-perf autotune --space space.json --cmd-template "./kernel --bm {BLOCK_M} --bn {BLOCK_N}"': (
                Outcome("4 of 4 configurations tried (all there are)")
            ),
            "rocm-perf autotune --recorded cache.json --evals 100 --seeds 30": Outcome("over 30 searches"),
        },
        variables={"ROCM_PERF_AUTOTUNE_REPEATS": "2"},
    ),
    "optimize without anything to gain": Scene(
        "kernel.hip",
        {
            "rocm-perf optimize ./app its arguments": Outcome("was found through debug information of app"),
            "rocm-perf optimize ./app its arguments --source kernel.hip": Outcome("0 changes accepted"),
        },
        first=COMPILE_HERE,
        variables={**ONE_CHANGE, "ROCM_PERF_OPTIMIZE_KERNEL": "reduce"},
    ),
    "optimize, verify and revert": Scene(
        "kernel.hip",
        {
            'rocm-perf optimize kernel.hip "./app its arguments"': Outcome(
                "written into the source",
                then="! cmp -s kernel.hip before.hip"
                " && cp .rocm-perf/optimize/*/run-1/changes/change-1/bundle.tar .",
            ),
            "rocm-perf verify bundle.tar": Outcome("every claim is confirmed"),
            "rocm-perf verify --no-run bundle.tar": Outcome(
                "nothing differs", code=12, why="claims that were not run again are not confirmed"
            ),
            "rocm-perf optimize --revert --source kernel.hip": Outcome(
                "1 change taken back", then="cmp kernel.hip before.hip"
            ),
        },
        first=COMPILE_HERE,
        variables={**ONE_CHANGE, "ROCM_PERF_OPTIMIZE_YES": "1"},
    ),
    "about itself": Scene(
        "",
        {
            "rocm-perf roofline": Outcome("data sheet"),
            "rocm-perf mcp --root .": Outcome(),
            "rocm-perf mcp --root ~/project --root ~/traces": Outcome(),
            "rocm-perf schema profile": Outcome('"$schema"'),
            "rocm-perf doctor": Outcome("[ok] compile and run"),
            "rocm-perf doctor --quick --json": Outcome('"healthy": true'),
            "rocm-perf completion bash >> ~/.bashrc": Outcome(then="bash -n ~/.bashrc && test -s ~/.bashrc"),
            "rocm-perf completion zsh >> ~/.zshrc": Outcome(then="test -s ~/.zshrc"),
            "mkdir -p ~/.config/fish/completions": Outcome(),
            "rocm-perf completion fish > ~/.config/fish/completions/rocm-perf.fish": Outcome(
                then="test -s ~/.config/fish/completions/rocm-perf.fish"
            ),
        },
        first="mkdir ~/project ~/traces",
    ),
    "virtual ROCm": Scene(
        "app.hip Makefile",
        {
            "rocm-perf vrocm hipcc -O3 app.hip -o app": Outcome(makes="app"),
            "rocm-perf vrocm run ./app": Outcome("PASSED\n"),
            "rocm-perf vrocm run ./app its arguments": Outcome("PASSED\n"),
            'eval "$(rocm-perf vrocm env)" && make': Outcome(makes="made"),
        },
        newcomer=True,
        tools=("make",),
    ),
    "CMake": Scene(
        "CMakeLists.txt",
        {
            'cmake -DCMAKE_PREFIX_PATH="$(rocm-perf vrocm path)" ..': Outcome(
                "found HIP 7.", "build/CMakeCache.txt"
            )
        },
        inside="build",
        newcomer=True,
        tools=("cmake",),
    ),
}


@dataclass(frozen=True)
class Elsewhere:
    why: str
    test: str  # the file and the function of the test that runs it, or what it is made of


NOT_RUN = {
    "rocm-perf demo": Elsewhere("takes two minutes", "tests/integration/demo/test_demo.py::test_the_tour"),
    "rocm-perf roofline --calibrate": Elsewhere(
        "takes 40 s for arrays that are larger than the caches; the test measures with the other kernels",
        "tests/integration/roofline/test_roofline_command.py::test_calibration_reaches_the_peaks_of_the_model",
    ),
}


def without_comment(line: str) -> str:
    return re.sub(r"\s+#.*", "", line)


LINES = {
    without_comment(line): line for block in doc_blocks.blocks(PAGE) for line, _ in doc_blocks.commands(block)
}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    files = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (files / name).write_text(text)
    folder = shared_folder(tmp_path_factory, "examples of commands")
    return Workshop(folder, (HERE / "kernel.hip", HERE / "app.hip", files), RECIPES)


def shell(command: str, folder: Path, variables: Mapping[str, str]) -> None:
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=variables, capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def prepare_home(home: Path) -> None:
    home.mkdir()
    browser = home / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > "$HOME/opened"\n')
    browser.chmod(0o755)


def variables_of(scene: Scene, workshop: Workshop, home: Path) -> dict[str, str]:
    variables = {**workshop.variables, "HOME": str(home), "BROWSER": str(home / "browser"), **scene.variables}
    if scene.newcomer:
        found = [shutil.which(tool) for tool in scene.tools]
        folders = [str(Path(tool).parent) for tool in found if tool]
        path = ":".join([str(workshop.folder / "bin"), *folders, SYSTEM_PATH])
        variables = without_virtual_rocm(variables, path)
    return variables


@pytest.mark.parametrize(
    "name", sweep(SCENES, keep={"profile", "runs", "capture", "import", "check", "CMake"})
)
def test_examples(name: str, workshop: Workshop, tmp_path: Path) -> None:
    scene = SCENES[name]
    for tool in scene.tools:
        wanted(tool)
    prepare_home(tmp_path / "home")
    variables = variables_of(scene, workshop, tmp_path / "home")
    folder = tmp_path / "here"
    (folder / scene.inside).mkdir(parents=True)
    for name in scene.begins_with.split():
        workshop.give(name, folder)
    if scene.first:
        shell(scene.first, folder, variables)
    for example, outcome in scene.examples.items():
        line = f"{LINES[example]}  # exit code {outcome.code}"
        printed = doc_blocks.run(Block(PAGE, 0, "bash", None, None, line), folder / scene.inside, variables)
        assert outcome.says in printed, f"{example}\n{printed}"
        assert not outcome.makes or (folder / outcome.makes).exists(), f"{example}\n{printed}"
        if outcome.then:
            shell(outcome.then, folder, variables)


def test_every_example_is_run_once_or_says_why_not() -> None:
    run = [example for scene in SCENES.values() for example in scene.examples]
    assert sorted([*run, *NOT_RUN]) == sorted(LINES)


def test_codes_other_than_0_are_documented_and_have_a_reason() -> None:
    documented = re.findall(
        r"^\| (\d+) \|", (ROOT / "docs" / "reference" / "exit-codes.md").read_text(), re.MULTILINE
    )
    for scene in SCENES.values():
        for example, outcome in scene.examples.items():
            assert str(outcome.code) in documented, example
            assert bool(outcome.code) == bool(outcome.why), example


@pytest.mark.parametrize("example", NOT_RUN)
def test_what_is_not_run_here_is_run_elsewhere(example: str) -> None:
    file, _, function = NOT_RUN[example].test.partition("::")
    assert f"\ndef {function}(" in (ROOT / file).read_text()
