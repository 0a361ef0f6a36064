#include "sim/timing/engine/detail.h"

#include <algorithm>
#include <bit>

#include "isa/flags.h"
#include "sim/timing/engine/resident.h"

namespace vrocm::sim::timing {

namespace {

// Vector memory instructions that a compute unit takes before it can process them.
constexpr Cycle kVectorMemoryQueue = 64;
// Where the model places scratch, which has no address of its own in the process.
constexpr std::uint64_t kScratchBase = 0x4000'0000'0000ull;

}  // namespace

GroupFootprint GroupFootprint::of(const GpuModel& gpu, const KernelDescriptor& kernel, unsigned waves_per_group,
                                  std::uint32_t lds_bytes) {
    const gpus::Architecture& unit = *gpu.architecture;
    GroupFootprint need;
    need.waves_per_group = std::max(waves_per_group, 1u);
    need.waves_per_simd = std::clamp(std::min(unit.registers / kernel.vgprs(), unit.scalar_registers / kernel.sgprs()),
                                     1u, unit.waves_per_simd);
    need.lds_bytes = lds_bytes;
    return need;
}

Detail::Detail(Gpu& gpu, const GroupFootprint& need, std::uint64_t first, std::uint64_t groups,
               std::uint64_t start_cycle, GroupSource& source, Recorder* recorder)
    : gpu_(gpu),
      p_(gpu.p),
      need_(need),
      groups_(groups),
      start_cycle_(start_cycle),
      source_(source),
      recorder_(recorder),
      dealt_(gpu.xcds.size()),
      rotation_(gpu.xcds.size(), 0) {
    gpu_.begin_dispatch();
    for (Dealt& dealt : dealt_) dealt.next = first / dealt_.size();
    for (unsigned x = 0; x < gpu_.xcds.size(); ++x) fill(x, p_.kernel_start);
    resident_ = groups_running_.size();
}

Detail::~Detail() = default;

void Detail::push(Cycle time, std::uint32_t slot) {
    events_.push_back({time, slot});
    std::push_heap(events_.begin(), events_.end(), std::greater<>());
}

// ---- placing workgroups ----

bool Detail::fits(const ComputeUnit& unit) const {
    if (unit.lds_used + need_.lds_bytes > gpu_.model.lds_bytes) return false;
    if (need_.waves_per_group > 1 && unit.groups >= gpu_.model.architecture->barriers) return false;
    unsigned room = 0;
    for (const Simd& simd : unit.simds) room += need_.waves_per_simd - std::min(simd.waves, need_.waves_per_simd);
    // A workgroup larger than the unit could hold by its registers does not start on hardware; here it starts alone.
    return room >= need_.waves_per_group || unit.groups == 0;
}

// Workgroups go round the dies, on a die round the shader engines, in an engine round its units.
void Detail::fill(unsigned x, Cycle at) {
    Xcd& xcd = gpu_.xcds[x];
    unsigned refused = 0;
    while (refused < xcd.units.size()) {
        if (!has_next(x)) return;
        ComputeUnit& unit = *xcd.units[rotation_[x]];
        rotation_[x] = (rotation_[x] + 1) % static_cast<unsigned>(xcd.units.size());
        if (!fits(unit)) {
            ++refused;
            continue;
        }
        refused = 0;
        launch(unit, at);
    }
}

void Detail::refill(ComputeUnit& unit, Cycle at) {
    while (has_next(unit.xcd) && fits(unit)) launch(unit, at);
}

std::unique_ptr<Workgroup> Detail::take_next(unsigned xcd) {
    Dealt& dealt = dealt_[xcd];
    if (dealt.begun.empty()) return source_.start(take_index(xcd));
    auto group = std::move(dealt.begun.front());
    dealt.begun.erase(dealt.begun.begin());
    return group;
}

void Detail::launch(ComputeUnit& unit, Cycle at) {
    auto group = std::make_unique<Group>();
    group->work = take_next(unit.xcd);
    group->unit = &unit;
    group->left = group->work->wave_count;
    group->place = static_cast<std::uint32_t>(groups_running_.size());
    ++unit.groups;
    unit.lds_used += need_.lds_bytes;
    unit.occupied.enter(at);
    gpu_.xcds[unit.xcd].engines[unit.engine].enter(at);
    ++counts_.workgroups;
    ++dealt_[unit.xcd].running;
    Pipe& launcher = gpu_.xcds[unit.xcd].launchers[unit.engine];
    for (unsigned wave = 0; wave < group->work->wave_count; ++wave) {
        const Cycle launched = launcher.take(at, p_.wave_launch);
        const std::uint32_t index = place_wave(*group, wave, launched);
        enter(slots_[index], launched + p_.group_launch);
    }
    Group& placed = *group;
    groups_running_.push_back(std::move(group));
    release_barrier(placed);
}

// A wave that may have run elsewhere before goes on at a time, or waits at its barrier.
void Detail::enter(Slot& slot, Cycle at) {
    Group& group = *slot.group;
    slot.waits_at_barrier = slot.wave->state == WaveState::AtBarrier;
    slot.barrier_since = at;
    if (slot.wave->state == WaveState::Done) {
        slot.wave->access = nullptr;
        free_slot(slot, at);
        --group.left;
    } else if (slot.waits_at_barrier) {
        ++group.arrived;
        group.last_arrival = std::max(group.last_arrival, at);
    } else {
        push(at, static_cast<std::uint32_t>(&slot - slots_.data()));
    }
}

// Waves go round the SIMDs of a unit, past those that have no room: so those of a workgroup are spread over all of
// them, however many waves of others are about to end. (gem5 and MGPUSim, open simulators of AMD GPUs, do the same.)
Simd& Detail::next_simd(ComputeUnit& unit) const {
    Simd* simd = nullptr;
    for (unsigned i = 0; i < kSimds && !simd; ++i) {
        Simd& next = unit.simds[(unit.rotation + i) % kSimds];
        if (next.waves < need_.waves_per_simd) simd = &next;
    }
    if (!simd)
        simd = std::min_element(std::begin(unit.simds), std::end(unit.simds),
                                [](const Simd& a, const Simd& b) { return a.waves < b.waves; });
    unit.rotation = static_cast<unsigned>(simd - unit.simds + 1) % kSimds;
    return *simd;
}

std::uint32_t Detail::place_wave(Group& group, unsigned number, Cycle launched) {
    ComputeUnit& unit = *group.unit;
    Simd* simd = &next_simd(unit);
    std::uint32_t index;
    if (free_slots_.empty()) {
        index = static_cast<std::uint32_t>(slots_.size());
        slots_.emplace_back();
    } else {
        index = free_slots_.back();
        free_slots_.pop_back();
    }
    Slot& slot = slots_[index] = Slot{};
    slot.wave = &group.work->waves[number];
    slot.group = &group;
    slot.simd = simd;
    slot.simd_slot = static_cast<std::uint8_t>(std::countr_one(simd->slots_taken));
    simd->slots_taken |= 1u << slot.simd_slot;
    ++simd->waves;
    group.slots.push_back(index);
    slot.wave->access = &access_;
    slot.launched = slot.marked_at = launched;
    slot.passed = slot.marked = slot.wave->instructions;
    ++counts_.waves;
    if (recorder_) {
        const WavePlace place{unit.xcd, unit.engine, unit.number, static_cast<unsigned>(simd - unit.simds),
                              slot.simd_slot};
        slot.recorded = recorder_->wants(place);
        if (slot.recorded) slot.record = recorder_->begin_wave(place, *slot.wave, slot.launched);
    }
    return index;
}

// ---- time ----

Detail::Status Detail::run(std::uint64_t instructions) {
    const std::uint64_t stop = counts_.instructions + instructions;
    while (!events_.empty() && counts_.instructions < stop) {
        std::pop_heap(events_.begin(), events_.end(), std::greater<>());
        const Event event = events_.back();
        events_.pop_back();
        Slot& slot = slots_[event.slot];
        Cycle time = event.time;
        // As long as no other wave is due earlier, this one goes on.
        do {
            now_ = std::max(now_, time);
            time = issue(slot, time);
        } while (time != 0 && (events_.empty() || time < events_.front().time) && counts_.instructions < stop);
        if (fault_wave_) return Status::Faulted;
        if (time != 0) push(time, event.slot);
    }
    return events_.empty() ? Status::Ended : Status::Running;
}

namespace {

bool meets(const isa::Operand& operand, unsigned first, unsigned last) {
    if (operand.kind != isa::Operand::Kind::Vgpr && operand.kind != isa::Operand::Kind::Agpr) return false;
    const unsigned begin = operand.reg + (operand.kind == isa::Operand::Kind::Agpr ? 256 : 0);
    return begin <= last && begin + std::max<unsigned>(operand.dwords, 1) > first;
}

}  // namespace

// Hardware interlocks: results of matrix instructions, and scalar results of vector instructions.
Cycle Detail::wait_for_results(const Slot& slot, const Op* op, const Cost& cost, Cycle at) const {
    if (cost.reads_scalar) at = std::max(at, slot.scalar_ready);
    if (slot.results_ready <= at) return at;
    for (const Slot::Result& result : slot.results) {
        if (result.ready <= at) continue;
        // Accumulating into the same registers goes through the matrix core's own path.
        const isa::Inst& inst = *op->inst;
        const bool accumulates = cost.unit == Unit::Matrix && meets(inst.dst, result.first, result.first);
        bool uses = !accumulates && meets(inst.dst, result.first, result.last);
        for (unsigned i = 0; i < 4; ++i)
            uses |= !(accumulates && i == 2) && meets(inst.src[i], result.first, result.last);
        if (uses) at = result.ready;
    }
    return at;
}

// When the unit takes the instruction; reserves it.
Cycle Detail::issue_on_unit(Slot& slot, const Cost& cost, const Op* op, Cycle at) {
    Simd& simd = *slot.simd;
    switch (cost.unit) {
        case Unit::Valu: {
            const Cycle start = simd.valu.take(at, cost.cycles * kOne);
            if (cost.writes_scalar) slot.scalar_ready = start + p_.scalar_after_vector;
            return start;
        }
        case Unit::Matrix: {
            const Cycle free = std::max(at, simd.matrix.free_at());
            const Cycle start = simd.valu.take(free, p_.issue * kOne);
            simd.matrix.take(start, cost.cycles * kOne);
            auto& result = slot.results[slot.next_result++ % 4];
            const isa::Operand& dst = op->inst->dst;
            result.first = static_cast<std::uint16_t>(dst.reg + (dst.kind == isa::Operand::Kind::Agpr ? 256 : 0));
            result.last = static_cast<std::uint16_t>(result.first + dst.dwords - 1);
            result.ready = start + cost.result;
            slot.results_ready = std::max(slot.results_ready, result.ready);
            return start;
        }
        case Unit::Salu:
            return simd.salu.take(at, p_.issue * kOne);
        case Unit::Vmem: {
            const Cycle full = slot.group->unit->vector_memory.free_at();
            return full > at + kVectorMemoryQueue ? full - kVectorMemoryQueue : at;
        }
        default:
            return at;
    }
}

Cycle Detail::issue(Slot& slot, Cycle now) {
    Wave& wave = *slot.wave;
    const Op* op = wave.next;
    while (!op->inst && op->target) op = op->target;  // runs of decoded code are joined by operations of no cost
    if (!op->inst) {                                  // the end of the code, or bytes that are no instruction
        op->fn(wave, op);
        fault_group_ = slot.group->work.get();
        fault_wave_ = &wave;
        return 0;
    }
    const Cost& cost = gpu_.costs[op];
    note_time(slot, op->index, now);
    Cycle at = now;
    if (const std::uint64_t line = slot.group->unit->front.fetch_line(op->pc); line != slot.fetched) {
        slot.fetched = line;
        at = slot.group->unit->front.fetch(at, op->pc, counts_);
    }
    const Cycle fetched = at;
    at = wait_for_results(slot, op, cost, at);
    if (cost.unit == Unit::Wait)
        at = std::max({at, slot.vector_memory.until(cost.wait_vm), slot.local.until(cost.wait_lgkm)});
    const Cycle ready = at;
    at = issue_on_unit(slot, cost, op, at);
    counts_.wait_dependency_cycles += ready - now;
    counts_.wait_unit_cycles += at - ready;
    if (cost.unit == Unit::Lds) counts_.wait_lds_cycles += at - ready;

    if (cost.clock) {
        read_clock_ = true;
        wave.clock = start_cycle_ + at - wave.instructions * wave.cycles_per_instruction;
    }
    access_.lanes = 0;
    const std::uint64_t lanes = wave.exec();
    ++wave.instructions;
    const Op* next = op->fn(wave, op);
    if (tally_) tally_->add(op, lanes, access_, slot.window);
    ++counts_.instructions;
    ++slot.group->unit->executed;
    ++dealt_[slot.group->unit->xcd].executed;
    ++counts_.by_class[static_cast<unsigned>(cost.kind)];
    if (cost.unit == Unit::Valu || cost.unit == Unit::Matrix)
        counts_.active_lanes_valu += static_cast<unsigned>(std::popcount(lanes));

    Cycle follows = at + p_.issue;
    bool taken = false;
    switch (cost.unit) {
        case Unit::Branch:
            taken = (next ? next : wave.next) != op + 1;
            follows = at + (taken ? p_.branch_taken : p_.branch_not_taken);
            break;
        case Unit::Nop:
            follows = at + cost.cycles;
            break;
        case Unit::Vmem:
        case Unit::Lds:
        case Unit::Smem:
            access_memory(slot, op, cost, at);
            break;
        case Unit::Internal:
            if (cost.invalidates_l1) slot.group->unit->vector_memory.invalidate();
            break;
        default:
            break;
    }
    counts_.issue_cycles[static_cast<unsigned>(cost.kind)] += follows - at;
    if (slot.recorded) recorder_->instruction(slot.record, op, cost, fetched, at, follows, taken);
    if (next) {
        wave.next = next;
        return follows;
    }
    switch (wave.state) {
        case WaveState::Ready:  // it goes round a loop in which it looks at what others write
            if (!std::exchange(wave.wrote, false)) ++polls_;
            return follows;
        case WaveState::AtBarrier:
            arrive(slot, at);
            return 0;
        case WaveState::Done:
            end_wave(slot, follows);
            return 0;
        case WaveState::Faulted:
            break;
    }
    fault_group_ = slot.group->work.get();
    fault_wave_ = &wave;
    return 0;
}

void Detail::access_memory(Slot& slot, const Op* op, const Cost& cost, Cycle at) {
    ComputeUnit& unit = *slot.group->unit;
    if (cost.unit == Unit::Vmem) return access_vector_memory(slot, op, cost, at);
    Cycle done;
    if (cost.unit == Unit::Smem) {
        done = access_.lanes ? unit.front.load(at, access_.address[0], access_.bytes, counts_) : at + p_.scalar_hit;
        counts_.latency_smem += done - at;
    } else {
        done = at + p_.lds_latency;
        if (access_.lanes) {
            const bool atomic = isa::has(op->inst->op, isa::flag::Atomic);
            done = unit.lds.access(at, access_, cost.places, cost.second, atomic, counts_).done;
        }
        counts_.latency_lds += done - at;
    }
    slot.local.add(done);
}

void Detail::access_vector_memory(Slot& slot, const Op* op, const Cost& cost, Cycle at) {
    ComputeUnit& unit = *slot.group->unit;
    Cycle done = at + p_.issue;
    if (access_.lanes) {
        const std::uint64_t first = access_.address[std::countr_zero(access_.lanes)];
        if (first - kSharedAperture < kApertureSize) {  // a flat access that means LDS
            done = unit.lds.access(at, access_, 1, 0, false, counts_).done;
        } else {
            if (op->inst->format == isa::Format::SCRATCH || first - kPrivateAperture < kApertureSize) {
                // Dword d of lane l lies at d * 64 + l: neighbouring lanes are next to each other.
                const std::uint64_t base = kScratchBase + std::uint64_t{slot.wave->scratch_per_lane} * kLanes *
                                                              static_cast<std::uint64_t>(&slot - slots_.data());
                for (std::uint64_t left = access_.lanes; left; left &= left - 1) {
                    const auto lane = static_cast<unsigned>(std::countr_zero(left));
                    const std::uint64_t offset = access_.address[lane] & (kApertureSize - 1);
                    access_.address[lane] = base + offset / 4 * 256 + lane * 4 + offset % 4;
                }
            }
            const auto kind = static_cast<VectorMemory::Kind>(cost.memory_kind);
            done = unit.vector_memory.access(at, access_, kind, cost.around_l1, counts_).done;
        }
    }
    counts_.latency_vmem += done - at;
    slot.vector_memory.add(done);
    if (cost.flat) slot.local.add(done);
}

// ---- barriers and ends ----

void Detail::arrive(Slot& slot, Cycle at) {
    Group& group = *slot.group;
    slot.tried = Slot::kNothing;  // how long barriers take depends on the others
    slot.waits_at_barrier = true;
    slot.barrier_since = at;
    ++group.arrived;
    ++counts_.barriers;
    group.last_arrival = std::max(group.last_arrival, at);
    release_barrier(group);
}

void Detail::release_barrier(Group& group) {
    if (group.arrived == 0 || group.arrived < group.left) return;
    const Cycle at = group.last_arrival + p_.barrier;
    for (const std::uint32_t index : group.slots) {
        Slot& slot = slots_[index];
        if (slot.group != &group || !slot.waits_at_barrier) continue;
        slot.waits_at_barrier = false;
        slot.wave->state = WaveState::Ready;
        counts_.wait_dependency_cycles += at - slot.barrier_since;
        push(at, index);
    }
    group.arrived = 0;
    group.last_arrival = 0;
}

void Detail::end_wave(Slot& slot, Cycle at) {
    Group& group = *slot.group;
    completed_ += slot.wave->instructions - slot.passed;
    dealt_[group.unit->xcd].completed += slot.wave->instructions - slot.passed;
    if (slot.recorded) recorder_->end_wave(slot.record, at);
    slot.wave->access = nullptr;
    free_slot(slot, at);
    if (--group.left != 0) return release_barrier(group);
    ComputeUnit& unit = *group.unit;
    ++groups_ended_;
    std::uint64_t instructions = 0;
    for (unsigned i = 0; i < group.work->wave_count; ++i) instructions += group.work->waves[i].instructions;
    instructions_of_ended_ += instructions;
    spans_.add(static_cast<double>(furthest(*group.work)));
    ++dealt_[unit.xcd].ended;
    source_.finish(std::move(group.work));
    free_group(group, at);
    refill(unit, at);
}

void Detail::free_slot(Slot& slot, Cycle at) {
    counts_.wave_cycles += at - std::min(at, slot.launched);
    slot.group->unit->wave_clocks += at - std::min(at, slot.marked_at);
    --slot.simd->waves;
    slot.simd->slots_taken &= ~(1u << slot.simd_slot);
    const auto index = static_cast<std::uint32_t>(&slot - slots_.data());
    std::erase(slot.group->slots, index);
    slot.group = nullptr;
    free_slots_.push_back(index);
    last_end_ = std::max(last_end_, at);
}

void Detail::free_group(Group& group, Cycle at) {
    ComputeUnit& unit = *group.unit;
    --unit.groups;
    unit.lds_used -= need_.lds_bytes;
    unit.occupied.leave(at);
    gpu_.xcds[unit.xcd].engines[unit.engine].leave(at);
    --dealt_[unit.xcd].running;
    const std::uint32_t place = group.place;
    groups_running_[place] = std::move(groups_running_.back());
    groups_running_[place]->place = place;
    groups_running_.pop_back();
}

bool Detail::started(std::uint64_t index) const {
    const Dealt& dealt = dealt_[index % dealt_.size()];
    const std::uint64_t number = index / dealt_.size();
    for (const auto& [first, end] : dealt.left_out)
        if (number >= first && number < end) return false;
    return number < dealt.next;
}

void Detail::leave_out(unsigned xcd, std::uint64_t count) {
    if (count == 0) return;
    Dealt& dealt = dealt_[xcd];
    dealt.left_out.emplace_back(dealt.next, dealt.next + count);
    dealt.next += count;
}

Progress Detail::progress() const {
    Progress so_far{now_, counts_.instructions, groups_ended_, completed_, gpu_.memory.busy(), accesses(), {}};
    const std::uint64_t count = dealt_.size();
    for (unsigned x = 0; x < count; ++x) {
        const std::uint64_t all = groups_ > x ? (groups_ - x - 1) / count + 1 : 0;
        const Dealt& dealt = dealt_[x];
        DieProgress die;
        die.waiting = all - std::min(all, dealt.next) + dealt.begun.size();
        if (alone_ % count == x && alone_ / count >= dealt.next && die.waiting) --die.waiting;
        die.running = dealt.running;
        die.ended = dealt.ended;
        die.completed = dealt.completed;
        die.executed = dealt.executed;
        gpu_.xcds[x].l2->report(die);
        so_far.dies.push_back(die);
    }
    return so_far;
}

std::uint64_t Detail::cycles_per_instruction() const {
    const std::uint64_t average = counts_.wave_cycles / std::max<std::uint64_t>(counts_.instructions, 1);
    return std::max(average, Wave::kFunctionalCycles);
}

std::vector<std::unique_ptr<Workgroup>> Detail::release() {
    std::vector<std::unique_ptr<Workgroup>> groups;
    for (auto& group : groups_running_) {
        for (unsigned i = 0; i < group->work->wave_count; ++i) {
            Wave& wave = group->work->waves[i];
            wave.access = nullptr;
            wave.cycles_per_instruction = cycles_per_instruction();
            wave.clock = clock() - wave.instructions * wave.cycles_per_instruction;
        }
        groups.push_back(std::move(group->work));
    }
    groups_running_.clear();
    for (Dealt& dealt : dealt_) {
        for (auto& group : dealt.begun) groups.push_back(std::move(group));
        dealt.begun.clear();
    }
    events_.clear();
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a->index < b->index; });
    return groups;
}

