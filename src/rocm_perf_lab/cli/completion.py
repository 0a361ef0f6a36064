"""``rocm-perf completion``: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def command(shell: str) -> None:
    """Print the script that lets SHELL complete commands, options and files.

    \b
      rocm-perf completion bash >> ~/.bashrc
      rocm-perf completion zsh >> ~/.zshrc
      mkdir -p ~/.config/fish/completions
      rocm-perf completion fish > ~/.config/fish/completions/rocm-perf.fish
    """
    from rocm_perf_lab.cli.main import VARIABLE, rocm_perf

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(rocm_perf, {}, "rocm-perf", VARIABLE).source())
