// Device printf: the buffer kernels write records into, and the text made of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vrocm/runtime_abi.h"

namespace vrocm::hip {

class Device;

// Entries of amdhsa.printf, "id:argument count:...:hash,format"; records name a format by its hash.
void register_printf_formats(const std::vector<std::string>& entries);

class PrintfBuffer {
  public:
    PrintfBuffer(Device& device, bool of_default_stream);
    ~PrintfBuffer();
    PrintfBuffer(const PrintfBuffer&) = delete;
    PrintfBuffer& operator=(const PrintfBuffer&) = delete;

    std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(buffer_); }
    // Writes what kernels printed so far to stdout and stderr, and empties the buffer.
    void flush();

  private:
    Device& device_;
    vrocm_printf_buffer* buffer_ = nullptr;
};

// One record's arguments formatted as C's printf does. `arguments` is what follows the format.
std::string format_record(const std::string& format, std::span<const std::uint8_t> arguments);

}  // namespace vrocm::hip
