#include "replay/full_vm.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>

#include "codeobj/target.h"
#include "replay/code/globals.h"
#include "replay/code/kernel_arguments.h"
#include "replay/code/loaded_code.h"
#include "replay/device/cold_caches.h"
#include "replay/device/dispatcher.h"
#include "replay/memory/canaries.h"
#include "replay/memory/poison.h"
#include "replay/memory/restore.h"

namespace rpl::replay {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The code object of --hsaco.
struct Variant {
    std::vector<std::uint8_t> bytes;
    vrocm::codeobj::CodeObject code;
    const vrocm::codeobj::KernelMetadata* kernel = nullptr;
};

Variant read_variant(const Capture& capture, const std::string& isa, const std::string& path) {
    Variant variant;
    variant.bytes = read_file(path, "code object");
    std::string reason;
    auto code = vrocm::codeobj::read_code_object(variant.bytes, reason);
    if (!code)
        throw Failure{ExitCode::BadInput, "code object", path + " is not a code object: " + reason,
                      "give a code object for one GPU (hipcc --genco --no-gpu-bundle-output, or clang-offload-bundler "
                      "--unbundle)"};
    variant.code = std::move(*code);
    if (!vrocm::codeobj::runs_on(variant.code.target, isa))
        throw Failure{ExitCode::BadInput, "code object",
                      path + " is for " + variant.code.target + ", the capture and this GPU are " + isa,
                      "build the variant for the GPU of the capture (--offload-arch)"};
    variant.kernel = &same_kernel(capture, variant.code, path);
    // Says what is wrong with the arguments before anything is loaded.
    rebind_for_variant(capture, *variant.kernel, path, 0);
    return variant;
}

// Everything that one replay is made of, in the order in which it comes to be.
class Replay {
  public:
    explicit Replay(ReplaySession& session);
    void prepare();
    void run();
    ReplayResult take_result() { return std::move(result_); }
    // Leaves nothing half-written.
    void abandon() {
        if (observer_) observer_->discard(options_.iterations);
    }

  private:
    void restore_memory();
    void load_code();
    void bind_arguments();
    bool bind_at_captured_address(const KernelArguments& arguments);
    void run_all();
    double run_once(std::uint64_t number);
    void learn_changes();
    void restore_dirty();
    void look_at(std::uint64_t iteration);

