// The process-wide map of memory that kernels may touch. Device memory is host memory, at the same virtual address
// but for memory that the host may not see, so every access of a kernel is checked here before it is made.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace vrocm::sim {

struct Allocation {
    std::uint64_t base = 0;
    std::uint64_t size = 0;        // bytes asked for
    std::uint64_t accessible = 0;  // bytes that may be touched: whole pages, as on hardware; == size when strict
    bool device_readable = true, device_writable = true;
    // The block of memory that it was cut from, if any. The GPU maps blocks as a whole, so kernels may read all of one.
    std::uint64_t block_begin = 0, block_end = 0;
    std::uint64_t shift = 0;  // from an address of kernels to where its byte is in this process
    std::string kind;         // "device", "host", "code", "registered", "vmem", for messages
    std::string where;        // who asked for it: library and offset; only while programs are checked
    std::uint64_t end() const { return base + accessible; }
};

class AddressSpace {
  public:
    static AddressSpace& process();

    // A later allocation at the same base replaces the earlier one.
    void add(Allocation allocation);
    bool remove(std::uint64_t base);
    // From now on what is removed is kept until something else takes its place.
    void remember_freed();
    std::optional<Allocation> freed(std::uint64_t address) const;
    std::optional<Allocation> find(std::uint64_t address) const;
    // For messages: the allocation whose edge is closest to the address; the runtime's own only if there is no other.
    std::optional<Allocation> nearest(std::uint64_t address) const;
    // In the order of addresses.
    template <typename F>
    void for_each(F&& f) const {
        std::lock_guard lock(mutex_);
        for (const auto& [base, allocation] : allocations_) f(allocation);
    }
    // Grows with every change; caches of ranges are valid while it stands.
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

    // What kernels need to know, and no more: sorted, disjoint, neighbours of equal rights and shift merged. What lies
    // between the allocations of a block can be read only: reading too far is harmless, writing there is a defect.
    struct Range {
        std::uint64_t begin = 0, end = 0;
        bool readable = false, writable = false;
        std::uint64_t shift = 0;
    };
    using Ranges = std::vector<Range>;
    // An immutable snapshot, made on first use after a change, and the version it shows.
    std::shared_ptr<const Ranges> ranges(std::uint64_t& version) const;

  private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, Allocation> allocations_;
    std::map<std::uint64_t, Allocation> freed_;
    bool remembers_freed_ = false;
    mutable std::shared_ptr<const Ranges> ranges_;  // null after a change
    std::atomic<std::uint64_t> version_{0};
};

// The last ranges a host thread used. reach() is the one gate between kernels and host memory.
// Locks are taken only on the first miss after the map has changed.
class RangeCache {
  public:
    // Where [address, address+bytes) is in this process, if a kernel may read (or write) it; else null.
    std::uint8_t* reach(AddressSpace& space, std::uint64_t address, std::uint64_t bytes, bool write) {
        if (space.version() == version_)
            for (const Entry& e : entries_)
                if (address >= e.begin && bytes <= e.end - e.begin && address - e.begin <= e.end - e.begin - bytes &&
                    (write ? e.writable : e.readable))
                    return place(e, address);
        return refill(space, address, bytes, write);
    }

  private:
    using Entry = AddressSpace::Range;
    // An access may begin in one range and end in the next.
    static Entry readable_from(const AddressSpace::Ranges& ranges, AddressSpace::Ranges::const_iterator first);
    static std::uint8_t* place(const Entry& e, std::uint64_t address) {
        return reinterpret_cast<std::uint8_t*>(address + e.shift);
    }
    std::uint8_t* refill(AddressSpace& space, std::uint64_t address, std::uint64_t bytes, bool write);
    static constexpr unsigned kEntries = 4;
    Entry entries_[kEntries];
    unsigned victim_ = 0;
    std::uint64_t version_ = ~0ull;
    std::shared_ptr<const AddressSpace::Ranges> ranges_;
};
RangeCache& thread_ranges();  // thread-local

}  // namespace vrocm::sim
