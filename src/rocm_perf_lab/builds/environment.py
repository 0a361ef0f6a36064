"""The environment of builds, and of what others made: what compilers, loaders and GPU runtimes read.

Of any other nobody can tell by its name whether it is a secret (GITHUB_PAT, DATABASE_URL).
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

PASS_VARIABLE = "ROCM_PERF_PASS"
"""Names further variables, with ``*`` for any letters, divided by commas."""

_NAMES = frozenset(
    (
        # Of every process.
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "HOSTNAME", "TMPDIR", "TMP", "TEMP", "TZ"),
        *("LANG", "LANGUAGE", "TERM", "COLUMNS", "LINES", "NO_COLOR", "LD_LIBRARY_PATH", "LD_PRELOAD"),
        # Of compilers and what calls them.
        *("CC", "CXX", "CPP", "FC", "AR", "AS", "LD", "NM", "OBJCOPY", "RANLIB", "STRIP"),
        *("CFLAGS", "CXXFLAGS", "CPPFLAGS", "FFLAGS", "LDFLAGS", "LDLIBS"),
        *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH"),
        *("GCC_EXEC_PREFIX", "MAKEFLAGS", "MAKELEVEL", "NINJA_STATUS", "SOURCE_DATE_EPOCH", "VERBOSE"),
        # Of where things are installed.
        *("VIRTUAL_ENV", "CONDA_PREFIX", "SPACK_ROOT", "MODULEPATH", "LOADEDMODULES"),
    )
)
_BEGINNINGS = (
    *("LC_", "XDG_", "PYTHON", "PKG_CONFIG", "CMAKE_", "CCACHE_", "SCCACHE_DIR", "DISTCC_"),
    *("HIP", "HSA_", "ROC", "AMD_", "GPU_", "HCC_", "CUDA_VISIBLE", "VROCM_", "ISOLATE_"),
    *("MIOPEN_", "RCCL_", "NCCL_", "TENSILE_", "TRITON_"),
    *("OMP_", "GOMP_", "KMP_", "OPENBLAS_", "MKL_", "MALLOC_", "GLIBC_TUNABLES"),
    *("ASAN_", "LSAN_", "MSAN_", "TSAN_", "UBSAN_"),
)
_SECRET = re.compile(
    r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|PAT)S?(?:$|_)|APIKEY",
    re.IGNORECASE,
)


def allowed(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment builds and programs of others get to see."""
    named = [name.strip() for name in environment.get(PASS_VARIABLE, "").split(",")]
    return {name: value for name, value in environment.items() if _is_allowed(name, named)}


def _is_allowed(name: str, named: list[str]) -> bool:
    if any(fnmatchcase(name, pattern) for pattern in named):
        return True
    return (name in _NAMES or name.startswith(_BEGINNINGS)) and not _SECRET.search(name)


@contextlib.contextmanager
def allowed_alone() -> Iterator[None]:
    """Whatever is started meanwhile sees nothing else."""
    before = dict(os.environ)
    try:
        for name in before.keys() - allowed(before).keys():
            del os.environ[name]
        yield
    finally:
        os.environ.update(before)
