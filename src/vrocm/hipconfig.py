"""hipconfig: what build scripts ask about a HIP installation."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

PLATFORM = "amd"
COMPILER = "clang"
RUNTIME = "rocclr"

USAGE = """usage: hipconfig [OPTIONS]
  --path, -p       path of the HIP installation
  --rocmpath, -R   path of the ROCm installation
  --cpp_config, -C C++ compiler options
  --compiler, -c   name of the compiler
  --platform, -P   name of the platform
  --runtime, -r    name of the runtime
  --hipclangpath, -l  path of the compiler
  --full, -f       full report
  --version, -v    HIP version
  --check          check the configuration
  --newline, -n    print a newline at the end
  --help, -h       this text"""


def package_dir() -> Path:
    return Path(__file__).resolve().parent


def prefix_path() -> str:
    """The prefix this program is part of: the one the environment names, else the package itself."""
    return os.environ.get("HIP_PATH") or os.environ.get("ROCM_PATH") or str(package_dir())


def hip_version() -> str:
    """MAJOR.MINOR.PATCH-build, read from the header that programs see."""
    text = (package_dir() / "include" / "hip" / "hip_version.h").read_text()
    values = dict(re.findall(r'#define HIP_VERSION_(\w+) "?([^"\s]*)"?', text))
    return f"{values['MAJOR']}.{values['MINOR']}.{values['PATCH']}-{values.get('BUILD_NAME', 'vrocm')}"


def cpp_config() -> str:
    return f" -D__HIP_PLATFORM_HCC__= -D__HIP_PLATFORM_AMD__= -I{prefix_path()}/include"


def compiler_path() -> str:
    return f"{prefix_path()}/llvm/bin"


def full_report() -> str:
    from .hipcc import toolchain

    tools = toolchain.find()
    clang = subprocess.run([*tools.clang, "--version"], capture_output=True, text=True, check=False).stdout
    lines = [
        f"HIP version: {hip_version()}",
        "",
        "==hipconfig",
        f"HIP_PATH           :{prefix_path()}",
        f"ROCM_PATH          :{prefix_path()}",
        f"HIP_COMPILER       :{COMPILER}",
        f"HIP_PLATFORM       :{PLATFORM}",
        f"HIP_RUNTIME        :{RUNTIME}",
        f"CPP_CONFIG         :{cpp_config()}",
        "",
        "==hip-clang",
        f"HIP_CLANG_PATH     :{compiler_path()}",
        clang.rstrip(),
        "",
        "== Linux Kernel",
        f"Hostname      :{platform.node()}",
        " ".join(platform.uname()),
        "",
    ]
    return "\n".join(lines)


ANSWERS: dict[str, Callable[[], str]] = {
    "--path": prefix_path,
    "-p": prefix_path,
    "--rocmpath": prefix_path,
    "-R": prefix_path,
    "--cpp_config": cpp_config,
    "--cxx_config": cpp_config,
    "-C": cpp_config,
    "--compiler": lambda: COMPILER,
    "-c": lambda: COMPILER,
    "--platform": lambda: PLATFORM,
    "-P": lambda: PLATFORM,
    "--runtime": lambda: RUNTIME,
    "-r": lambda: RUNTIME,
    "--hipclangpath": compiler_path,
    "-l": compiler_path,
    "--full": full_report,
    "-f": full_report,
    "--check": full_report,
    "--version": hip_version,
    "-v": hip_version,
    "--help": lambda: USAGE,
    "-h": lambda: USAGE,
}


def main(argv: list[str]) -> int:
    from .hipcc.errors import HipccError

    # Like that of AMD, it answers without a newline: build scripts paste answers into command lines.
    newline = any(argument in ("-n", "--newline") for argument in argv)
    questions = [argument for argument in argv if argument not in ("-n", "--newline")] or ["--full"]
    for question in questions:
        answer = ANSWERS.get(question)
        if answer is None:
            print(f"hipconfig: error: unknown option {question}\n{USAGE}", file=sys.stderr)
            return 1
        try:
            sys.stdout.write(answer())
        except HipccError as problem:
            print(f"hipconfig: error: {problem}", file=sys.stderr)
            return problem.exit_code
    if newline or questions == ["--full"] or questions[-1] in ("-h", "--help"):
        sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
