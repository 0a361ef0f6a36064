"""The program ``rocm-perf``: what its scripts call, and ``python -m rocm_perf_lab``."""

import os
import sys


def main() -> None:
    _start_again_unless_isolated()
    from rocm_perf_lab.cli.main import main as run
    from vrocm.standard_streams import look_after_standard_streams

    look_after_standard_streams()
    run()


def _start_again_unless_isolated() -> None:
    """A vrocm.py in the current folder, or where PYTHONPATH leads, would be found before ours."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - nothing imported
    sys.path.insert(0, home)
    from vrocm.isolated import start_again_unless_isolated

    sys.path.remove(home)
    start_again_unless_isolated("rocm_perf_lab")


if __name__ == "__main__":
    main()
