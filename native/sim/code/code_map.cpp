#include "sim/code/code_map.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "codeobj/elf.h"
#include "isa/flags.h"
#include "sim/code/lower.h"

namespace vrocm::sim {

const VReg* ConstantPool::splat(std::uint64_t value) {
    const auto [it, fresh] = known_.try_emplace(value, nullptr);
    if (fresh) {
        Pair& pair = pairs_.emplace_back();
        for (unsigned half = 0; half < 2; ++half)
            std::fill_n(pair.half[half].lane, kLanes, static_cast<std::uint32_t>(value >> (32 * half)));
        it->second = &pair;
    }
    return it->second->half;
}

bool ends_run(const isa::Inst& inst) {
    return isa::has(inst.op, isa::flag::Terminator | isa::flag::EndsWave);
}

std::uint64_t branch_target(const isa::Inst& inst, std::uint64_t pc) {
    return pc + 4 + static_cast<std::int64_t>(inst.imm) * 4;
}

namespace {

bool has_static_target(const isa::Inst& inst) {
    return isa::has(inst.op, isa::flag::Branch) && (inst.format == isa::Format::SOPP || inst.op == isa::Op::s_call_b64);
}

// Leads from the end of a run into one decoded earlier. Not an instruction: it runs the next one itself.
const Op* connect(Wave& wave, const Op* op) {
    return op->target->fn(wave, op->target);
}

}  // namespace

// The addresses decoded by one call, published together when all their links are known.
struct CodeRegion::Session {
    std::vector<std::uint64_t> todo;
    std::unordered_map<std::uint64_t, Op*> decoded;
    struct Link {
        Op* from;
        std::uint64_t target;
    };
    std::vector<Link> links;
};

CodeRegion::CodeRegion(std::shared_ptr<const LoadedCode> code) : code_(std::move(code)) {
    const std::uint64_t base = code_->load_base, limit = base + code_->load_size;
    const codeobj::Elf elf(code_->elf);
    for (const Elf64_Phdr& s : elf.segments()) {
        if (s.p_type != PT_LOAD || !(s.p_flags & PF_X) || s.p_vaddr >= code_->load_size) continue;
        ranges_.push_back({base + s.p_vaddr, std::min(base + s.p_vaddr + s.p_memsz, limit)});
    }
    if (!elf.valid()) ranges_.push_back({base, limit});
    if (ranges_.empty()) return;
    first_ =
        std::min_element(ranges_.begin(), ranges_.end(), [](auto& a, auto& b) { return a.begin < b.begin; })->begin;
    std::uint64_t last = 0;
    for (const Range& r : ranges_) last = std::max(last, r.end);
    // calloc: large tables cost no memory until touched; all-zero bytes are null pointers.
    slots_ = static_cast<std::atomic<const Op*>*>(std::calloc((last - first_) / 4 + 1, sizeof(*slots_)));
    if (!slots_) throw std::bad_alloc();
}

CodeRegion::~CodeRegion() {
    std::free(slots_);
}

std::uint64_t CodeRegion::end_of_range(std::uint64_t pc) const {
    for (const Range& r : ranges_)
        if (pc >= r.begin && pc < r.end) return r.end;
    return 0;
}

bool CodeRegion::executable(std::uint64_t pc) const {
    return (pc - first_) % 4 == 0 && end_of_range(pc) >= pc + 4;
}

const Op* CodeRegion::at(std::uint64_t pc) {
    if (!executable(pc)) return nullptr;
    if (const Op* op = slot(pc).load(std::memory_order_acquire)) return op;
    std::lock_guard lock(decoding_);
    if (!slot(pc).load(std::memory_order_relaxed)) decode_from(pc);
    return slot(pc).load(std::memory_order_relaxed);
}

void CodeRegion::decode_from(std::uint64_t pc) {
    Session session;
    session.todo.push_back(pc);
    while (!session.todo.empty()) {
        const std::uint64_t next = session.todo.back();
        session.todo.pop_back();
        if (!session.decoded.count(next) && !slot(next).load(std::memory_order_relaxed)) decode_run(session, next);
    }
    for (const Session::Link& link : session.links) link.from->target = known(session, link.target);
    for (const Session::Link& link : session.links)
        if (link.from->inst && polls(session, *link.from)) end_turn_when_taken(*link.from);
    for (const auto& [address, op] : session.decoded) slot(address).store(op, std::memory_order_release);
}

const Op* CodeRegion::known(const Session& session, std::uint64_t pc) {
    const auto it = session.decoded.find(pc);
    return it != session.decoded.end() ? it->second : slot(pc).load(std::memory_order_relaxed);
}

bool CodeRegion::polls(const Session& session, const Op& branch) {
    constexpr std::uint64_t kLongestLoopBytes = 4096;
    const std::uint64_t begin = branch.target->pc, end = branch.pc;
    if (branch.inst->format != isa::Format::SOPP || begin > end || end - begin > kLongestLoopBytes) return false;
    for (std::uint64_t pc = begin; pc < end; pc += 4) {
        const Op* op = known(session, pc);
        if (op && op->inst && observes_other_groups(*op->inst)) return true;
    }
    return false;
}

namespace {
std::atomic<std::uint32_t> next_op_index{0};
}

void CodeRegion::decode_run(Session& session, std::uint64_t pc) {
    std::vector<isa::Inst> insts;
    const std::uint64_t begin = pc, end = end_of_range(pc);
    bool flows_on = true, decodes = true;
    for (;;) {
        if (pc + 4 > end || session.decoded.count(pc) || slot(pc).load(std::memory_order_relaxed)) break;
        isa::Inst inst;
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(pc);
        decodes = isa::decode(code_->arch, bytes, std::min<std::uint64_t>(end - pc, kLongestInstruction), inst);
        if (!decodes) break;
        insts.push_back(inst);
        pc += inst.size;
        if (ends_run(inst)) {
            flows_on = false;
            break;
        }
    }
    Run run;
    run.insts = std::make_unique<isa::Inst[]>(insts.size());
    std::copy(insts.begin(), insts.end(), run.insts.get());
    run.ops = std::make_unique<Op[]>(insts.size() + 1);
    std::uint64_t at = begin;
    for (std::size_t i = 0; i < insts.size(); ++i) {
        Op& op = run.ops[i];
        op.inst = &run.insts[i];
        op.index = next_op_index.fetch_add(1, std::memory_order_relaxed);
        op.pc = at;
        at += op.inst->size;
        session.decoded[op.pc] = &op;
        lower(session, op);
    }
    Op& last = run.ops[insts.size()];
    last.pc = pc;
    if (!flows_on) {
        last.fn = raise_left_code;
    } else if (!decodes) {
        make_illegal(last, end);
        session.decoded[pc] = &last;
    } else if (pc + 4 > end) {
        last.fn = raise_left_code;
    } else {
        last.fn = connect;
        session.links.push_back({&last, pc});
    }
    runs_.push_back(std::move(run));
}

void CodeRegion::lower(Session& session, Op& op) {
    resolve_operands(op, constants_);
    if (has_static_target(*op.inst)) {
        const std::uint64_t target = branch_target(*op.inst, op.pc);
        if (!executable(target)) {
            op.fn = raise_left_code;
            return;
        }
        session.todo.push_back(target);
        session.links.push_back({&op, target});
    }
    op.arch = code_->arch;
    choose_handler(op);
}

CodeMap& CodeMap::process() {
    static CodeMap* map = new CodeMap;  // never destroyed, as AddressSpace
    return *map;
}

std::shared_ptr<CodeRegion> CodeMap::add(std::shared_ptr<const LoadedCode> code) {
    std::unique_lock lock(mutex_);
    Entry& entry = regions_[code->load_base];
    if (!entry.region) entry.region = std::make_shared<CodeRegion>(std::move(code));
    ++entry.uses;
    version_.fetch_add(1, std::memory_order_release);
    return entry.region;
}

void CodeMap::remove(std::uint64_t load_base) {
    std::unique_lock lock(mutex_);
    const auto it = regions_.find(load_base);
    if (it == regions_.end() || --it->second.uses != 0) return;
    regions_.erase(it);
    version_.fetch_add(1, std::memory_order_release);
}

std::shared_ptr<CodeRegion> CodeMap::find(std::uint64_t address) const {
    std::shared_lock lock(mutex_);
    auto it = regions_.upper_bound(address);
    if (it == regions_.begin()) return nullptr;
    --it;
    return it->second.region->contains(address) ? it->second.region : nullptr;
}

const Op* op_at(Wave& wave, std::uint64_t pc) {
    struct Last {
        std::shared_ptr<CodeRegion> region;
        std::uint64_t version = ~0ull;
    };
    thread_local Last last;
    CodeMap& map = CodeMap::process();
    if (last.version != map.version() || !last.region || !last.region->contains(pc)) {
        last.version = map.version();
        last.region = map.find(pc);
    }
    if (last.region)
        if (const Op* op = last.region->at(pc)) return op;
    Fault fault;
    fault.kind = Fault::Kind::BadBranch;
    fault.pc = fault.address = pc;
    wave.fault = std::move(fault);
    wave.state = WaveState::Faulted;
    return nullptr;
}

}  // namespace vrocm::sim
