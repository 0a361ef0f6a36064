// Host memory that the application made accessible to GPUs. Such ranges may overlap and repeat, while the
// simulator wants disjoint ones.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace vrocm::hsa {

class HostRanges {
  public:
    HostRanges() = default;
    ~HostRanges();
    HostRanges(const HostRanges&) = delete;
    HostRanges& operator=(const HostRanges&) = delete;
    // Returns an identity for remove().
    std::uint64_t add(std::uint64_t begin, std::uint64_t end, bool writable);
    void remove(std::uint64_t identity);

  private:
    struct Range {
        std::uint64_t begin, end;
        bool writable;
    };
    void publish(std::uint64_t begin, std::uint64_t end);

    std::mutex mutex_;
    std::uint64_t next_ = 1;
    std::map<std::uint64_t, Range> ranges_;             // by identity
    std::map<std::uint64_t, std::uint64_t> published_;  // begin -> end, as the simulator has them
};

}  // namespace vrocm::hsa
