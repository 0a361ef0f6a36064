// From a decoded instruction to an Op: operands, handler, and what is raised where there is no handler.
#pragma once

#include "sim/code/code_map.h"

namespace vrocm::sim {

// Bytes of the longest encoding: 8, and 4 more where a literal may follow.
inline constexpr std::uint64_t kLongestInstruction = 12;

void resolve_operands(Op& op, ConstantPool& constants);
// The room's handler, or one that raises Unsupported when the instruction is reached.
void choose_handler(Op& op);
// An Op for bytes that are not an instruction; `end` is where the code ends.
void make_illegal(Op& op, std::uint64_t end);
// Handler: control ran or branched out of the code.
const Op* raise_left_code(Wave& wave, const Op* op);
// Makes a branch end the wave's turn when it is taken: for loops that wait for others, so that those can run.
void end_turn_when_taken(Op& branch);
// A load or returning atomic through which a wave can see what other workgroups do.
bool observes_other_groups(const isa::Inst& inst);

}  // namespace vrocm::sim