Cycle Detail::finish() {
    // What is still dirty is written back behind the end of the kernel: measured kernels whose results fit the L2s do
    // not wait for it.
    const Cycle end = std::max(last_end_, now_);
    for (Xcd& xcd : gpu_.xcds) xcd.l2->write_back(end, counts_);
    counts_ = with_units(end);
    for (const Xcd& xcd : gpu_.xcds) {
        xcd.l2->count(l2_counts_);
        for (const auto& unit : xcd.units) l1_counts_.push_back(unit->vector_memory.counts());
    }
    return end + p_.kernel_end;
}

// And what units counted for themselves.
Counts Detail::with_units(Cycle end) const {
    Counts all = counts_;
    for (const Slot& slot : slots_)
        if (slot.group && end > slot.launched) all.wave_cycles += end - slot.launched;
    std::vector<L2Counts> channels;
    for (const Xcd& xcd : gpu_.xcds) {
        xcd.l2->count(channels);
        for (const Occupied& engine : xcd.engines) all.engines_busy += engine.busy(end);
        for (const auto& unit : xcd.units) {
            for (const Simd& simd : unit->simds) {
                all.valu_busy += simd.valu.busy();
                all.matrix_busy += simd.matrix.busy();
                all.salu_busy += simd.salu.busy();
            }
            all.units_busy += unit->occupied.busy(end);
            all.l1.add(unit->vector_memory.counts());
        }
    }
    all.busy_cycles = end - std::min<Cycle>(end, p_.kernel_start);
    for (const L2Counts& channel : channels) all.l2.add(channel);
    return all;
}

