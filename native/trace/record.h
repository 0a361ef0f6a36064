// The trace log's records. One is a RecordHeader and its payload: numbers are 64-bit little-endian, a text is its
// length in bytes (a number) and the bytes. Readers (vrocm/rocprofv3/logs/log.py) know each kind by its number, so
// numbers are never used again and fields are only added at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vrocm::trace {

enum class Kind : std::uint16_t {
    Process = 1,       // pid, parent's pid, begin, command (arguments end with 0), what was asked for
    ProcessEnd = 2,    // end. A log without it is that of a process that was killed, crashed or became another.
    ThreadName = 3,    // name
    Agent = 4,         // handle, 1 for a GPU, index among all, index among its type, name, model, vendor, product,
                       // uuid, properties ("name=value\n"...)
    CodeObject = 5,    // id, agent's handle, uri, load base, load size, load delta, 1 file | 2 memory
    KernelSymbol = 6,  // id, code object's id, name, kernel object, kernarg size, kernarg alignment, group segment,
                       // private segment, SGPRs, VGPRs, accumulation VGPRs
    Queue = 7,         // id, agent's handle
    Stream = 8,        // id, name
    Call = 9,          // number, parent's number, category, begin, end, name, count of arguments, of each: type,
                       // name, 1 for a pointer, its value, text
    Launch = 10,       // dispatch's number, call's number, stream's id, innermost range's number
    Dispatch = 11,     // number, queue's id, agent's handle, kernel symbol's id, begin, end, workgroup x y z,
                       // grid x y z, group segment, private segment
    Copy = 12,         // call's number, stream's id, begin, end, source agent, source, target agent, target, bytes
    Allocation = 13,   // call's number, agent's handle (0: none), begin, end, operation, address, bytes
    Scratch = 14,      // agent's handle, queue's id, begin, end, operation, bytes
    Mark = 15,         // number, parent's number, begin, end, operation, message
    Counters = 16,     // dispatch's number, count, of each: name, instance, value (a 64-bit float)
};

enum class AllocationOperation : std::uint64_t { Allocate = 1, Free = 2, VirtualAllocate = 3, VirtualFree = 4 };
enum class ScratchOperation : std::uint64_t { Allocate = 1, Free = 2 };

struct RecordHeader {
    std::uint32_t size;  // of the payload
    std::uint16_t kind;
    std::uint16_t whole;  // 0 while the payload is being written
    std::uint32_t thread;
    std::uint32_t zero;
};
static_assert(sizeof(RecordHeader) == 16);

struct FileHeader {
    char magic[8];  // "VROCMLOG"
    std::uint32_t version;
    std::uint32_t pid;
};

class Payload {
  public:
    Payload& number(std::uint64_t value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Payload& real(double value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Payload& text(std::string_view value) {
        number(value.size());
        bytes_.append(value);
        return *this;
    }
    template <class... Numbers>
    Payload& numbers(Numbers... values) {
        (number(static_cast<std::uint64_t>(values)), ...);
        return *this;
    }
    std::string_view bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

}  // namespace vrocm::trace
