"""Options of a suite that make no sense, named before anything runs."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from rocm_perf_lab.cli.suite import run_command
from rocm_perf_lab.errors import UsageProblem


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("none",), "none is not there"),
        (("empty",), "no capture in empty"),
        (("captures", "--baseline", "none.json"), "none.json cannot be read"),
        (("captures", "--baseline", "x", "--iterations", "0"), "compares times"),
        (("captures", "--fail-on-regression", "much"), "not a percentage"),
        (("captures", "--executor", "dask"), "go together"),
        (("captures", "--hsaco", "none"), "no file none"),
    ],
)
def test_what_makes_no_sense(
    words: tuple[str, ...], cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "captures/one").mkdir(parents=True)
    (tmp_path / "captures/one/manifest.json").write_text("{}")
    with pytest.raises(UsageProblem, match=cause):
        run_command.main(list(words), standalone_mode=False)
    assert not (tmp_path / ".rocm-perf").exists()


def test_options_are_documented() -> None:
    text = (Path(__file__).parents[3] / "docs/guide/suite.md").read_text()
    for option in run_command.params:
        if isinstance(option, click.Option):
            assert option.opts[0] in text, option.opts
