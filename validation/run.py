"""Compare the virtual GPU's time with hardware: kernel times, latencies, bandwidths, rates, variant pairs.

python validation/run.py [--quick] [--only PART] [--program NAME ...] [--size PATTERN] [--write]
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

from judge import build, compare, execute, report, scatter, sources  # noqa: E402

PARTS = ("rows", "figures", "pairs")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="a subset that takes seconds")
    parser.add_argument("--only", choices=PARTS, action="append", help="judge this part only (repeatable)")
    parser.add_argument("--program", action="append", help="rows of this program only (repeatable)")
    parser.add_argument("--size", default="*", help="rows whose size matches this shell pattern only")
    parser.add_argument("--processes", type=int, default=2, help="programs run side by side (default 2)")
    parser.add_argument(
        "--timeout", type=float, default=60.0, help="processor seconds a row may take (default 60)"
    )
    parser.add_argument(
        "--repeats", type=int, default=1, help="timed repeats of a row after its warm-up (default 1)"
    )
    parser.add_argument("--cache", type=Path, default=HERE.parent / ".rocm-perf" / "validation")
    parser.add_argument(
        "--output", type=Path, help="folder for rows.json and the tables (default: the cache)"
    )
    parser.add_argument(
        "--write", action="store_true", help="also write RESULTS.md, DEVIATIONS.md and scatter.svg here"
    )
    return parser.parse_args()


def judge_rows(options: argparse.Namespace, environment: Mapping[str, str]) -> list[compare.RowResult]:
    try:
        rows = sources.measured_rows(options.quick)
    except sources.DataMissing as missing:
        print(f"skipped: {missing}", file=sys.stderr)
        return []
    programs = {program.name: program for program in sources.programs()}
    rows = [
        row
        for row in rows
        if (not options.program or row.program in options.program)
        and fnmatch.fnmatchcase(row.size, options.size)
    ]
    device = {**environment, "VROCM_DEVICE": sources.document("programs.json")["device"]}
    jobs = []
    for row in rows:
        program = programs[row.program]
        binary = build.binary(program.source, program.flags, options.cache)
        command = execute.program_command(binary, row.size, "--repeats", str(options.repeats))
        jobs.append(execute.Job(f"{row.program} {row.size}", command))
    outcomes = execute.run_all(jobs, device, options.timeout, options.processes)
    return [
        compare.row_result(row, programs[row.program].subset, outcomes[f"{row.program} {row.size}"])
        for row in rows
    ]


def printed_lines(
    paths: Sequence[Path], device: str, options: argparse.Namespace, environment: Mapping[str, str]
) -> list[dict[str, Any]]:
    jobs = [
        execute.Job(path.stem, execute.program_command(build.binary(path, (), options.cache)))
        for path in paths
    ]
    outcomes = execute.run_all(
        jobs, {**environment, "VROCM_DEVICE": device}, options.timeout * 5, options.processes
    )
    return [line for path in paths for line in outcomes[path.stem].lines]


def judge_figures(options: argparse.Namespace, environment: Mapping[str, str]) -> list[compare.FigureResult]:
    paths = sources.microbenchmarks(options.quick)
    lines = printed_lines(paths, sources.document("microbench.json")["device"], options, environment)
    results = compare.figure_results(sources.figures(), lines)
    return [result for result in results if result.value is not None] if options.quick else results


def judge_pairs(options: argparse.Namespace, environment: Mapping[str, str]) -> list[compare.PairResult]:
    pairs = sources.pairs()
    paths = list(dict.fromkeys(pair.source for pair in pairs))
    lines = printed_lines(paths, sources.document("pairs.json")["device"], options, environment)
    return compare.pair_results(pairs, lines)


def main() -> int:
    options = arguments()
    parts = options.only or PARTS
    environment = {"VROCM_RESULTS": "sampled", **build.environment()}
    rows = judge_rows(options, environment) if "rows" in parts else []
    figures = judge_figures(options, environment) if "figures" in parts else []
    pairs = judge_pairs(options, environment) if "pairs" in parts else []

    text = ["# The timing model against hardware", "", "Written by `python validation/run.py --write`.", ""]
    if rows:
        text += [*report.row_tables(rows, sources.document("programs.json")["goals"]), ""]
        text += ["![simulated against measured](scatter.svg)", ""]
    if figures:
        text += [*report.figure_tables(figures), ""]
    if pairs:
        text += [*report.pair_tables(pairs), ""]
    off = report.deviations(rows, figures, pairs, sources.suspected_reasons())
    output = options.output or options.cache / "results"
    folders = [output, HERE] if options.write else [output]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "RESULTS.md").write_text("\n".join(text))
        (folder / "DEVIATIONS.md").write_text("\n".join(off) + "\n")
        if rows:
            (folder / "scatter.svg").write_text(scatter.draw(rows))
    if rows:
        (output / "rows.json").write_text(json.dumps(compare.as_document(rows), indent=1) + "\n")
    print("\n".join(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
