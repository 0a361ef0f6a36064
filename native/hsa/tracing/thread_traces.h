// Thread traces: which dispatches get one, and where it goes.
//
// VROCM_ATT asks for them: "target_cu=1,se_mask=0x1,simd_mask=0xf,buffer=100663296,waves=128,instructions=200000000",
// in any order and number. VROCM_ATT_INCLUDE and VROCM_ATT_EXCLUDE are regular expressions (ECMAScript) over names of
// kernels, VROCM_ATT_NAMES says which names (demangled, mangled or truncated), and VROCM_ATT_ITERATIONS is a list of
// runs of a kernel, counted from 1: "1-3,7-7".
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/observe/thread_trace.h"
#include "trace/device.h"

namespace vrocm::hsa {

struct LoadedCodeObject;

bool thread_traces_asked_for();
// For a dispatch that is about to run; null when it is not to be traced.
std::unique_ptr<sim::ThreadTrace> begin_thread_trace(const trace::DispatchRecord& dispatch,
                                                     const std::string& kernel_symbol, const sim::GpuModel& model);
// Writes the trace beside the log.
void end_thread_trace(const sim::ThreadTrace& trace, const trace::DispatchRecord& dispatch, unsigned agent_index);
// Keeps a copy of the code object beside the log.
void keep_code_object(const LoadedCodeObject& object, std::uint64_t id);

}  // namespace vrocm::hsa
