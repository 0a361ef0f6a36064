"""The program ``rocm-perf``: what its scripts call, and ``python -m rocm_perf_lab``."""

from rocm_perf_lab.isolated import start_again_unless_isolated


def main() -> None:
    start_again_unless_isolated("rocm_perf_lab")
    from rocm_perf_lab.cli.main import main as run
    from rocm_perf_lab.standard_streams import look_after_standard_streams

    look_after_standard_streams()
    run()


if __name__ == "__main__":
    main()
