"""Names that HIP's headers define for device code: which of them synchronise, and which are harmless.

From the HIP documentation's list of device functions and clang's list of AMDGPU builtins. A name that is not
here and not in the source is one whose code is not seen.
"""

from __future__ import annotations

import re
from typing import Literal

HazardKind = Literal["barrier", "atomic", "dynamic_shared", "wave", "volatile", "assembly", "unseen"]

_BARRIER = re.compile(
    r"__syncthreads(_count|_and|_or)?|__syncwarp|__barrier|"
    r"__builtin_amdgcn_(s_barrier\w*|wave_barrier|fence|s_waitcnt\w*|sched_barrier|sched_group_barrier|"
    r"ds_gws_\w*)|"
    r"__threadfence(_block|_system)?|__work_group_barrier|sync|arrive|wait|arrive_and_wait|grid_sync|"
    r"__cluster_barrier_\w+|__atomic_thread_fence|__ockl_gws_\w+|__ockl_grid_sync|"
    r"__ockl_multi_grid_sync|atomic_thread_fence|atomic_work_item_fence"
)
_ATOMIC = re.compile(
    r"(unsafe|safe)?[aA]tomic[A-Z]\w*|atomic_\w+|__atomic_\w+|__hip_atomic_\w+|__sync_\w+|"
    r"__scoped_atomic_\w+|__builtin_amdgcn_\w*atomic\w*|__builtin_amdgcn_ds_(append|consume)|"
    r"fetch_(add|sub|and|or|xor|min|max)|compare_exchange_(weak|strong)|compare_exchange|"
    r"__ockl_atomic\w*|atomic|atomic_ref"
)
_WAVE = re.compile(
    r"__shfl(_up|_down|_xor)?(_sync)?|__ballot(_sync|64)?|__any(_sync)?|__all(_sync)?|__activemask|"
    r"__match_(any|all)(_sync)?|__reduce_\w+_sync|"
    r"__builtin_amdgcn_(ds_bpermute|ds_permute|ds_swizzle|readlane|readfirstlane|writelane|mov_dpp|"
    r"mov_dpp8|update_dpp|permlane\w*|mbcnt_lo|mbcnt_hi|ballot_w\d+|uicmp\w*|set_inactive\w*|wwm|wqm\w*|"
    r"read_exec\w*|wave_reduce\w*)|"
    r"__hip_ds_\w+|__hip_move_dpp\w*|shfl(_up|_down|_xor)?|ballot|match_any|match_all|__ockl_wf\w+|"
    r"__lanemask_\w+"
)


def _set_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MATH = _set_of("""
    abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv
    erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod frexp hypot ilogb
    isfinite isinf isnan j0 j1 jn ldexp lgamma llabs llrint llround log log10 log1p log2 logb lrint
    lround max min modf nan nearbyint nextafter norm norm3d norm4d normcdf normcdfinv pow powi rcbrt
    remainder remquo rhypot rint rnorm rnorm3d rnorm4d round rsqrt scalbln scalbn signbit sin sincos
    sincospi sinh sinpi sqrt tan tanh tanpi tgamma trunc y0 y1 yn clamp labs mad mul24 div swap move
    forward numeric_limits lowest infinity quiet_NaN is_same declval begin end size
""")
_PLAIN = _set_of("""
    auto sizeof alignof decltype static_cast reinterpret_cast const_cast dynamic_cast bool char short
    int long float double signed unsigned void size_t ssize_t ptrdiff_t int8_t uint8_t int16_t uint16_t
    int32_t uint32_t int64_t uint64_t intptr_t uintptr_t half __half __half2 half2 __hip_bfloat16
    __hip_bfloat162 _Float16 dim3 uint ushort uchar ulong bit_cast printf assert static_assert
    __assert_fail __trap abort get integral_constant array __ldg __ldcg __ldca __ldcs __stcg __stcs
    __stwt clock clock64 wall_clock64 __clock __clock64 memcpy memset __popc __popcll __clz __clzll
    __ffs __ffsll __brev __brevll __byte_perm __funnelshift_l __funnelshift_r __funnelshift_lc
    __funnelshift_rc __sad __usad __mul24 __umul24 __mulhi __umulhi __mul64hi __umul64hi __hadd
    __rhadd __uhadd __urhadd __saturatef __fdividef __lane_id __smid __amdgcn_wavefront_size
    threadIdx blockIdx blockDim gridDim make_pair pair tuple tie this_thread_block tiled_partition
    this_grid coalesced_threads thread_rank num_threads block_rank group_index thread_index
    dim_threads thread_block thread_block_tile conditional_t enable_if_t is_same_v true_type
    false_type x y z w data real imag
""")
_HARMLESS = re.compile(
    r"make_\w+|__builtin_\w+|__f(add|sub|mul|div|maf|ma|sqrt|rsqrt|rcp)_r[nudz]|"
    r"__d(add|sub|mul|div|sqrt|rcp)_r[nudz]|__fma(f)?_r[nudz]|"
    r"__(exp|exp10|log|log2|log10|sin|cos|tan|sincos|pow|frcp|fsqrt)f(_r[nudz])?|__ocml_\w+|"
    r"__(float|double|int|uint|ll|ull|half|short|ushort|long|hiloint)\d?2\w+(_r[nudz])?|__\w+_as_\w+|"
    r"__h(add|sub|mul|div|fma|neg|abs|eq|ne|lt|le|gt|ge|max|min)2?(_\w+)?|"
    r"h(exp|exp2|log|log2|sqrt|rsqrt|rcp|sin|cos|floor|ceil|trunc|rint)2?|__(low|high)\w*2\w+|"
    r"u?(char|short|int|long|longlong|float|double)[1-4]|__(float2bfloat16|bfloat162float)\w*|"
    r"__hip_cvt_\w+|operator.*|__dp[24]a\w*|"
    r"hipC(add|sub|mul|div|fma|real|imag|abs|onj)f?|hip(Float|Double)?Complex"
)
_HARMLESS_WORDS = _PLAIN | {name + suffix for name in _MATH for suffix in ("", "f", "l")}


def hazard_kind(name: str) -> HazardKind | None:
    """What a name of the device library does that matters to the order of operations; None: nothing."""
    if _BARRIER.fullmatch(name):
        return "barrier"
    if _ATOMIC.fullmatch(name):
        return "atomic"
    if _WAVE.fullmatch(name):
        return "wave"
    if name in ("volatile",):
        return "volatile"
    if name in ("asm", "__asm__", "__asm"):
        return "assembly"
    return None


def harmless(name: str) -> bool:
    """A function, type or constructor of the device library that orders nothing."""
    return name in _HARMLESS_WORDS or _HARMLESS.fullmatch(name) is not None
