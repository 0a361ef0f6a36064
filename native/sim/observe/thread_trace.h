// A thread trace: every instruction of the waves on one compute unit of some shader engines, and when waves come and
// go on all units of those engines. One file per shader engine, limited in size like the buffer of the hardware.
//
// The file is a FileHeader, `records` records of four 32-bit words, and `codes` instructions (Code). Times are shader
// clocks since the dispatch began. Everything is little-endian. A record's first word:
//
//   31     30     29    28     27..24  23..22  21..0
//   life=0 -      -     taken  slot    simd    number of the instruction
//   life=1 start  -     -      slot    simd    compute unit
//
// An instruction goes on with the clocks at which the wave first tried it, at which it was issued and at which the wave
// could try its next one; a wave's start or end with the clock, the wave's number in its workgroup, and the
// workgroup's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/gpu_model.h"
#include "sim/timing/engine/recorder.h"

namespace vrocm::sim {

struct ThreadTraceOptions {
    unsigned target_unit = 1;         // compute unit of each engine whose instructions are recorded
    std::uint64_t engine_mask = 0x1;  // shader engines, those of the first die first
    unsigned simd_mask = 0xf;
    std::uint64_t buffer_bytes = 96 << 20;  // of records, for each engine
    // A dispatch is simulated in detail until so many waves were traced on each engine, or so many instructions were
    // simulated on the whole GPU.
    std::uint64_t waves = 128, instructions = 200'000'000;
};

class ThreadTrace final : public timing::Recorder {
  public:
    ThreadTrace(const ThreadTraceOptions& options, const GpuModel& model);

    bool wants(const timing::WavePlace& place) override;
    std::uint32_t begin_wave(const timing::WavePlace& place, const Wave& wave, timing::Cycle at) override;
    void instruction(std::uint32_t wave, const Op* op, const timing::Cost& cost, timing::Cycle attempt,
                     timing::Cycle issue, timing::Cycle next, bool taken) override;
    void end_wave(std::uint32_t wave, timing::Cycle at) override;
    bool wants_more(std::uint64_t instructions) const override;

    // What the files say about the dispatch besides its trace.
    struct About {
        std::uint64_t dispatch = 0, agent = 0, kernel = 0;  // number; index among agents; the symbol's id
    };
    // Files "<path>_se_<engine>.att"; says on standard error when one cannot be written.
    void write(const std::string& path, const About& about) const;

  private:
    struct Record {
        std::uint32_t words[4];
    };
    struct Engine {
        unsigned number = 0;
        std::vector<Record> records;
        std::uint64_t lost = 0;
        std::uint64_t live = 0, ended = 0;  // waves on the target unit
        timing::Cycle last = 0;
    };
    struct Code {
        std::uint64_t address;
        std::uint64_t cycles;  // for which it takes the unit that executes it
    };
    struct FileHeader {
        char magic[8];  // "VROCMATT"
        std::uint32_t version, size;
        std::uint64_t dispatch, agent, kernel;
        std::uint64_t records, codes;
        std::uint64_t lost;  // records for which there was no room
        std::uint64_t last;  // the latest clock
        std::uint32_t engine, target_unit, simd_mask, clock_mhz;
    };
    void add(Engine& engine, const Record& record, timing::Cycle last);
    std::uint32_t code(const Op* op, const timing::Cost& cost);
    bool write_engine(const Engine& engine, const std::string& path, const About& about) const;

    ThreadTraceOptions options_;
    unsigned engines_per_die_, clock_mhz_;
    std::size_t most_records_;
    std::vector<Engine> engines_;         // that are selected
    std::vector<int> chosen_;             // by number: place in engines_, or -1
    std::vector<std::uint32_t> code_of_;  // by Op::index: number in codes_ + 1
    std::vector<Code> codes_;
};

}  // namespace vrocm::sim
