#include "replay/addresses/steering.h"

#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace rpl::replay {

namespace {

// Linux 4.17; not in the headers of every C library.
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

bool map_exactly(AddressRange range, int protection) {
    void* const wanted = reinterpret_cast<void*>(range.base);
    void* const got =
        mmap(wanted, range.size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted) return true;
    if (got != MAP_FAILED) munmap(got, range.size);  // an older kernel takes the address as a hint
    return false;
}

}  // namespace

AddressSteering::~AddressSteering() {
    release();
}

std::vector<TakenRange> AddressSteering::hold(const AddressPlan& plan) {
    std::vector<TakenRange> taken;
    const auto keep = [&](AddressRange range, int protection) {
        if (map_exactly(range, protection)) return true;
        const std::string why = std::strerror(errno);
        const std::string by = who_has(range);
        taken.push_back({range, by.empty() ? why : by});
        return false;
    };
    for (const AddressRange& range : plan.reserved)
        if (keep(range, PROT_NONE)) held_.push_back(range);
    for (const HostSpan& span : plan.host) keep(span.range, PROT_READ | PROT_WRITE);
    // Code can be elsewhere, if need be.
    for (const AddressRange& range : plan.code)
        if (map_exactly(range, PROT_NONE)) held_.push_back(range);
    return taken;
}

void AddressSteering::release() {
    for (const AddressRange& range : held_) munmap(reinterpret_cast<void*>(range.base), range.size);
    held_.clear();
}

void start_with_another_layout(int argc, char** argv, const std::string& more) {
    // Without random addresses the next layout would be the same.
    const int persona = personality(0xFFFFFFFF);
    if (persona != -1 && (persona & ADDR_NO_RANDOMIZE))
        personality(static_cast<unsigned long>(persona) & ~static_cast<unsigned long>(ADDR_NO_RANDOMIZE));
    std::vector<char*> arguments(argv, argv + argc);
    std::string added = more;
    arguments.push_back(added.data());
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
}

std::string who_has(AddressRange range) {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line)) {
        unsigned long long begin = 0, end = 0;
        int name = 0;
        if (std::sscanf(line.c_str(), "%llx-%llx %*s %*s %*s %*s %n", &begin, &end, &name) < 2) continue;
        if (begin >= range.end() || end <= range.base) continue;
        const std::string what = name > 0 && static_cast<std::size_t>(name) < line.size()
                                     ? line.substr(static_cast<std::size_t>(name))
                                     : "memory of this process";
        return what + " at " + hexadecimal(begin) + "-" + hexadecimal(end);
    }
    return "";
}

}  // namespace rpl::replay
