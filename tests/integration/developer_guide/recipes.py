"""A GPU, a command and a transform that nobody needs, as the steps of the developer guide add them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.another_gpu import FILE, NAME

Edit = Callable[[str], str]
"""The text of a file, empty where there is none, to what becomes of it."""


@dataclass(frozen=True)
class Recipe:
    name: str
    """In the place of <name> in the guide."""
    edits: Mapping[str, Edit]
    tests: tuple[str, ...]
    """These fail where a step is left out."""
    works: str
    """A program of Python that ends well when it works."""
    judged_by_people: frozenset[str] = frozenset({"CHANGELOG.md"})
    """Steps that no test would miss."""


def new(text: str) -> Edit:
    def made(before: str) -> str:
        assert not before
        return text

    return made


def after(place: str, text: str) -> Edit:
    def inserted(before: str) -> str:
        assert place in before, place
        return before.replace(place, place + text, 1)

    return inserted


def both(first: Edit, second: Edit) -> Edit:
    return lambda before: second(first(before))


CHANGELOG = {"CHANGELOG.md": after("## Unreleased\n\n", "- Something new.\n")}

GPU = Recipe(
    NAME,
    {f"src/vrocm/data/gpus/{NAME}.toml": new(FILE), **CHANGELOG},
    (),
    f"from vrocm import data\nassert {NAME!r} in data.gpus()\n",
)

TRACE = (
    "Kind,Agent_Id,Queue_Id,Kernel_Name,Dispatch_Id,Start_Timestamp,End_Timestamp,LDS_Block_Size,Scratch_Size,"
    "VGPR_Count,Accum_VGPR_Count,SGPR_Count,Workgroup_Size_X,Workgroup_Size_Y,Workgroup_Size_Z,Grid_Size_X,"
    "Grid_Size_Y,Grid_Size_Z\n"
    "KERNEL_DISPATCH,Agent 4,1,slow,1,1000,9000,0,0,8,0,16,64,1,1,64,1,1\n"
    "KERNEL_DISPATCH,Agent 4,1,quick,2,10000,11000,0,0,8,0,16,64,1,1,64,1,1\n"
)
ITS_PAGE = "guide/hottest.md"
COMMAND = Recipe(
    "hottest",
    {
        "src/rocm_perf_lab/api/hottest.py": new(
            '"""The kernel of a run with most time."""\n\n'
            "from __future__ import annotations\n\n"
            "from pathlib import Path\n\n\n"
            "def hottest(run: str | Path) -> str:\n"
            '    """Name the kernel with most time in a run folder or a trace."""\n'
            "    from rocm_perf_lab.api.load_run import load_run\n\n"
            "    return load_run(run).kernels[0].name\n"
        ),
        "src/rocm_perf_lab/__init__.py": both(
            after(
                "    from rocm_perf_lab.api.export import export as export\n",
                "    from rocm_perf_lab.api.hottest import hottest as hottest\n",
            ),
            after('    "export_capture": "api.captures.capture_file",\n', '    "hottest": "api.hottest",\n'),
        ),
        "src/rocm_perf_lab/cli/hottest.py": new(
            '"""``rocm-perf hottest``: the kernel with most time."""\n\n'
            "from __future__ import annotations\n\n"
            "from pathlib import Path\n\n"
            "import click\n\n\n"
            "@click.command()\n"
            '@click.argument("run", type=click.Path(path_type=Path))\n'
            "def command(run: Path) -> None:\n"
            '    """Name the kernel of RUN with most time.\n\n'
            "    \\b\n"
            "      rocm-perf hottest .rocm-perf/latest\n"
            '    """\n'
            "    from rocm_perf_lab.api.hottest import hottest\n\n"
            "    click.echo(hottest(run))\n"
        ),
        "src/rocm_perf_lab/cli/main.py": after(
            "COMMANDS: dict[str, tuple[str, str]] = {\n",
            '    "hottest": ("hottest", "Name the kernel of a run with most time."),\n',
        ),
        "docs/reference/api.md": after(
            "| function | command | gives |\n|---|---|---|\n",
            "| `hottest(run)` | [hottest](../guide/hottest.md) | the name of a kernel |\n",
        ),
        f"docs/{ITS_PAGE}": new("# Hottest\n\n`rocm-perf hottest RUN` names the kernel with most time.\n"),
        "docs/README.md": after("- [Find defects](guide/check.md)", ", [name a kernel](guide/hottest.md)"),
        "mkdocs.yml": after("      - Check: docs/guide/check.md\n", f"      - Hottest: docs/{ITS_PAGE}\n"),
        "README.md": after(
            "| command | what it does |\n|---|---|\n",
            f"| `rocm-perf hottest RUN` | the kernel with most time ([more](docs/{ITS_PAGE})) |\n",
        ),
        "tests/unit/api/test_public_names.py": after(
            "COMMANDS = {\n", '    "hottest": ("hottest", "command"),\n'
        ),
        "tests/integration/docs_pages/test_cli_examples.py": after(
            '            "rocm-perf compare .rocm-perf/before .rocm-perf/after": Outcome("total: same"),\n',
            '            "rocm-perf hottest .rocm-perf/latest": Outcome("matmul"),\n',
        ),
        **CHANGELOG,
    },
    (
        *("tests/unit/cli/test_reference.py", "tests/unit/cli/test_help.py"),
        *(
            "tests/unit/api/test_public_names.py",
            "tests/unit/docs/test_links.py",
            "tests/unit/docs/test_site.py",
        ),
        "tests/integration/docs_pages/test_cli_examples.py::test_every_example_is_run_once_or_says_why_not",
    ),
    "import subprocess, sys\n"
    "from pathlib import Path\n"
    f"Path('trace_kernel_trace.csv').write_text({TRACE!r})\n"
    "words = [sys.executable, '-m', 'rocm_perf_lab', 'hottest', 'trace_kernel_trace.csv']\n"
    "assert subprocess.check_output(words, text=True) == 'slow\\n'\n",
)

