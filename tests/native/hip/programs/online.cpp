// hiprtc: compile, look at the log, find mangled names, run.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <string>

#include "check.h"

static const char* source = R"(
#include "factor.h"
__device__ int bias = 1;
template <class T> __global__ void scale(T* data) { data[threadIdx.x] = data[threadIdx.x] * FACTOR + bias; }
extern "C" __global__ void fill(float* data, float value) { data[threadIdx.x] = value; }
)";

static std::string log_of(hiprtcProgram program) {
    size_t size = 0;
    CHECK(hiprtcGetProgramLogSize(program, &size) == HIPRTC_SUCCESS);
    std::string log(size + 1, '\0');
    CHECK(hiprtcGetProgramLog(program, log.data()) == HIPRTC_SUCCESS);
    return log;
}

static void good() {
    const char *header = "#define FACTOR 3\n", *name = "factor.h";
    hiprtcProgram program;
    CHECK(hiprtcCreateProgram(&program, source, "mine.hip", 1, &header, &name) == HIPRTC_SUCCESS);
    CHECK(hiprtcAddNameExpression(program, "scale<float>") == HIPRTC_SUCCESS);
    CHECK(hiprtcAddNameExpression(program, "&scale<int>") == HIPRTC_SUCCESS);
    CHECK(hiprtcAddNameExpression(program, "&bias") == HIPRTC_SUCCESS);
    const char* lowered = nullptr;
    CHECK(hiprtcGetLoweredName(program, "scale<float>", &lowered) == HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    const char* options[] = {"--gpu-architecture=gfx942", "-O3", "-std=c++17"};
    CHECK(hiprtcCompileProgram(program, 3, options) == HIPRTC_SUCCESS);
    if (failures) std::printf("%s\n", log_of(program).c_str());
    CHECK(hiprtcGetLoweredName(program, "scale<float>", &lowered) == HIPRTC_SUCCESS);
    CHECK(lowered && std::string(lowered) == "_Z5scaleIfEvPT_");
    std::string kernel = lowered ? lowered : "";
    CHECK(hiprtcGetLoweredName(program, "&scale<int>", &lowered) == HIPRTC_SUCCESS);
    CHECK(lowered && std::string(lowered) == "_Z5scaleIiEvPT_");
    CHECK(hiprtcGetLoweredName(program, "&bias", &lowered) == HIPRTC_SUCCESS && std::string(lowered) == "bias");
    CHECK(hiprtcGetLoweredName(program, "other", &lowered) == HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    size_t size = 0;
    CHECK(hiprtcGetCodeSize(program, &size) == HIPRTC_SUCCESS && size > 0);
    std::vector<char> code(size);
    CHECK(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
    CHECK(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS && program == nullptr);

    hipModule_t module;
    hipFunction_t fill, scale;
    OK(hipModuleLoadData(&module, code.data()));
    OK(hipModuleGetFunction(&fill, module, "fill"));
    OK(hipModuleGetFunction(&scale, module, kernel.c_str()));
    float *data, value = 2, got[32];
    OK(hipMalloc(&data, sizeof got));
    void* args[] = {&data, &value};
    OK(hipModuleLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr));
    OK(hipModuleLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, args, nullptr));
    OK(hipMemcpy(got, data, sizeof got, hipMemcpyDeviceToHost));
    CHECK(got[0] == 7 && got[31] == 7);
    OK(hipFree(data));
}

static void bad() {
    hiprtcProgram program;
    CHECK(hiprtcCreateProgram(&program, "__global__ void k() {\n  undefined_name();\n}\n", "broken.hip", 0, nullptr,
                              nullptr) == HIPRTC_SUCCESS);
    CHECK(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
    std::string log = log_of(program);
    CHECK(log.find("undefined_name") != log.npos);
    CHECK(log.find("broken.hip:2") != log.npos);
    size_t size;
    CHECK(hiprtcGetCodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);
    CHECK(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
    CHECK(hiprtcCreateProgram(nullptr, "", "", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
    int major = 0, minor = 0;
    CHECK(hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS && major == HIP_VERSION_MAJOR);
    CHECK(std::string(hiprtcGetErrorString(HIPRTC_ERROR_COMPILATION)) == "HIPRTC_ERROR_COMPILATION");
}

int main() {
    good();
    bad();
    return finish();
}
