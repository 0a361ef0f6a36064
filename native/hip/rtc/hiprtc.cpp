// API: hiprtc. A program is compiled by the hipcc of the prefix, in a folder of its own.
#include <dlfcn.h>
#include <hip/hiprtc.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "hip/hip_abi.h"
#include "hip/rtc/compile.h"
#include "hip/rtc/lowered_names.h"

struct _hiprtcProgram {
    std::string source, name;
    std::vector<std::pair<std::string, std::string>> headers;  // include name, content
    std::vector<std::string> expressions;
    std::map<std::string, std::string> lowered;
    std::string log, code, bitcode;
    bool compiled = false;
};

struct ihiprtcLinkState {
    std::vector<std::pair<std::string, std::string>> inputs;  // file name, content
    std::string output;
};

namespace {

using vrocm::rtc::CompilerRun;
using vrocm::rtc::ScratchFolder;

struct LivePrograms {
    std::mutex mutex;
    std::unordered_set<hiprtcProgram> programs;
    std::unordered_set<hiprtcLinkState> links;
};
LivePrograms& live() {
    static LivePrograms* instance = new LivePrograms;
    return *instance;
}

bool known(hiprtcProgram program) {
    std::lock_guard lock(live().mutex);
    return live().programs.count(program) != 0;
}
bool known(hiprtcLinkState state) {
    std::lock_guard lock(live().mutex);
    return live().links.count(state) != 0;
}

// The processor of the current device when the HIP runtime is there, else the one all of vrocm defaults to.
std::string default_target() {
    using Query = hipError_t (*)(hipDeviceProp_t*, int);
    using Current = hipError_t (*)(int*);
    auto query = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "hipGetDevicePropertiesR0600"));
    auto current = reinterpret_cast<Current>(dlsym(RTLD_DEFAULT, "hipGetDevice"));
    hipDeviceProp_t properties;
    int device = 0;
    if (!query || !current || current(&device) != hipSuccess || query(&properties, device) != hipSuccess)
        return "gfx942";
    const std::string name = properties.gcnArchName;
    return name.substr(0, name.find(':'));
}

// Options of other compilers' drivers that programs pass along, in the spelling hipcc takes.
std::vector<std::string> translate(int count, const char** options, bool& has_target) {
    std::vector<std::string> made;
    has_target = false;
    for (int i = 0; i < count; ++i) {
        const std::string option = options[i] ? options[i] : "";
        if (option.empty()) continue;
        if (option.starts_with("--gpu-architecture=")) {
            made.push_back("--offload-arch=" + option.substr(std::strlen("--gpu-architecture=")));
            has_target = true;
        } else if (option == "--gpu-architecture" || option == "-arch") {
            if (++i < count) made.push_back(std::string("--offload-arch=") + options[i]);
            has_target = true;
        } else if (option.starts_with("--std=")) {
            made.push_back(option.substr(1));
        } else if (option == "-default-device") {
            continue;
        } else {
            has_target |= option.starts_with("--offload-arch");
            made.push_back(option);
        }
    }
    return made;
}

// The compiler works in the program's folder; its user's paths lead from the user's.
void make_absolute(std::vector<std::string>& options) {
    namespace fs = std::filesystem;
    const auto absolute = [](const std::string& path) {
        std::error_code ignored;
        return fs::exists(path, ignored) ? fs::absolute(path, ignored).string() : path;
    };
    for (const std::string_view flag : {"-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"})
        for (std::size_t i = 0; i < options.size(); ++i) {
            if (options[i] == flag && i + 1 < options.size())
                options[i + 1] = absolute(options[i + 1]);
            else if (options[i].starts_with(flag) && options[i].size() > flag.size())
                options[i] = std::string(flag) + absolute(options[i].substr(flag.size()));
        }
}

bool wants_bitcode(const std::vector<std::string>& options) {
    return std::find(options.begin(), options.end(), "-fgpu-rdc") != options.end();
}

// Units that are linked together later differ in their text or their options.
std::string unit_id(const std::string& text, const std::vector<std::string>& options) {
    std::string all = text;
    for (const std::string& option : options) all += '\0' + option;
    return "-cuid=" + std::to_string(std::hash<std::string>{}(all));
}

// Declarations that online compilation gives every program without an #include.
constexpr const char* kPrologue = "#include <hip/hip_runtime.h>\n";

