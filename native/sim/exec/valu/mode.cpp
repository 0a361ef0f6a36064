#include "sim/exec/valu/mode.h"

namespace vrocm::sim::VROCM_SIMD_NS {

namespace {

// MODE.FP_ROUND to MXCSR.RC: 0 nearest even, 1 +infinity, 2 -infinity, 3 zero.
constexpr unsigned kRounding[4] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO};
constexpr unsigned kDenormalsAreZero = 0x0040;  // MXCSR.DAZ

class HostMode {
  public:
    HostMode(unsigned round, unsigned denorm) : saved_(_mm_getcsr()) {
        unsigned csr = saved_ & ~(_MM_ROUND_MASK | _MM_FLUSH_ZERO_MASK | kDenormalsAreZero);
        csr |= kRounding[round];
        if (!(denorm & 1)) csr |= kDenormalsAreZero;  // bit 0: inputs keep denormals
        if (!(denorm & 2)) csr |= _MM_FLUSH_ZERO_ON;  // bit 1: results keep denormals
        _mm_setcsr(csr);
    }
    ~HostMode() { _mm_setcsr(saved_); }

  private:
    unsigned saved_;
};

}  // namespace

const Op* run_in_mode(Wave& wave, const Op* op, Precision precision) {
    const Mode mode = wave.mode;
    const bool single = precision == Precision::Single;
    const HostMode host(single ? mode.round_f32() : mode.round_f64_f16(),
                        single ? mode.denorm_f32() : mode.denorm_f64_f16());
    wave.mode.bits = single ? (mode.bits & ~0x33u) | 0x30u : (mode.bits & ~0xccu) | 0xc0u;
    wave.mode.bits |= kHostModeChanged;
    const Op* next = op->fn(wave, op);
    wave.mode = mode;
    return next;
}

}  // namespace vrocm::sim::VROCM_SIMD_NS
