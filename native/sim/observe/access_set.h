// The access set of a dispatch: exactly which bytes of global memory its kernel read and wrote (docs/access-set.md).
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "sim/observe/byte_set.h"
#include "sim/observe/observer.h"

namespace vrocm::sim::observe {

struct AccessSet {
    ByteSet read, written;
    ByteSet read_before_written;  // read by a wave that had not written them itself
    void add(const AccessSet& other);
};

class AccessSetObserver final : public DispatchObserver {
  public:
    // `number`: of the dispatch, in the order in which the process started them, from 1.
    AccessSetObserver(std::string path, std::uint64_t number, std::string kernel);
    std::unique_ptr<Watcher> watcher() override;
    // Appends one line to the file.
    void finish(Ending ending) override;

    void take(const AccessSet& part);

  private:
    std::string path_, kernel_;
    std::uint64_t number_;
    std::mutex mutex_;
    AccessSet all_;
};

}  // namespace vrocm::sim::observe
