// Modules: argument 1 is the bundle of module_kernels.hip, argument 2 a file to write.
#include <hip/hip_runtime.h>
#include <hip/hip_ext.h>

#include <fstream>
#include <iterator>

#include "check.h"

static std::vector<char> bytes_of(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int main(int, char** argv) {
    hipModule_t module, other;
    GIVES(hipErrorFileNotFound, hipModuleLoad(&module, "/no/such/file"));
    OK(hipModuleLoad(&module, argv[1]));
    std::vector<char> image = bytes_of(argv[1]);
    OK(hipModuleLoadData(&other, image.data()));
    OK(hipModuleUnload(other));
    GIVES(hipErrorInvalidHandle, hipModuleUnload(other));
    std::vector<char> nonsense(4096, 'x');
    GIVES(hipErrorInvalidImage, hipModuleLoadData(&other, nonsense.data()));

    // Files cut short anywhere are refused, never followed beyond their end.
    for (size_t length = 0; length < image.size(); length += 97) {
        std::ofstream(argv[2], std::ios::binary).write(image.data(), static_cast<std::streamsize>(length));
        hipError_t status = hipModuleLoad(&other, argv[2]);
        CHECK(status == hipErrorInvalidImage || status == hipErrorNoBinaryForGpu);
    }
    (void)hipGetLastError();

    hipFunction_t shift, count;
    OK(hipModuleGetFunction(&shift, module, "shift"));
    OK(hipModuleGetFunction(&count, module, "count_items"));
    GIVES(hipErrorNotFound, hipModuleGetFunction(&count, module, "nothing"));
    unsigned functions = 0;
    OK(hipModuleGetFunctionCount(&functions, module));
    CHECK(functions == 2);
    OK(hipModuleGetFunction(&count, module, "count_items"));

    int *data, got[4] = {1, 2, 3, 4}, by = 5;
    OK(hipMalloc(&data, sizeof got));
    OK(hipMemcpy(data, got, sizeof got, hipMemcpyHostToDevice));
    void* parameters[] = {&data, &by};
    OK(hipModuleLaunchKernel(shift, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
    OK(hipMemcpy(got, data, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got[0] == 16 && got[3] == 19);

    void* global = nullptr;
    size_t size = 0;
    OK(hipModuleGetGlobal(&global, &size, module, "offset"));
    CHECK(size == 4);
    int zero = 0;
    OK(hipMemcpyHtoD(global, &zero, 4));
    GIVES(hipErrorNotFound, hipModuleGetGlobal(&global, &size, module, "nothing"));
    struct {
        int* data;
        int by;
    } packed = {data, 100};
    size_t packed_size = sizeof packed;
    void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &packed_size,
                     HIP_LAUNCH_PARAM_END};
    OK(hipModuleLaunchKernel(shift, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, extra));
    OK(hipMemcpy(got, data, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got[0] == 116 && got[3] == 119);
    GIVES(hipErrorInvalidValue, hipModuleLaunchKernel(shift, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, extra));

    // Grids counted in work-items may end with a part of a block.
    OK(hipMemset(data, 0, sizeof got));
    OK(hipExtModuleLaunchKernel(count, 100, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
    OK(hipMemcpy(got, data, 4, hipMemcpyDeviceToHost));
    CHECK(got[0] == 100);

    int value = 0, blocks = 0;
    OK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, shift));
    CHECK(value == 1024);
    OK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shift, 256, 0));
    CHECK(blocks == 8);
    OK(hipModuleUnload(module));
    GIVES(hipErrorInvalidHandle, hipModuleLaunchKernel(shift, 1, 1, 1, 4, 1, 1, 0, nullptr, parameters, nullptr));
    OK(hipFree(data));
    return finish();
}
