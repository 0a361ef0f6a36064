// The access set of a dispatch: exactly which bytes of global memory its kernel read and wrote
// (docs/reference/access-set.md).
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "sim/memory/address_space.h"
#include "sim/observe/byte_set.h"
#include "sim/observe/observer.h"

namespace vrocm::sim::observe {

struct AccessSet {
    ByteSet read, written;
    ByteSet read_before_written;  // read by a wave that had not written them itself
    void add(const AccessSet& other);
};

// A word of a kernel's arguments that is the address of something in an allocation.
struct ArgumentPointer {
    std::uint32_t offset = 0;
    std::uint64_t value = 0;
    Allocation allocation;
};

// Of the arguments at an address, in their order. A number that happens to be such an address is among them.
std::vector<ArgumentPointer> pointers_in(std::uint64_t arguments, std::uint32_t bytes);

class AccessSetObserver final : public DispatchObserver {
  public:
    // `number`: of the dispatch, in the order in which the process started them, from 1.
    AccessSetObserver(std::string path, std::uint64_t number, std::string kernel,
                      std::vector<ArgumentPointer> pointers);
    std::unique_ptr<Watcher> watcher() override;
    // Appends one line to the file.
    void finish(Ending ending) override;

    void take(const AccessSet& part);

  private:
    std::string path_, kernel_;
    std::uint64_t number_;
    std::vector<ArgumentPointer> pointers_;
    std::mutex mutex_;
    AccessSet all_;
};

}  // namespace vrocm::sim::observe
