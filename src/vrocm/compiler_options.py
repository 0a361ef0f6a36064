"""What a command line of hipcc or clang is read by: suffixes of sources, and options that have a value."""

from __future__ import annotations

# Like AMD's hipcc, C++ sources are HIP sources.
LANGUAGES = {
    ".cu": "hip",
    ".hip": "hip",
    ".cpp": "hip",
    ".cc": "hip",
    ".cxx": "hip",
    ".c++": "hip",
    ".C": "hip",
    ".CPP": "hip",
    ".cp": "hip",
    ".cuh": "hip",
    ".c": "c",
    ".i": "cpp-output",
    ".ii": "c++-cpp-output",
    ".hipi": "hip-cpp-output",
    ".s": "assembler",
    ".S": "assembler-with-cpp",
    ".bc": "ir",
    ".ll": "ir",
}

# Options whose value may be a word of its own.
COMPILE_VALUE = frozenset(
    (
        "-D",
        "-U",
        "-I",
        "-isystem",
        "-include",
        "-iquote",
        "-idirafter",
        "-imacros",
        "-isysroot",
        "--sysroot",
        "-iprefix",
        "-iwithprefix",
        "-iwithprefixbefore",
        "-Xclang",
        "-Xpreprocessor",
        "-Xassembler",
        "-Xarch_host",
        "-Xarch_device",
        "-mllvm",
        "-include-pch",
        "-ivfsoverlay",
        "-dumpdir",
        "--param",
        "-working-directory",
        "-Xoffload-compiler",
        "-fplugin",
        "-gcc-toolchain",
    )
)
DEPENDENCY_VALUE = frozenset(
    (
        "-MT",
        "-MQ",
        "-MJ",
    )
)
LINK_VALUE = frozenset(
    (
        "-L",
        "-l",
        "-Xlinker",
        "-T",
        "-u",
        "-z",
        "-e",
        "-rpath",
        "--undefined",
    )
)
