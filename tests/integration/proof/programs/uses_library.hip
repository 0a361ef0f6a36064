// Opens the library named on its command line and lets it launch.
#include <dlfcn.h>

#include "check.h"

int main(int, char** arguments) {
    void* library = dlopen(arguments[1], RTLD_NOW);
    if (!library) return std::puts(dlerror()), 1;
    using Scale = void (*)(float*, int);
    const auto three = reinterpret_cast<Scale>(dlsym(library, "scale_by_three"));
    const auto five = reinterpret_cast<Scale>(dlsym(library, "scale_by_five"));
    const int count = 3000;
    std::vector<float> host = noise(count, 4);
    float* data = to_device(host);
    three(data, count);
    five(data, count);
    for (float& value : host) value = value * 3 * 5;
    return verdict("library", to_host(data, count), host, 0);
}
