// One hipMemcpy. Built three times: DIRECTION is h2d, d2h or d2d.
#include "harness.h"

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    long megabytes = 0;
    char unit[3] = {};
    if (std::sscanf(options.size.c_str(), "%ld%2s", &megabytes, unit) != 2 || std::strcmp(unit, "MB"))
        refuse(options, "NMB");
    const std::size_t bytes = std::size_t(megabytes) << 20;
    const std::string direction = TEXT(DIRECTION);
    char *device = on_device<char>(bytes), *other = nullptr;
    hipMemcpyKind kind = hipMemcpyDeviceToDevice;
    if (direction == "d2d") {
        other = on_device<char>(bytes);
    } else {
        other = static_cast<char*>(std::malloc(bytes));
        std::memset(other, 1, bytes);  // present before it is timed
        kind = direction == "h2d" ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
    }
    char *to = kind == hipMemcpyDeviceToHost ? other : device, *from = to == device ? other : device;
    std::vector<char> pattern;
    if (options.check) {
        pattern.resize(bytes);
        for (std::size_t i = 0; i < bytes; ++i) pattern[i] = char(i * 7 + i / 251);
        HIP_OK(hipMemcpy(from, pattern.data(), bytes, hipMemcpyDefault));
    }
    time_body(("memcopy_" + direction).c_str(), options, [&] { HIP_OK(hipMemcpy(to, from, bytes, kind)); });
    if (options.check) {
        std::vector<char> got(bytes);
        HIP_OK(hipMemcpy(got.data(), to, bytes, hipMemcpyDefault));
        expect_equal(got, pattern, "copy");
    }
}
