"""``rocm-perf replay``: runs a captured dispatch again at its addresses, and proves that it is the same."""

from __future__ import annotations

import importlib

import click

from rocm_perf_lab.cli.options.variables import name_variables

# Name -> (module of this folder, its command, one line). Imported when it runs, as in cli.main.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "reserve-check": ("full_vm", "reserve_check_command", "Say whether every address can be had here."),
    "full-vm": ("full_vm", "full_vm_command", "Replay a capture and time it."),
    "validate": ("validate", "validate_command", "Prove that replays give what the program got."),
    "inspect": ("inspect", "inspect_command", "Show what is in a capture; needs no GPU."),
    "minimise": ("minimise", "minimise_command", "Keep only the pages that the kernel touches."),
    "profile": ("profile", "profile_command", "Counters or a thread trace of the replayed kernel."),
    "build": ("build", "build_command", "Build a variant from edited source and replay it."),
    "export": ("bundle", "export_command", "Make one shareable file of a capture."),
    "import": ("bundle", "import_command", "Unpack such a file, and check it."),
}


class LazyReplayCommands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        found = getattr(importlib.import_module(f"rocm_perf_lab.cli.replay.{module}"), name)
        assert isinstance(found, click.Command)
        name_variables(found, "replay", cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in COMMANDS.items()])


@click.group(cls=LazyReplayCommands)
def command() -> None:
    """Run a captured dispatch again, at the same addresses, and prove that it is the same.

    A capture is a folder that rocm-perf capture made.

    \b
      rocm-perf replay full-vm isolate_capture --iterations 20
      rocm-perf replay validate isolate_capture --hsaco variant.hsaco
    """