hiprtcResult compile(_hiprtcProgram& program, int count, const char** options) {
    const std::string hipcc = vrocm::rtc::find_hipcc();
    if (hipcc.empty()) {
        program.log = "hiprtc: no hipcc found; set VROCM_HIPCC\n";
        return HIPRTC_ERROR_INTERNAL_ERROR;
    }
    ScratchFolder folder;
    if (folder.path().empty()) return HIPRTC_ERROR_INTERNAL_ERROR;
    // The user's text keeps its own line numbers.
    const std::string text = std::string(kPrologue) + "#line 1 \"" + program.name + "\"\n" + program.source +
                             vrocm::rtc::name_probes(program.expressions);
    bool written = folder.write("program.hip", text);
    for (const auto& [name, content] : program.headers) written &= folder.write("include/" + name, content);
    if (!written) return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;

    bool has_target = false;
    std::vector<std::string> user = translate(count, options, has_target);
    make_absolute(user);
    const bool bitcode = wants_bitcode(user);
    // Names without the folder: the same program is the same command line each time, which hipcc may know.
    std::vector<std::string> arguments = {hipcc, "-x", "hip", "-I", "include"};
    if (!has_target) arguments.push_back("--offload-arch=" + default_target());
    arguments.insert(arguments.end(), user.begin(), user.end());
    if (bitcode)
        arguments.insert(arguments.end(), {"--cuda-device-only", "-emit-llvm", "-c", unit_id(text, user)});
    else
        arguments.push_back("--genco");
    arguments.insert(arguments.end(), {"program.hip", "-o", "program.out"});

    const CompilerRun run = vrocm::rtc::run_compiler(arguments, folder.path());
    program.log = run.output;
    if (!run.started) {
        program.log = "hiprtc: cannot run " + hipcc + "\n";
        return HIPRTC_ERROR_INTERNAL_ERROR;
    }
    if (run.exit_code != 0) return HIPRTC_ERROR_COMPILATION;
    (bitcode ? program.bitcode : program.code) = folder.read("program.out");
    return HIPRTC_SUCCESS;
}

// The code object inside what --genco wrote, which is an offload bundle.
std::string code_object_of(const std::string& image) {
    const auto at = image.find("\177ELF");
    return at == std::string::npos ? std::string() : image.substr(at);
}

// LLVM "Bitcode File Format": its magic, or that of a wrapper around it. The linker would take anything else for what
// it looks like: a library, or a script of commands.
bool is_bitcode(std::string_view content) {
    return content.starts_with("BC\xC0\xDE") || content.starts_with("\xDE\xC0\x17\x0B");
}

hiprtcResult copy_out(const std::string& from, char* to) {
    if (!to) return HIPRTC_ERROR_INVALID_INPUT;
    std::memcpy(to, from.data(), from.size());
    return HIPRTC_SUCCESS;
}

}  // namespace

