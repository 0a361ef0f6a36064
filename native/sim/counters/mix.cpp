#include "sim/counters/mix.h"

#include "isa/flags.h"
#include "sim/counters/valu_class.h"
#include "sim/timing/cost.h"

namespace vrocm::sim::counters {

namespace {

using isa::Format;
namespace flag = isa::flag;
using Entry = OpCounts::Entry;

void add_valu(Mix& mix, const Entry& entry, const timing::Parameters& parameters) {
    const std::uint64_t n = entry.executions;
    const timing::Cost cost = timing::cost_of(*entry.op, parameters);
    const std::uint64_t issue = cost.unit == timing::Unit::Matrix ? parameters.issue : cost.cycles;
    mix.insts_valu += n;
    mix.cycles_valu += n * issue;
    mix.thread_cycles_valu += entry.lanes * issue / parameters.issue;
    if (cost.unit == timing::Unit::Matrix) mix.cycles_mfma += n * cost.cycles;
    const ValuClass kind = valu_class(entry.op->inst->op);
    if (kind.count) mix.*kind.count += n;
    if (!kind.operations) return;
    mix.insts_mfma += n;
    mix.*kind.operations += n * kind.operations_each;
}

void add_memory(Mix& mix, const Entry& entry) {
    const isa::Inst& inst = *entry.op->inst;
    const std::uint64_t flags = isa::info(inst.op).flags, n = entry.executions;
    if (flags & flag::CacheControl) {
        mix.cache_control += n;
        return;
    }
    const bool buffer = inst.format == Format::MUBUF || inst.format == Format::MTBUF,
               flat = inst.format == Format::FLAT;
    const std::uint64_t lanes = entry.lanes - entry.lds_lanes;
    mix.flat_lds_only += entry.lds_only;
    if (flags & flag::Atomic) {
        (buffer ? mix.buffer_atomic : flat ? mix.flat_atomic : mix.segment_atomic) += n;
        (inst.sc0 ? mix.lanes_atomic_return : mix.lanes_atomic) += lanes;
        if (inst.sc0) mix.atomic_return += n;
    } else if (flags & flag::Store) {
        (buffer ? mix.buffer_write : flat ? mix.flat_write : mix.segment_write) += n;
        mix.lanes_write += lanes;
    } else {
        (buffer ? mix.buffer_read : flat ? mix.flat_read : mix.segment_read) += n;
        mix.lanes_read += lanes;
    }
}

void add_scalar_memory(Mix& mix, const Entry& entry) {
    const isa::Inst& inst = *entry.op->inst;
    mix.insts_smem += entry.executions;
    const std::uint64_t flags = isa::info(inst.op).flags;
    if (flags & flag::Store) mix.insts_smem_store += entry.executions;
    if (!(flags & flag::Load)) return;
    switch (inst.dst.dwords) {
        case 1:
            mix.scalar_read_1 += entry.executions;
            break;
        case 2:
            mix.scalar_read_2 += entry.executions;
            break;
        case 4:
            mix.scalar_read_4 += entry.executions;
            break;
        case 8:
            mix.scalar_read_8 += entry.executions;
            break;
        case 16:
            mix.scalar_read_16 += entry.executions;
            break;
        default:
            break;
    }
}

// Scalar and program-control instructions. MI300X counts s_endpgm among the messages (a copy kernel without any other
// reads one SENDMSG for each wave).
void add_scalar(Mix& mix, const Entry& entry) {
    const isa::Inst& inst = *entry.op->inst;
    const std::uint64_t flags = isa::info(inst.op).flags, n = entry.executions;
    if (flags & flag::Branch)
        mix.insts_branch += n;
    else if (flags & (flag::EndsWave | flag::Message))
        mix.insts_sendmsg += n;
    else if (inst.format == Format::SOPP || flags & flag::Wait)
        mix.insts_internal += n;
    else
        mix.insts_salu += n;
}

void add(Mix& mix, const Entry& entry, const timing::Parameters& parameters) {
    mix.insts += entry.executions;
    switch (entry.op->inst->format) {
        case Format::SOP1:
        case Format::SOP2:
        case Format::SOPK:
        case Format::SOPC:
        case Format::SOPP:
            return add_scalar(mix, entry);
        case Format::SMEM:
            return add_scalar_memory(mix, entry);
        case Format::VOP1:
        case Format::VOP2:
        case Format::VOPC:
        case Format::VOP3:
        case Format::VOP3P:
        case Format::MFMA:
            return add_valu(mix, entry, parameters);
        case Format::DS:
            (entry.op->inst->gds ? mix.insts_gds : mix.insts_lds) += entry.executions;
            if (isa::has(entry.op->inst->op, flag::ReturnsOld)) mix.insts_lds_atomic_return += entry.executions;
            return;
        case Format::FLAT:
        case Format::GLOBAL:
        case Format::SCRATCH:
        case Format::MUBUF:
        case Format::MTBUF:
            return add_memory(mix, entry);
    }
}

}  // namespace

Mix mix_of(const OpCounts& counts, const timing::Parameters& parameters) {
    Mix mix;
    for (const Entry& entry : counts.entries())
        if (entry.op) add(mix, entry, parameters);
    return mix;
}

}  // namespace vrocm::sim::counters
