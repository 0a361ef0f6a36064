// The runtime's objects described for a tracer, once each, when they come to be.
#pragma once

#include <cstdint>
#include <string>

namespace vrocm::hsa {

class Agent;
class CodeObject;
class Queue;
struct ExecutableSymbol;
struct LoadedCodeObject;

void trace_agent(const Agent& agent);
void trace_queue(const Queue& queue);
std::uint64_t traced_queue_id(const Queue& queue);
// A number for the code object; its kernels are described after it.
std::uint64_t trace_code_object(const LoadedCodeObject& object);
void trace_kernel(const ExecutableSymbol& symbol, std::uint64_t code_object);
// The number of the kernel whose descriptor is at the address; 0 when none was described.
std::uint64_t traced_kernel_id(std::uint64_t kernel_object);
std::string traced_kernel_symbol(std::uint64_t kernel_object);

}  // namespace vrocm::hsa
