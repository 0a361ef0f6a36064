"""What-ifs against the truth: random programs run again with the kernel really faster."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

from rocm_perf_lab.analysis.critical_path.graph import build_graph
from rocm_perf_lab.analysis.critical_path.whatif import Change, predict, rank_kernels

sys.path.insert(0, str(Path(__file__).parent))
from scenario import Program

KERNELS = "abc"


def random_program(random_: random.Random, length: int) -> list[tuple]:
    """Mostly launches; some copies, events, waits and computation on the host; a wait at the end."""
    operations: list[tuple] = []
    for _ in range(length):
        stream, event = random_.randrange(3), random_.randrange(2)
        operations += random_.choices(
            [
                ("launch", random_.choice(KERNELS), stream, random_.randrange(1000, 20000)),
                ("copy", stream, random_.randrange(1000, 20000)),
                ("record", event, stream),
                ("wait", stream, event),
                ("sync_stream", stream),
                ("sync_event", event),
                ("sync_device",),
                ("compute", random_.randrange(5000)),
            ],
            weights=[50, 10, 10, 10, 3, 3, 4, 10],
        )
    return [*operations, ("sync_device",)]


def run(operations: list[tuple], scale: dict[str, float]) -> Program:
    program = Program(scale=scale)
    for name, *arguments in operations:
        getattr(program, name)(*arguments)
    return program


def span(program: Program) -> int:
    ends = [work.end for work in program.works] + [call.end for call in program.calls]
    return max(ends) - program.calls[0].start


def test_predictions_of_random_programs() -> None:
    random_ = random.Random(7)
    errors = []
    for _ in range(150):
        operations = random_program(random_, random_.choice([20, 60, 150]))
        kernel, speedup = random_.choice(KERNELS), random_.choice([1.25, 2.0, 4.0])
        graph = build_graph(run(operations, {}).timeline())
        predicted = predict(graph, Change(re.compile(kernel), speedup)).predicted_ns
        truth = span(run(operations, {kernel: 1 / speedup}))
        errors.append(abs(predicted - truth) / truth)
    assert max(errors) < 0.03
    assert sum(error < 1e-9 for error in errors) > 0.9 * len(errors)


def test_ranking_is_by_true_gain() -> None:
    random_ = random.Random(11)
    for _ in range(20):
        operations = random_program(random_, 80)
        program = run(operations, {})
        ranking = rank_kernels(build_graph(program.timeline()), speedup=2.0)
        gains = {kernel: span(program) - span(run(operations, {kernel: 0.5})) for kernel in KERNELS}
        for item in ranking:
            assert item.gain_ns is not None
            assert item.gain_ns <= item.at_most_ns + item.launches  # rounding to whole nanoseconds
            assert abs(item.gain_ns - gains[item.name]) < 0.03 * span(program)
        assert [item.gain_ns for item in ranking] == sorted((i.gain_ns for i in ranking), reverse=True)


def test_ranking_replays_no_more_than_it_must(monkeypatch) -> None:
    """A kernel that cannot gain more than those found is not replayed, and says so."""
    program = Program()
    for number in range(12):
        program.launch(f"k{number:02}", 0, 1000 * (12 - number))
    program.sync_device()
    ranking = rank_kernels(build_graph(program.timeline()), speedup=2.0, limit=3)
    assert [item.name for item in ranking[:3]] == ["k00", "k01", "k02"]
    assert [item.gain_ns for item in ranking[:3]] == [6000, 5500, 5000]
    assert all(item.gain_ns is None for item in ranking[3:])
    assert [item.at_most_ns for item in ranking[3:5]] == [4500, 4000]
