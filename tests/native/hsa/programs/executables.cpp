// Code objects: loading, symbols, variables, what is refused, the loader extension.
// Arguments: code object, code object with an undefined variable, code object for gfx90a.
#include <fcntl.h>
#include <unistd.h>

#include <map>

#include "harness.h"

template <typename T>
static T info(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute) {
    T value{};
    OK(hsa_executable_symbol_get_info(symbol, attribute, &value));
    return value;
}

static std::string name_of(hsa_executable_symbol_t symbol) {
    std::string name(info<std::uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH), '\0');
    OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name.data()));
    return name;
}

static void symbols(const Module& module) {
    const auto add = module.symbol("add_one.kd");
    CHECK(name_of(add) == "add_one.kd");
    CHECK(info<hsa_symbol_kind_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) == HSA_SYMBOL_KIND_KERNEL);
    CHECK(info<hsa_agent_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_AGENT).handle == gpu().handle);
    CHECK(info<std::uint32_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE) >= 12);
    CHECK(info<std::uint32_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT) == 16);
    CHECK(info<std::uint32_t>(add, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE) == 0);
    CHECK(info<std::uint32_t>(module.symbol("reverse.kd"), HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE) ==
          1024);
    const auto counter = module.symbol("counter");
    CHECK(info<hsa_symbol_kind_t>(counter, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) == HSA_SYMBOL_KIND_VARIABLE);
    CHECK(info<std::uint32_t>(counter, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE) == 4);
    CHECK(!info<bool>(counter, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
    CHECK(info<bool>(module.symbol("table"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST));
    CHECK(info<std::uint32_t>(module.symbol("zeroed"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE) == 400);
    hsa_executable_symbol_t none;
    const hsa_agent_t agent = gpu();
    CHECK_STATUS(hsa_executable_get_symbol_by_name(module.executable(), "missing", &agent, &none),
                 HSA_STATUS_ERROR_INVALID_SYMBOL_NAME);
    std::uint64_t object;
    CHECK_STATUS(hsa_executable_symbol_get_info(counter, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object),
                 HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_executable_symbol_get_info({1}, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, &object),
                 HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL);
    std::map<std::string, int> found;
    OK(hsa_executable_iterate_agent_symbols(
        module.executable(), agent,
        [](hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t symbol, void* data) {
            ++(*static_cast<std::map<std::string, int>*>(data))[name_of(symbol)];
            return HSA_STATUS_SUCCESS;
        },
        &found));
    for (const char* name : {"add_one.kd", "trap.kd", "counter", "zeroed", "pointer_to_counter", "table"})
        CHECK(found[name] == 1);
    int count = 0;
    OK(hsa_executable_iterate_symbols(
        module.executable(),
        [](hsa_executable_t, hsa_executable_symbol_t, void* data) {
            ++*static_cast<int*>(data);
            return HSA_STATUS_SUCCESS;
        },
        &count));
    CHECK(count == static_cast<int>(found.size()));
}

static void variables(const Module& module) {
    auto* counter = reinterpret_cast<int*>(
        info<std::uint64_t>(module.symbol("counter"), HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS));
    CHECK(*counter == 7);
    auto* out = allocate<int>(device_pool(), 4);
    hsa_queue_t* queue = make_queue(gpu());
    const Arguments arguments(out);
    run(queue, module.kernel("use_globals"), arguments, 1, 1);
    CHECK(out[0] == 7 && out[1] == 0 && out[2] == 7 && out[3] == 30);
    CHECK(*counter == 8);
    *counter = 100;
    run(queue, module.kernel("use_globals"), arguments, 1, 1);
    CHECK(out[0] == 100 && out[2] == 100);
    // Pointers stored in device memory are the addresses that kernels use.
    struct Node {
        Node* next;
        long value;
    };
    auto* nodes = allocate<Node>(device_pool(), 100);
    for (int i = 0; i < 100; ++i) nodes[i] = {i == 99 ? nullptr : &nodes[(i * 37 + 37) % 100], i};
    for (int i = 0; i < 100; ++i) nodes[(i * 37) % 100] = {i == 99 ? nullptr : &nodes[((i + 1) * 37) % 100], i};
    auto* sum = allocate<long>(device_pool(), 1);
    run(queue, module.kernel("chase"), Arguments(nodes, sum), 1, 1);
    CHECK(*sum == 4950);
    OK(hsa_queue_destroy(queue));
}

static hsa_executable_t empty_executable() {
    hsa_executable_t executable;
    OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr, &executable));
    return executable;
}

static void undefined_variable(const char* path) {
    const auto bytes = read_file(path);
    hsa_code_object_reader_t reader;
    OK(hsa_code_object_reader_create_from_memory(bytes.data(), bytes.size(), &reader));
    hsa_executable_t executable = empty_executable();
    OK(hsa_executable_load_agent_code_object(executable, gpu(), reader, nullptr, nullptr));
    std::uint32_t result = 0;
    OK(hsa_executable_validate(executable, &result));
    CHECK(result != 0);
    CHECK_STATUS(hsa_executable_freeze(executable, nullptr), HSA_STATUS_ERROR_VARIABLE_UNDEFINED);
    auto* value = allocate<int>(device_pool(), 1);
    *value = 4711;
    OK(hsa_executable_agent_global_variable_define(executable, gpu(), "provided", value));
    CHECK_STATUS(hsa_executable_agent_global_variable_define(executable, gpu(), "provided", value),
                 HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED);
    OK(hsa_executable_freeze(executable, nullptr));
    CHECK_STATUS(hsa_executable_freeze(executable, nullptr), HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    CHECK_STATUS(hsa_executable_load_agent_code_object(executable, gpu(), reader, nullptr, nullptr),
                 HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
    hsa_executable_symbol_t symbol;
    const hsa_agent_t agent = gpu();
    OK(hsa_executable_get_symbol_by_name(executable, "read_provided.kd", &agent, &symbol));
    auto* out = allocate<int>(device_pool(), 1);
    hsa_queue_t* queue = make_queue(gpu());
    run(queue, info<std::uint64_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT), Arguments(out), 1, 1);
    CHECK(*out == 4711);
    OK(hsa_queue_destroy(queue));
    OK(hsa_executable_destroy(executable));
    CHECK_STATUS(hsa_executable_destroy(executable), HSA_STATUS_ERROR_INVALID_EXECUTABLE);
    OK(hsa_code_object_reader_destroy(reader));
    CHECK_STATUS(hsa_code_object_reader_destroy(reader), HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
}

static int load_status(const void* bytes, std::size_t size) {
    hsa_code_object_reader_t reader;
    OK(hsa_code_object_reader_create_from_memory(bytes, size, &reader));
    hsa_executable_t executable = empty_executable();
    const int status = hsa_executable_load_agent_code_object(executable, gpu(), reader, nullptr, nullptr);
    OK(hsa_executable_destroy(executable));
    OK(hsa_code_object_reader_destroy(reader));
    return status;
}

static void refusals(const Module& module, const char* other_gpu) {
    const char text[] = "this is not a code object, and long enough to hold an ELF header, which it does not have";
    CHECK(load_status(text, sizeof text) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    CHECK(load_status(module.bytes().data(), 100) == HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    const auto other = read_file(other_gpu);
    CHECK(load_status(other.data(), other.size()) == HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    // Damage anywhere in the headers is refused or loads less; it never crashes.
    for (std::size_t at = 0; at < 1024; ++at) {
        auto damaged = module.bytes();
        damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
        load_status(damaged.data(), damaged.size());
    }
    hsa_code_object_reader_t reader;
    CHECK_STATUS(hsa_code_object_reader_create_from_memory(nullptr, 10, &reader), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_code_object_reader_create_from_file(-1, &reader), HSA_STATUS_ERROR_INVALID_FILE);
    CHECK_STATUS(hsa_executable_load_agent_code_object({1}, gpu(), reader, nullptr, nullptr),
                 HSA_STATUS_ERROR_INVALID_EXECUTABLE);
}

static void loader(const Module& module, const char* path) {
    hsa_ven_amd_loader_1_03_pfn_t table{};
    OK(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof table, &table));
    CHECK(table.hsa_ven_amd_loader_iterate_executables);
    hsa_ven_amd_loader_1_00_pfn_t old{};
    OK(hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 0, &old));
    CHECK(old.hsa_ven_amd_loader_query_executable == table.hsa_ven_amd_loader_query_executable);
    const auto kernel = reinterpret_cast<const void*>(module.kernel("add_one"));
    const void* host = nullptr;
    OK(table.hsa_ven_amd_loader_query_host_address(kernel, &host));
    CHECK(std::memcmp(host, kernel, 64) == 0);
    CHECK_STATUS(table.hsa_ven_amd_loader_query_host_address(&table, &host), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    hsa_executable_t executable{};
    OK(table.hsa_ven_amd_loader_query_executable(kernel, &executable));
    CHECK(executable.handle == module.executable().handle);
    std::size_t count = 0;
    OK(table.hsa_ven_amd_loader_query_segment_descriptors(nullptr, &count));
    CHECK(count == 1);
    hsa_ven_amd_loader_segment_descriptor_t segment{};
    OK(table.hsa_ven_amd_loader_query_segment_descriptors(&segment, &count));
    CHECK(segment.executable.handle == executable.handle && segment.agent.handle == gpu().handle);
    CHECK(kernel >= segment.segment_base && segment.code_object_storage_base == module.bytes().data());
    CHECK(segment.code_object_storage_size == module.bytes().size());
    const auto get = [&](hsa_ven_amd_loader_loaded_code_object_info_t attribute, void* value) {
        return table.hsa_ven_amd_loader_loaded_code_object_get_info(module.loaded(), attribute, value);
    };
    std::uint64_t base = 0, size = 0, from = 0;
    std::int64_t delta = 0;
    std::uint32_t length = 0, storage = 0;
    OK(get(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &base));
    OK(get(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, &size));
    OK(get(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &delta));
    CHECK(base == reinterpret_cast<std::uint64_t>(segment.segment_base) && size == segment.segment_size);
    CHECK(delta == static_cast<std::int64_t>(base));
    OK(get(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE, &storage));
    CHECK(storage == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY);
    OK(get(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE, &from));
    CHECK(from == reinterpret_cast<std::uint64_t>(module.bytes().data()));
    OK(get(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
    std::string uri(length, '\0');
    OK(get(HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI, uri.data()));
    CHECK(uri.find("memory://" + std::to_string(getpid()) + "#offset=0x") == 0);
    // From a file, with the file in the URI.
    const int file = open(path, O_RDONLY);
    hsa_code_object_reader_t reader;
    OK(hsa_code_object_reader_create_from_file(file, &reader));
    hsa_executable_t second = empty_executable();
    hsa_loaded_code_object_t loaded{};
    OK(hsa_executable_load_agent_code_object(second, gpu(), reader, nullptr, &loaded));
    OK(table.hsa_ven_amd_loader_loaded_code_object_get_info(
        loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
    uri.assign(length, '\0');
    OK(table.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI,
                                                            uri.data()));
    CHECK(uri == "file://" + std::string(path));
    std::vector<std::uint64_t> all;
    OK(table.hsa_ven_amd_loader_iterate_executables(
        [](hsa_executable_t e, void* data) {
            static_cast<std::vector<std::uint64_t>*>(data)->push_back(e.handle);
            return HSA_STATUS_SUCCESS;
        },
        &all));
    CHECK(all.size() == 2);
    int objects = 0;
    OK(table.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(
        second,
        [](hsa_executable_t, hsa_loaded_code_object_t, void* data) {
            ++*static_cast<int*>(data);
            return HSA_STATUS_SUCCESS;
        },
        &objects));
    CHECK(objects == 1);
    OK(hsa_executable_destroy(second));
    close(file);
}

int main(int, char** argv) {
    OK(hsa_init());
    const Module module(argv[1], gpu());
    symbols(module);
    variables(module);
    undefined_variable(argv[2]);
    refusals(module, argv[3]);
    loader(module, argv[1]);
    OK(hsa_executable_destroy(module.executable()));
    OK(hsa_shut_down());
}