    ReplaySession& session_;
    const ReplayOptions& options_;
    const Capture& capture_;
    const HsaLibrary& hsa_;
    ReplayResult result_;
    std::optional<Variant> variant_;
    std::optional<CopyLanes> lanes_;
    std::vector<PlacedRegion> regions_;
    std::optional<Restore> restore_;
    std::optional<Poison> poison_;
    std::optional<Canaries> canaries_;
    std::optional<Observer> observer_;
    std::optional<PointerSearch> search_;
    std::optional<ReplayedCode> code_;
    std::optional<PinnedMemory> own_kernarg_;
    std::optional<Dispatcher> dispatcher_;
    std::optional<ColdCaches> cold_;
    PreparedDispatch launch_;
    bool learned_ = false;
};

Replay::Replay(ReplaySession& session)
    : session_(session), options_(session.options), capture_(session.capture), hsa_(*session.hsa) {
    result_.hsaco_path = options_.hsaco.empty() ? capture_.hsaco_path() : options_.hsaco;
    result_.variant = !options_.hsaco.empty();
    result_.regions = session.plan.size();
}

// ---- before the first execution ----

void Replay::prepare() {
    if (!options_.hsaco.empty()) variant_ = read_variant(capture_, session_.device.isa, options_.hsaco);
    if (!options_.observe.empty()) observer_.emplace(options_.observe);
    regions_ = place_regions(capture_);
    poison_.emplace(options_.poison, regions_);
    session_.space->map(capture_);
    restore_memory();
    load_code();
    dispatcher_.emplace(hsa_, session_.device);
    bind_arguments();
    const auto start = Clock::now();
    restore_->globals();
    result_.full_restore_seconds += seconds_since(start);
    session_.space->protect(capture_);
    result_.guard_pages = session_.space->guard(capture_, session_.plan);
    canaries_.emplace(capture_, *lanes_);
    canaries_->write();
    result_.canary_bytes = canaries_->bytes();
    result_.poisoned_bytes = poison_->bytes();
    if (options_.cold) cold_.emplace(hsa_, session_.device);
    if (capture_.compute_units && *capture_.compute_units != session_.device.compute_units)
        result_.notes.push_back("captured on " + std::to_string(*capture_.compute_units) +
                                " compute units, replayed on " + std::to_string(session_.device.compute_units) +
                                ": times do not compare");
}

void Replay::restore_memory() {
    lanes_.emplace(hsa_, session_.device);
    restore_.emplace(hsa_, session_.device, *lanes_, regions_);
    if (capture_.code) search_.emplace(*capture_.code);
    const auto start = Clock::now();
    restore_->all_but_globals(search_ ? &*search_ : nullptr);
    result_.full_restore_seconds = seconds_since(start);
    result_.captured_bytes = restore_->bytes();
    restore_->dirty().add_captured_changes();
    poison_->mark(restore_->dirty());
}

void Replay::load_code() {
    AddressPlacement& space = *session_.space;
    const PointerSearch* search = search_ ? &*search_ : nullptr;
    std::vector<Variable> captured_variables;
    if (variant_ && capture_.code) {
        // Loaded for a moment, to learn where its variables lie.
        const ReplayedCode original(hsa_, session_.device, capture_.hsaco, capture_.hsaco_path());
        captured_variables = original.variables();
        for (Variable& v : captured_variables) v.address += capture_.code->base - original.range().base;
    }
    if (capture_.code && !lead_code_to(hsa_, session_.device, space, *capture_.code)) space.unblock();
    code_.emplace(hsa_, session_.device, variant_ ? std::span<const std::uint8_t>(variant_->bytes) : capture_.hsaco,
                  result_.hsaco_path);
    space.unblock();
    result_.code_exact = capture_.code && code_->range().base == capture_.code->base;
    if (variant_)
        place_globals_of_variant(capture_, captured_variables, *code_, search, regions_, result_.notes);
    else
        place_globals(capture_, *code_, search, regions_);
    if (!capture_.code)
        result_.notes.push_back("where the code was loaded was not captured: pointers to it cannot be checked");
    else if (!result_.code_exact)
        result_.notes.push_back("the code object is at " + hexadecimal(code_->range().base) + ", it was at " +
                                hexadecimal(capture_.code->base) + "; no captured memory points into it");
    const KernelSymbol kernel = code_->kernel(capture_.kernel);
    launch_.kernel_object = kernel.object;
    launch_.group_size = variant_ ? kernel.group_size + capture_.dynamic_group_size : capture_.packet_group_size;
    launch_.private_size = !variant_ || kernel.dynamic_stack
                               ? std::max(kernel.private_size, capture_.packet_private_size)
                               : kernel.private_size;
}

void Replay::bind_arguments() {
    const std::uint64_t queue = dispatcher_->queue_address();
    const KernelArguments arguments =
        variant_ ? rebind_for_variant(capture_, *variant_->kernel, options_.hsaco, queue) : rebind(capture_, queue);
    result_.rebound = arguments.rebound;
    result_.notes.insert(result_.notes.end(), arguments.notes.begin(), arguments.notes.end());
    result_.kernarg_exact = bind_at_captured_address(arguments);
    if (result_.kernarg_exact) return;
    own_kernarg_.emplace(hsa_, session_.device, session_.device.kernarg,
                         std::max<std::size_t>(arguments.bytes.size(), 64));
    std::memcpy(own_kernarg_->data(), arguments.bytes.data(), arguments.bytes.size());
    launch_.kernarg_address = reinterpret_cast<std::uint64_t>(own_kernarg_->data());
    result_.notes.push_back("the variant takes " + std::to_string(arguments.bytes.size()) +
                            " bytes of arguments, the "
                            "captured kernel " +
                            std::to_string(capture_.kernarg.size()) + ": they are not at their captured address");
}

// Arguments in a captured region are a patch of it, so that restoring and comparing know of them.
bool Replay::bind_at_captured_address(const KernelArguments& arguments) {
    const std::uint64_t address = capture_.kernarg_address, size = arguments.bytes.size();
    if (size > capture_.kernarg.size()) return false;
    launch_.kernarg_address = address;
    if (size == 0) return true;
    for (PlacedRegion& region : regions_) {
        const CapturedRegion& r = *region.captured;
        if (r.kind == RegionKind::Globals || address < r.base || address + size > r.end()) continue;
        region.patches.push_back({address - r.base, arguments.bytes});
        region.write(lanes_->first(), address - r.base, arguments.bytes.data(), size, false);
        return true;
    }
    std::memcpy(reinterpret_cast<void*>(address), arguments.bytes.data(), size);  // in host memory of the plan
    return true;
}

// ---- executions ----

double Replay::run_once(std::uint64_t number) {
    if (cold_) cold_->flush();
    const double time = dispatcher_->run(capture_, launch_, std::chrono::duration<double>(options_.timeout_seconds));
    for (std::string& text : canaries_->check(number)) result_.damaged_canaries.push_back(std::move(text));
    return time;
}

void Replay::restore_dirty() {
    const auto start = Clock::now();
    restore_->dirty_pages();
    result_.restore_seconds += seconds_since(start);
    ++result_.restores;
}

void Replay::learn_changes() {
    restore_->find_changes();
    restore_->prepare();
    learned_ = true;
}

void Replay::look_at(std::uint64_t iteration) {
    Agreement agreement = compare_with_captured(*restore_, *lanes_, regions_, iteration);
    if (observer_) observer_->write(agreement, *lanes_, regions_);
    agreement.chunks = {};
    result_.agreement.push_back(std::move(agreement));
}

void Replay::run_all() {
    const std::uint64_t total = options_.warmup + options_.iterations;
    for (std::uint64_t i = 0; i < total; ++i) {
        const bool first = i == 0 || i == options_.warmup;
        if (options_.recopy || first) {
            if (learned_) restore_dirty();
            poison_->apply(*lanes_);
        }
        const double time = run_once(i < options_.warmup ? 0 : i - options_.warmup);
        if (!learned_) learn_changes();
        if (i < options_.warmup) continue;
        result_.times_us.push_back(time);
        // Without restoring, only the first is comparable with the captured execution.
        if (options_.recopy || i == options_.warmup) look_at(i - options_.warmup);
    }
}

// A kernel that writes to different places each time is found out by what it wrote outside the known pages.
void Replay::run() {
    for (int attempt = 0;; ++attempt) {
        run_all();
        const bool several = options_.warmup + options_.iterations > 1;
        const std::uint64_t more = options_.recopy && several && attempt < 2 ? restore_->find_changes() : 0;
        result_.dirty_pages = restore_->dirty().count();
        if (!more) return;
        if (attempt == 1) restore_->dirty().add_everything();
        restore_->prepare();
        result_.notes.push_back(std::to_string(more) +
                                " pages changed that the first execution had left alone; all iterations were made "
                                "again" +
                                (attempt == 1 ? ", each with all memory restored" : ""));
        if (observer_) observer_->discard(options_.iterations);
        result_.times_us.clear();
        result_.agreement.clear();
        result_.restores = 0;
        result_.restore_seconds = 0;
    }
}

}  // namespace

ReplayResult replay(ReplaySession& session) {
    auto replay = std::make_unique<Replay>(session);
    try {
        replay->prepare();
        replay->run();
    } catch (...) {
        // Not destroyed: its kernel may still run, and must not lose its queue, code and memory before the process
        // ends.
        replay.release()->abandon();
        throw;
    }
    return replay->take_result();
}

}  // namespace rpl::replay
