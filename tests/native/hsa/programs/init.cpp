// The runtime is counted open and closed, from any thread, and says so when it is closed.
#include <thread>

#include "harness.h"

static void statuses_have_texts() {
    for (int status :
         {HSA_STATUS_SUCCESS, HSA_STATUS_INFO_BREAK, HSA_STATUS_ERROR, HSA_STATUS_ERROR_INVALID_ARGUMENT,
          HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, HSA_STATUS_ERROR_FATAL, HSA_STATUS_ERROR_INVALID_ISA_NAME}) {
        const char* text = nullptr;
        OK(hsa_status_string(static_cast<hsa_status_t>(status), &text));
        CHECK(text && std::strncmp(text, "HSA_STATUS", 10) == 0);
    }
    for (int status = HSA_STATUS_ERROR; status <= HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL; ++status) {
        const char* text = nullptr;
        OK(hsa_status_string(static_cast<hsa_status_t>(status), &text));
    }
    for (int status = HSA_STATUS_ERROR_INVALID_MEMORY_POOL; status <= HSA_STATUS_ERROR_NOT_SUPPORTED; ++status) {
        const char* text = nullptr;
        OK(hsa_status_string(static_cast<hsa_status_t>(status), &text));
    }
    const char* text = nullptr;
    CHECK_STATUS(hsa_status_string(static_cast<hsa_status_t>(0x7777), &text), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(hsa_status_string(HSA_STATUS_SUCCESS, nullptr), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void closed_runtime_refuses() {
    std::uint16_t major = 0;
    hsa_signal_t signal{};
    CHECK_STATUS(hsa_shut_down(), HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK_STATUS(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major), HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK_STATUS(hsa_iterate_agents([](hsa_agent_t, void*) { return HSA_STATUS_SUCCESS; }, nullptr),
                 HSA_STATUS_ERROR_NOT_INITIALIZED);
    CHECK_STATUS(hsa_signal_create(0, 0, nullptr, &signal), HSA_STATUS_ERROR_NOT_INITIALIZED);
}

static void counted() {
    for (int i = 0; i < 3; ++i) OK(hsa_init());
    const hsa_signal_t signal = make_signal(5);
    OK(hsa_shut_down());
    OK(hsa_shut_down());
    CHECK(hsa_signal_load_relaxed(signal) == 5);  // still open
    OK(hsa_shut_down());
    closed_runtime_refuses();
}

static void many_threads() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([] {
            for (int n = 0; n < 20; ++n) {
                OK(hsa_init());
                make_signal(1);
                OK(hsa_shut_down());
            }
        });
    for (auto& thread : threads) thread.join();
    closed_runtime_refuses();
}

static void system_attributes() {
    OK(hsa_init());
    std::uint16_t major = 0, ext = 0;
    std::uint64_t first = 0, second = 0, frequency = 0;
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major));
    OK(hsa_system_get_info(HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR, &ext));
    CHECK(major == 1 && ext == 1);
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
    CHECK(frequency == 1'000'000'000);
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &first));
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &second));
    CHECK(second >= first);
    bool vmm = false, result = true;
    OK(hsa_system_get_info(HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED, &vmm));
    CHECK(vmm);
    CHECK_STATUS(hsa_system_get_info(static_cast<hsa_system_info_t>(99), &major), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    std::uint8_t extensions[128] = {};
    OK(hsa_system_get_info(HSA_SYSTEM_INFO_EXTENSIONS, extensions));
    CHECK(hsa_flag_isset64(extensions, HSA_EXTENSION_AMD_LOADER));
    CHECK(!hsa_flag_isset64(extensions, HSA_EXTENSION_FINALIZER));
    OK(hsa_system_extension_supported(HSA_EXTENSION_FINALIZER, 1, 0, &result));
    CHECK(!result);
    OK(hsa_system_extension_supported(HSA_EXTENSION_IMAGES, 1, 0, &result));
    CHECK(result);
    std::uint16_t minor = 0;
    OK(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, &minor, &result));
    CHECK(result && minor == 3);
    hsa_ext_finalizer_1_00_pfn_t finalizer;
    CHECK_STATUS(hsa_system_get_major_extension_table(HSA_EXTENSION_FINALIZER, 1, sizeof finalizer, &finalizer),
                 HSA_STATUS_ERROR);
    // Every GPU provides images, and on these none can be made.
    hsa_ext_images_1_pfn_t images;
    OK(hsa_system_get_major_extension_table(HSA_EXTENSION_IMAGES, 1, sizeof images, &images));
    CHECK_STATUS(images.hsa_ext_image_destroy(gpu(), {}), HSA_STATUS_ERROR);
    std::uint8_t of_gpu[128] = {};
    OK(hsa_agent_get_info(gpu(), HSA_AGENT_INFO_EXTENSIONS, of_gpu));
    CHECK(hsa_flag_isset64(of_gpu, HSA_EXTENSION_IMAGES));
    std::uint32_t handles = 1;
    OK(hsa_agent_get_info(gpu(), static_cast<hsa_agent_info_t>(HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES), &handles));
    CHECK(handles == 0);
    CHECK_STATUS(hsa_amd_spm_acquire(gpu()), HSA_STATUS_ERROR);  // refused by name
    OK(hsa_shut_down());
}

int main() {
    statuses_have_texts();
    closed_runtime_refuses();
    counted();
    many_threads();
    system_attributes();
}
