"""Messages of several passes, each shown once."""

from __future__ import annotations

from vrocm.hipcc.diagnostics import Diagnostics

WARNING = """a.hip:3:7: warning: unused variable 'x' [-Wunused-variable]
    3 |   int x;
      |       ^
"""
HOST_ONLY = """In file included from a.hip:1:
./b.h:9:1: warning: something about the host [-Wfoo]
    9 | int f();
      | ^
./b.h:2:1: note: declared here
    2 | int g();
      | ^
"""


def test_repeated_messages_are_shown_once_and_new_ones_kept() -> None:
    diagnostics = Diagnostics()
    first = WARNING + "1 warning generated when compiling for gfx942.\n"
    assert diagnostics.new_text(first) == first
    assert diagnostics.new_text(WARNING + "1 warning generated when compiling for host.\n") == ""
    both = WARNING + HOST_ONLY + "2 warnings generated when compiling for host.\n"
    assert diagnostics.new_text(both) == HOST_ONLY + "2 warnings generated when compiling for host.\n"


def test_colours_do_not_hide_a_repetition() -> None:
    diagnostics = Diagnostics()
    coloured = (
        "\x1b[1ma.hip:3:7: \x1b[0m\x1b[0;1;35mwarning: \x1b[0munused variable 'x' [-Wunused-variable]\n"
    )
    assert diagnostics.new_text(coloured) == coloured
    assert diagnostics.new_text("a.hip:3:7: warning: unused variable 'x' [-Wunused-variable]\n") == ""


def test_the_tool_is_called_by_the_compilers_name() -> None:
    assert (
        Diagnostics().new_text("zig: error: unknown argument: '-foo'\n")
        == "clang: error: unknown argument: '-foo'\n"
    )
