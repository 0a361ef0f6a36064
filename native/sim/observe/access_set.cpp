#include "sim/observe/access_set.h"

#include <cstring>
#include <unordered_map>
#include <utility>

#include "sim/observe/json_line.h"
#include "sim/observe/runs.h"

namespace vrocm::sim::observe {

namespace {

class AccessSetWatcher final : public Watcher {
  public:
    explicit AccessSetWatcher(AccessSetObserver& observer) : observer_(observer) {}
    ~AccessSetWatcher() override { observer_.take(set_); }

    void access(const Access& access) override {
        if (access.space != Space::Global || !access.completed) return;
        ByteSet& own = own_writes(access.wave);
        for_each_run(access, [&](std::uint64_t begin, std::uint64_t end) {
            if (access.kind != Kind::Write) {
                set_.read.add(begin, end);
                set_.read_before_written.add_outside(begin, end, own);
            }
            if (access.kind != Kind::Read) {
                set_.written.add(begin, end);
                own.add(begin, end);
            }
        });
    }

    void group_ended(const Workgroup& group) override {
        for (unsigned wave = 0; wave < group.wave_count; ++wave) own_.erase(group.waves[wave].wave_id);
        recent_ = nullptr;
    }

  private:
    // What the wave has written so far.
    ByteSet& own_writes(const Wave& wave) {
        if (!recent_ || recent_id_ != wave.wave_id) {
            recent_ = &own_[wave.wave_id];
            recent_id_ = wave.wave_id;
        }
        return *recent_;
    }

    AccessSetObserver& observer_;
    AccessSet set_;
    std::unordered_map<std::uint64_t, ByteSet> own_;  // of waves that have not ended
    ByteSet* recent_ = nullptr;
    std::uint64_t recent_id_ = 0;
};

void write_ranges(JsonLine& line, const char* key, const ByteSet& set) {
    line.key(key).open('[');
    for (const auto& [begin, end] : set.ranges()) line.open('[').address(begin).number(end - begin).close(']');
    line.close(']');
}

void write_pointers(JsonLine& line, const std::vector<ArgumentPointer>& pointers) {
    line.key("pointers").open('[');
    for (const ArgumentPointer& pointer : pointers) {
        line.open('{').key("offset").number(pointer.offset).key("value").address(pointer.value);
        line.key("allocation").address(pointer.allocation.base).key("bytes").number(pointer.allocation.size);
        line.key("kind").text(pointer.allocation.kind).close('}');
    }
    line.close(']');
}

}  // namespace

void AccessSet::add(const AccessSet& other) {
    read.add(other.read);
    written.add(other.written);
    read_before_written.add(other.read_before_written);
}

std::vector<ArgumentPointer> pointers_in(std::uint64_t arguments, std::uint32_t bytes) {
    std::vector<ArgumentPointer> found;
    const std::uint8_t* words = thread_ranges().reach(AddressSpace::process(), arguments, bytes, false);
    for (std::uint32_t offset = 0; words && offset + sizeof(std::uint64_t) <= bytes; offset += sizeof(std::uint64_t)) {
        std::uint64_t value = 0;
        std::memcpy(&value, words + offset, sizeof value);
        if (auto allocation = AddressSpace::process().find(value))
            found.push_back({.offset = offset, .value = value, .allocation = std::move(*allocation)});
    }
    return found;
}

AccessSetObserver::AccessSetObserver(std::string path, std::uint64_t number, std::string kernel,
                                     std::vector<ArgumentPointer> pointers)
    : path_(std::move(path)), kernel_(std::move(kernel)), number_(number), pointers_(std::move(pointers)) {}

std::unique_ptr<Watcher> AccessSetObserver::watcher() {
    return std::make_unique<AccessSetWatcher>(*this);
}

void AccessSetObserver::take(const AccessSet& part) {
    std::lock_guard lock(mutex_);
    all_.add(part);
}

void AccessSetObserver::finish(Ending ending) {
    JsonLine line;
    line.open('{').key("dispatch").number(number_).key("kernel").text(kernel_);
    line.key("complete").boolean(ending == Ending::Done);
    write_pointers(line, pointers_);
    write_ranges(line, "read", all_.read);
    write_ranges(line, "written", all_.written);
    write_ranges(line, "read_before_written", all_.read_before_written);
    line.close('}');
    line.append_to(path_);
}

}  // namespace vrocm::sim::observe