void Detail::measure_use(std::uint32_t* use) const {
    const Cycle time = std::max<Cycle>(std::max(last_end_, now_), 1);
    const auto share = [&](std::uint64_t busy, std::uint64_t units) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(1000 * busy / (units * time), 1000));
    };
    std::uint64_t valu = 0, lds = 0, l2 = 0, fabric = 0;
    for (const Xcd& xcd : gpu_.xcds) {
        l2 += xcd.l2->busy();
        fabric += xcd.l2->fabric_busy();
        for (const auto& unit : xcd.units) {
            lds += unit->lds.busy();
            for (const Simd& simd : unit->simds) valu += std::max(simd.valu.busy(), simd.matrix.busy());
        }
    }
    const std::uint64_t units = gpu_.model.compute_units, dies = gpu_.xcds.size();
    std::uint64_t resident = counts_.wave_cycles;
    for (const Slot& slot : slots_)
        if (slot.group) resident += time > slot.launched ? time - slot.launched : 0;
    use[0] = share(resident, units * kSimds * need_.waves_per_simd);
    use[1] = share(valu, units * kSimds);
    use[2] = share(lds, units);
    use[3] = share(l2, dies);
    use[4] = std::max(share(fabric, dies), share(gpu_.memory.busy(), 1));
}

}  // namespace vrocm::sim::timing
