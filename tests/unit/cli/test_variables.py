"""Every option has the variable that docs/guide/settings.md promises, whatever the code calls it."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from rocm_perf_lab.cli.main import rocm_perf


def options(
    group: click.Group = rocm_perf, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Option]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from options(command, (*path, name))
        else:
            yield from (((*path, name), one) for one in command.params if isinstance(one, click.Option))


def test_names() -> None:
    seen = set()
    for path, option in options():
        longs = [opt.removeprefix("--") for opt in option.opts if opt.startswith("--")]
        assert option.envvar in {
            "_".join(("ROCM_PERF", *path, long)).upper().replace("-", "_") for long in longs
        }, (path, option)
        seen.add(option.envvar)
    assert {"ROCM_PERF_PROFILE_RUNS", "ROCM_PERF_PROFILE_JSON", "ROCM_PERF_PROFILE_KERNEL"} <= seen
    assert {"ROCM_PERF_REPLAY_FULL_VM_ITERATIONS", "ROCM_PERF_SUITE_RUN_HSACO"} <= seen


@pytest.mark.parametrize(
    ("variable", "value", "parameter", "expected"),
    [
        ("ROCM_PERF_PROFILE_KERNEL", "matmul", "kernel", "matmul"),
        ("ROCM_PERF_PROFILE_JSON", "1", "as_json", True),
        ("ROCM_PERF_PROFILE_RUNS", "7", "runs", 7),
    ],
)
def test_values(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, parameter: str, expected: object
) -> None:
    monkeypatch.setenv(variable, value)
    command = rocm_perf.get_command(click.Context(rocm_perf), "profile")
    assert command is not None
    assert command.make_context("profile", ["./app"]).params[parameter] == expected
    assert command.make_context("profile", ["--runs", "2", "./app"]).params["runs"] == 2
