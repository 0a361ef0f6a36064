// The timeline on its own: order, latencies, sharing. Built with native/hsa/time/timeline.cpp, without the runtime.
#include "hsa/time/timeline.h"

#include <cstdio>
#include <cstdlib>
#include <map>

using namespace vrocm::hsa;

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

struct Run {
    std::map<OperationId, OperationTimes> settled;
    Timeline timeline{[this](OperationId id, const OperationTimes& times) { settled[id] = times; }};

    OperationId kernel(std::uint64_t submitted, std::uint64_t work, std::uint32_t slots,
                       std::vector<OperationId> after = {}) {
        Operation o;
        o.pool = 1;
        o.submitted = submitted;
        o.work = work;
        o.use[WaveSlots] = slots;
        o.after_end = std::move(after);
        return timeline.add(o);
    }
    void all() {
        while (timeline.next_event() != Timeline::kNever) timeline.advance(timeline.next_event());
    }
};

static void latencies() {
    Run run;
    Operation o;
    o.pool = 1;
    o.submitted = 1000;
    o.arrival = 10;
    o.idle_arrival = 50;
    o.idle_after = 100;
    o.setup = 7;
    o.work = 200;
    o.finish = 3;
    const OperationId first = run.timeline.add(o);  // nothing before it: the queue was idle
    o.submitted = 1020;
    o.after_end = {first};
    const OperationId second = run.timeline.add(o);
    run.all();
    CHECK(run.settled[first].start == 1057 && run.settled[first].end == 1257 && run.settled[first].seen == 1260);
    CHECK(run.settled[second].start == 1267);
    // Submitted shortly after the end of what it follows: not idle. Long after: idle.
    o.after_end = {};
    o.previous = run.settled[second].seen;
    o.submitted = o.previous + 90;
    const OperationId third = run.timeline.add(o);
    o.submitted = o.previous + 5000;
    const OperationId fourth = run.timeline.add(o);
    run.all();
    CHECK(run.settled[third].start == o.previous + 90 + 10 + 7);
    CHECK(run.settled[fourth].start == o.previous + 5000 + 50 + 7);
}

static void sharing() {
    {  // together they do not fill the machine
        Run run;
        const OperationId a = run.kernel(0, 1000, 400), b = run.kernel(0, 600, 500);
        run.all();
        CHECK(run.settled[a].end == 1000 && run.settled[b].end == 600);
    }
    {  // both fill it: half speed while both run
        Run run;
        const OperationId a = run.kernel(0, 1000, 1000), b = run.kernel(0, 1000, 1000);
        run.all();
        CHECK(run.settled[a].end == 2000 && run.settled[b].end == 2000);
    }
    {  // the second comes when half of the first is done: 500 alone, then 1000 for the rest, then 500 of the second
        Run run;
        const OperationId a = run.kernel(0, 1000, 1000), b = run.kernel(500, 1000, 1000);
        run.all();
        CHECK(run.settled[a].end == 1500 && run.settled[b].end == 2000);
    }
    {  // a small one takes only what it needs
        Run run;
        const OperationId a = run.kernel(0, 1000, 1000), b = run.kernel(0, 1000, 100);
        run.all();
        CHECK(run.settled[b].end == 1000);
        CHECK(run.settled[a].end == 1100);
    }
    {  // other GPUs have their own resources
        Run run;
        const OperationId a = run.kernel(0, 1000, 1000);
        Operation o;
        o.pool = 2;
        o.work = 1000;
        o.use[WaveSlots] = 1000;
        const OperationId b = run.timeline.add(o);
        run.all();
        CHECK(run.settled[a].end == 1000 && run.settled[b].end == 1000);
    }
}

// How far and how often the timeline is advanced does not change what comes out.
static void steps_do_not_matter() {
    std::map<OperationId, OperationTimes> expected;
    for (std::uint64_t step : {0ull, 1ull, 7ull, 113ull}) {
        Run run;
        std::vector<OperationId> last;
        for (unsigned i = 0; i < 40; ++i) {
            std::vector<OperationId> after = i % 3 ? std::vector<OperationId>{} : last;
            last = {run.kernel(i * 37, 100 + i * 13 % 71, 100 + i * 97 % 900, std::move(after))};
        }
        if (step == 0) {
            run.all();
            expected = run.settled;
            continue;
        }
        for (std::uint64_t t = 0; run.settled.size() < 40; t += step) run.timeline.advance(t);
        for (const auto& [id, times] : expected)
            CHECK(run.settled[id].start == times.start && run.settled[id].end == times.end);
    }
}

static void order_and_lateness() {
    Run run;
    const OperationId a = run.kernel(0, 1000, 1000);
    run.timeline.advance(400);
    CHECK(run.timeline.now() == 400 && run.settled.empty() && run.timeline.started(a));
    // One that should have started before what is settled ran alone until now.
    const OperationId late = run.kernel(100, 500, 10);
    run.all();
    CHECK(run.settled[late].start == 100 && run.settled[late].end == 600);
    // After a start, not an end.
    Operation o;
    o.submitted = 2000;
    o.work = 500;
    o.pool = 1;
    const OperationId first = run.timeline.add(o);
    o.work = 10;
    o.after_start = {first};
    const OperationId beside = run.timeline.add(o);
    // The first of several.
    Operation any;
    any.after_end = {first, beside};
    any.after_any = true;
    const OperationId either = run.timeline.add(any);
    run.all();
    CHECK(run.settled[beside].start == 2000 && run.settled[beside].end == 2010 && run.settled[first].end == 2500);
    CHECK(run.settled[either].start == 2010);
    CHECK(run.timeline.idle());
}

int main() {
    latencies();
    sharing();
    steps_do_not_matter();
    order_and_lateness();
}