TRANSFORM = Recipe(
    "keep_scalar",
    {
        "src/rocm_perf_lab/optimizing/transforms/keep_scalar.py": new(
            '"""A loop that the compiler is told not to vectorise."""\n\n'
            "from __future__ import annotations\n\n"
            "from rocm_perf_lab.optimizing.guards.loop_region import check_loop\n"
            "from rocm_perf_lab.optimizing.source.kernel import loop_numbered, require_visible\n"
            "from rocm_perf_lab.optimizing.source.model import SourceKernel\n"
            "from rocm_perf_lab.optimizing.transforms.request import TransformRequest\n\n\n"
            "def keep_scalar(kernel: SourceKernel, request: TransformRequest) -> bytes:\n"
            "    require_visible(kernel)\n"
            "    loop = loop_numbered(kernel, -1 if request.loop is None else request.loop)\n"
            "    check_loop(kernel, loop, rewritten=False)\n"
            '    start = kernel.text.rfind(b"\\n", 0, loop.span.start) + 1\n'
            '    line = b"#pragma clang loop vectorize(disable)\\n"\n'
            "    return kernel.text[:start] + line + kernel.text[start:]\n"
        ),
        "src/rocm_perf_lab/optimizing/transforms/catalogue.py": both(
            after(
                "from rocm_perf_lab.optimizing.transforms.hoist_loads import hoist_loads\n",
                "from rocm_perf_lab.optimizing.transforms.keep_scalar import keep_scalar\n",
            ),
            after(
                "    for transform in (\n", '        Transform("keep_scalar", "as unroll", keep_scalar),\n'
            ),
        ),
        "src/rocm_perf_lab/optimizing/proposers/rules.py": both(
            after("_SAVED = {\n", '    "keep_scalar": 0.1,\n'),
            after(
                "            share, source = loop_share(situation, loop)\n",
                '            saved = share * _SAVED["keep_scalar"]\n'
                '            yield self._proposal(situation, "keep_scalar", saved, source, loop)\n',
            ),
        ),
        "docs/guide/optimize.md": after(
            "| name | made | legal when |\n|---|---|---|\n", "| `keep_scalar` | `--allow` | as unroll |\n"
        ),
        "agent-skill/references/cli.md": after("- Unrolling is made always; ", "`keep_scalar`, "),
        "tests/unit/optimizing/test_allowed_transforms.py": after(
            'LOOP = "for (int i = 0; i < n; ++i) "\n',
            "\n\ndef test_scalar(kernel) -> None:\n"
            '    found = kernel(LOOP + "out[i] = in[i];")\n'
            '    changed = apply_transform("keep_scalar", found, TransformRequest(loop=0), ALL)\n'
            '    assert "#pragma clang loop vectorize(disable)\\n" + LOOP in text_of(changed)\n',
        ),
        "tests/integration/optimize/test_transforms_equal.py": after(
            '("vector_loads", "hoist_loads"', ', "keep_scalar"'
        ),
        **CHANGELOG,
    },
    ("tests/unit/optimizing/test_transforms_told.py", "tests/unit/optimizing/test_allowed_transforms.py"),
    "from pathlib import Path\n"
    "from rocm_perf_lab.optimizing.proposers.interface import ProposedKernel, Situation\n"
    "from rocm_perf_lab.optimizing.proposers.rules import RulesProposer\n"
    "from rocm_perf_lab.optimizing.source.kernel import kernel_of\n"
    "from rocm_perf_lab.optimizing.source.read import read_unit\n"
    "Path('k.hip').write_text('__global__ void k(float* x, int n) {\\n"
    "for (int i = 0; i < n; ++i)\\nx[i] = 1;\\n}\\n')\n"
    "unit = read_unit(Path('k.hip'))\n"
    "situation = Situation(kernel_of(unit, unit.kernels[0]), allowed=frozenset({'keep_scalar'}))\n"
    "made = [one for one in RulesProposer().propose(situation) if isinstance(one, ProposedKernel)]\n"
    "assert 'keep_scalar' in {one.proposal.transform for one in made}\n",
    frozenset({"CHANGELOG.md", "tests/integration/optimize/test_transforms_equal.py"}),
)

RECIPES = {"Add a GPU": GPU, "Add a command": COMMAND, "Add a transform": TRANSFORM}
