"""The program ``vrocm``: what its script calls, and ``python -m vrocm``."""

from vrocm.isolated import start_again_unless_isolated


def main() -> None:
    start_again_unless_isolated("vrocm")
    import sys

    from vrocm.commands import main as run
    from vrocm.standard_streams import run_tool

    run_tool("vrocm", lambda: sys.exit(run(sys.argv[1:])))


if __name__ == "__main__":
    main()