extern "C" {

const char* hiprtcGetErrorString(hiprtcResult result) {
    switch (result) {
        case HIPRTC_SUCCESS:
            return "HIPRTC_SUCCESS";
        case HIPRTC_ERROR_OUT_OF_MEMORY:
            return "HIPRTC_ERROR_OUT_OF_MEMORY";
        case HIPRTC_ERROR_PROGRAM_CREATION_FAILURE:
            return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
        case HIPRTC_ERROR_INVALID_INPUT:
            return "HIPRTC_ERROR_INVALID_INPUT";
        case HIPRTC_ERROR_INVALID_PROGRAM:
            return "HIPRTC_ERROR_INVALID_PROGRAM";
        case HIPRTC_ERROR_INVALID_OPTION:
            return "HIPRTC_ERROR_INVALID_OPTION";
        case HIPRTC_ERROR_COMPILATION:
            return "HIPRTC_ERROR_COMPILATION";
        case HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE:
            return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
        case HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
            return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
        case HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
            return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
        case HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
            return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
        case HIPRTC_ERROR_INTERNAL_ERROR:
            return "HIPRTC_ERROR_INTERNAL_ERROR";
        case HIPRTC_ERROR_LINKING:
            return "HIPRTC_ERROR_LINKING";
    }
    return "Invalid HIPRTC error code";
}

hiprtcResult hiprtcVersion(int* major, int* minor) {
    if (!major || !minor) return HIPRTC_ERROR_INVALID_INPUT;
    *major = HIP_VERSION_MAJOR;
    *minor = HIP_VERSION_MINOR;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram* program, const char* source, const char* name, int count,
                                 const char** headers, const char** include_names) {
    if (!program || !source || count < 0 || (count > 0 && (!headers || !include_names)))
        return HIPRTC_ERROR_INVALID_INPUT;
    auto* made = new _hiprtcProgram;
    made->source = source;
    made->name = name && *name ? name : "program.hip";
    for (int i = 0; i < count; ++i) {
        if (!headers[i] || !include_names[i]) {
            delete made;
            return HIPRTC_ERROR_INVALID_INPUT;
        }
        made->headers.emplace_back(include_names[i], headers[i]);
    }
    std::lock_guard lock(live().mutex);
    live().programs.insert(made);
    *program = made;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcDestroyProgram(hiprtcProgram* program) {
    if (!program) return HIPRTC_ERROR_INVALID_INPUT;
    std::lock_guard lock(live().mutex);
    if (live().programs.erase(*program) == 0) return HIPRTC_ERROR_INVALID_PROGRAM;
    delete *program;
    *program = nullptr;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char* expression) {
    if (!known(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !*expression) return HIPRTC_ERROR_INVALID_INPUT;
    if (program->compiled) return HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    auto& all = program->expressions;
    if (std::find(all.begin(), all.end(), expression) == all.end()) all.emplace_back(expression);
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char** options) {
    if (!known(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (count < 0 || (count > 0 && !options)) return HIPRTC_ERROR_INVALID_INPUT;
    const hiprtcResult result = compile(*program, count, options);
    if (result != HIPRTC_SUCCESS) return result;
    program->compiled = true;
    const auto names = vrocm::rtc::read_lowered_names(code_object_of(program->code));
    for (const auto& [index, symbol] : names)
        if (index < program->expressions.size()) program->lowered[program->expressions[index]] = symbol;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char* expression, const char** lowered) {
    if (!known(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!expression || !lowered) return HIPRTC_ERROR_INVALID_INPUT;
    if (!program->compiled) return HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    auto found = program->lowered.find(expression);
    if (found == program->lowered.end()) return HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered = found->second.c_str();
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char* log) {
    if (!known(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    const hiprtcResult result = copy_out(program->log, log);
    if (result == HIPRTC_SUCCESS) log[program->log.size()] = '\0';
    return result;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t* size) {
    if (!known(program)) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!size) return HIPRTC_ERROR_INVALID_INPUT;
    *size = program->log.empty() ? 0 : program->log.size() + 1;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCode(hiprtcProgram program, char* code) {
    if (!known(program) || program->code.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
    return copy_out(program->code, code);
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t* size) {
    if (!known(program) || program->code.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!size) return HIPRTC_ERROR_INVALID_INPUT;
    *size = program->code.size();
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetBitcode(hiprtcProgram program, char* bitcode) {
    if (!known(program) || program->bitcode.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
    return copy_out(program->bitcode, bitcode);
}

hiprtcResult hiprtcGetBitcodeSize(hiprtcProgram program, size_t* size) {
    if (!known(program) || program->bitcode.empty()) return HIPRTC_ERROR_INVALID_PROGRAM;
    if (!size) return HIPRTC_ERROR_INVALID_INPUT;
    *size = program->bitcode.size();
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkCreate(unsigned int, hipJitOption*, void**, hiprtcLinkState* state) {
    if (!state) return HIPRTC_ERROR_INVALID_INPUT;
    auto* made = new ihiprtcLinkState;
    std::lock_guard lock(live().mutex);
    live().links.insert(made);
    *state = made;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkAddData(hiprtcLinkState state, hipJitInputType type, void* image, size_t size, const char*,
                               unsigned int, hipJitOption*, void**) {
    if (!known(state)) return HIPRTC_ERROR_INVALID_INPUT;
    if (!image || size == 0 || type != hipJitInputLLVMBitcode) return HIPRTC_ERROR_INVALID_INPUT;
    const std::string_view content(static_cast<const char*>(image), size);
    if (!is_bitcode(content)) return HIPRTC_ERROR_INVALID_INPUT;
    state->inputs.emplace_back("input" + std::to_string(state->inputs.size()) + ".bc", std::string(content));
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkAddFile(hiprtcLinkState state, hipJitInputType type, const char* path, unsigned int count,
                               hipJitOption* options, void** values) {
    if (!path) return HIPRTC_ERROR_INVALID_INPUT;
    std::FILE* file = std::fopen(path, "rb");
    if (!file) return HIPRTC_ERROR_PROGRAM_CREATION_FAILURE;
    std::string content;
    char buffer[4096];
    for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) content.append(buffer, got);
    std::fclose(file);
    return hiprtcLinkAddData(state, type, content.data(), content.size(), path, count, options, values);
}

hiprtcResult hiprtcLinkComplete(hiprtcLinkState state, void** image, size_t* size) {
    if (!known(state) || !image || !size || state->inputs.empty()) return HIPRTC_ERROR_INVALID_INPUT;
    const std::string hipcc = vrocm::rtc::find_hipcc();
    ScratchFolder folder;
    if (hipcc.empty() || folder.path().empty()) return HIPRTC_ERROR_LINKING;
    std::vector<std::string> arguments = {hipcc, "--genco", "--offload-arch=" + default_target()};
    for (const auto& [name, content] : state->inputs) {
        if (!folder.write(name, content)) return HIPRTC_ERROR_LINKING;
        arguments.push_back(name);
    }
    arguments.insert(arguments.end(), {"-o", "linked.out"});
    const CompilerRun run = vrocm::rtc::run_compiler(arguments, folder.path());
    if (run.exit_code != 0) {
        std::fprintf(stderr, "hiprtcLinkComplete: %s\n", run.output.c_str());
        return HIPRTC_ERROR_LINKING;
    }
    state->output = folder.read("linked.out");
    *image = state->output.data();
    *size = state->output.size();
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcLinkDestroy(hiprtcLinkState state) {
    std::lock_guard lock(live().mutex);
    if (live().links.erase(state) == 0) return HIPRTC_ERROR_INVALID_INPUT;
    delete state;
    return HIPRTC_SUCCESS;
}
}
