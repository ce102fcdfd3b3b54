/* How the compiler is asked for: -X jit, PYTHON_JIT, and for tests SPRINGBOARD_JIT. */
#include "Python.h"
#include "internal/jit.h"
#include "internal/options.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

/* What holds if nothing is said. */
#define USUAL_MODE JIT_ON

int _PyJit_Enabled = JIT_OFF;
unsigned long _PyJit_Seed;
struct _PyJitWarmth _PyJit_Warmth = {JIT_WARM_CALLS, JIT_WARM_LOOPS};
struct _PyJitFigures _PyJit_Figures;

/* How much code there is at most: -X jit_memory, SPRINGBOARD_JIT_MEMORY. Calls of C must reach
   the interpreter from everywhere in it. */
#define USUAL_MEMORY ((size_t)32 << 20)
#define MOST_MEMORY ((size_t)512 << 20)
size_t _PyJit_MemoryLimit = USUAL_MEMORY;

int64_t
_PyJit_Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* From main.c; in other programs there is none. */
extern const char _Py_IsOwnProgram[] __attribute__((weak, visibility("hidden")));

static int has_met_others;

int
_PyJit_IsAlone(void)
{
    return !has_met_others && _Py_IsOwnProgram != NULL && getenv("LD_PRELOAD") == NULL;
}

void (*_PyJit_OnUnwinders)(void);

static void
tell(void)
{
    void (*function)(void) = _PyJit_OnUnwinders;
    _PyJit_OnUnwinders = NULL;
    if (function != NULL) {
        function();
    }
}

void
_PyJit_MeetOthers(void)
{
    has_met_others = 1;
    tell();
}

void *
_PyJit_LibgccFunction(const char *name)
{
    /* It must be that of the shared library, loaded or to be loaded, not of a copy that is
       linked into the program. */
    static void *libgcc;
    if (libgcc == NULL) {
        libgcc = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_LOCAL);
        tell();
    }
    return libgcc == NULL ? NULL : dlsym(libgcc, name);
}

/* The mode that SPRINGBOARD_JIT names; any other text says nothing. */
static int
mode_for_tests(const char *text, int otherwise)
{
    static const struct {
        const char *name;
        int mode;
    } modes[] = {
        {"off", JIT_OFF}, {"on", JIT_ON}, {"eager", JIT_EAGER}, {"steps", JIT_STEPS},
    };
    static const char stress[] = "stress:";
    if (strncmp(text, stress, strlen(stress)) == 0) {
        _PyJit_Seed = strtoul(text + strlen(stress), NULL, 10);
        return JIT_STRESS;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(modes); i++) {
        if (strcmp(text, modes[i].name) == 0) {
            return modes[i].mode;
        }
    }
    return otherwise;
}

uint32_t _PyJit_StressLeft = 1;

uint32_t
_PyJit_Random(uint32_t n)
{
    static uint64_t state;
    state = (state + _PyJit_Seed + 1) * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((state >> 33) % n);
}

/* A number of bytes, kilobytes (K) or megabytes (M); what is none says nothing. */
static size_t
memory_limit(const wchar_t *text)
{
    wchar_t *end;
    unsigned long number = wcstoul(text, &end, 10);
    int shift = *end == L'K' || *end == L'k' ? 10 : *end == L'M' || *end == L'm' ? 20 : 0;
    if (end == text || end[shift != 0] != 0) {
        return USUAL_MEMORY;
    }
    return number > MOST_MEMORY >> shift ? MOST_MEMORY : (size_t)number << shift;
}

static void
configure_memory(const PyConfig *config)
{
    const wchar_t *option = _PyConfig_XOption(config, L"jit_memory");
    const char *variable = getenv("SPRINGBOARD_JIT_MEMORY");
    wchar_t text[32] = L"";
    if (option == NULL && variable != NULL && mbstowcs(text, variable, 31) != (size_t)-1) {
        option = text;
    }
    _PyJit_MemoryLimit = option == NULL ? USUAL_MEMORY : memory_limit(option);
}

void
_PyJit_Configure(const PyConfig *config)
{
    configure_memory(config);
    int mode = USUAL_MODE;
    const char *variable = _PyConfig_Getenv(config, "PYTHON_JIT");
    if (variable != NULL) {
        mode = strtol(variable, NULL, 10) > 0 ? JIT_ON : JIT_OFF;
    }
    const char *text = getenv("SPRINGBOARD_JIT");
    if (text != NULL) {
        mode = mode_for_tests(text, mode);
    }
    const wchar_t *option = _PyConfig_XOption(config, L"jit");
    if (option != NULL) {
        mode = wcscmp(option, L"0") == 0 ? JIT_OFF : mode == JIT_OFF ? JIT_ON : mode;
    }
    _PyJit_Enabled = _PyJit_IsAvailable() ? mode : JIT_OFF;
    if (mode == JIT_STRESS && config->verbose) {
        fprintf(stderr, "# machine code: stress:%lu\n", _PyJit_Seed);
    }
    if (mode > JIT_ON) {
        _PyJit_Warmth = (struct _PyJitWarmth){.calls = 1, .loops = 1, .hurries = 1};
    }
    else if (text != NULL) {
        _PyJit_Warmth = (struct _PyJitWarmth){
            .calls = JIT_SOON_CALLS, .loops = JIT_SOON_LOOPS, .hurries = 1,
        };
    }
    else {
        _PyJit_Warmth = (struct _PyJitWarmth){
            .calls = JIT_WARM_CALLS, .loops = JIT_WARM_LOOPS,
            .settles = _PyJit_Now() + JIT_SETTLED_NS,
        };
    }
}

#ifdef SB_NO_JIT
/* ------------------------------------------------- configure --disable-jit

   In place of the compiler. No code object has machine code, so most of this is never called. */

PyJitCode *_PyJit_Installed, *_PyJit_Retired;
void (*_PyJit_Publish)(PyJitCode *);
int _PyJit_ShowsScopes;
long _PyJit_Running;

int
_PyJit_IsAvailable(void)
{
    return 0;
}

int
_PyJit_IsEnabled(void)
{
    return 0;
}

void
_PyJit_LearnDiesAlone(const PyTypeObject *Py_UNUSED(type),
                      int (*dies_alone)(PyObject *))
{
    (void)dies_alone;
}

void
_PyJit_LearnOfClasses(const unsigned long long *Py_UNUSED(registrations),
                      int (*is_known_not)(PyObject *, PyTypeObject *))
{
    (void)is_known_not;
}

void
_PyJit_ShowInlined(void)
{
}

int
_PyJit_IsRunning(const PyVMFrame *Py_UNUSED(f))
{
    return 0;
}

int
_PyJit_Warm(PyThreadState *Py_UNUSED(ts), PyVMFrame *Py_UNUSED(f), const PyInstr *Py_UNUSED(ip))
{
    return 0;
}

void
_PyJit_Free(PyVMCode *Py_UNUSED(code))
{
}

void
_PyJit_FreeRetired(void)
{
}

void
_PyJit_AfterForkChild(PyThreadState *Py_UNUSED(ts))
{
}

JitCodeRange
_PyJit_CodeRange(void)
{
    return (JitCodeRange){0, 0};
}

size_t
_PyJit_FrameSize(uintptr_t Py_UNUSED(address))
{
    return 0;
}

void
_PyJit_TellMemory(void)
{
}

void
_PyJit_FillFrameInfo(char *Py_UNUSED(to), const PyJitFrameInfo *Py_UNUSED(info),
                     ptrdiff_t Py_UNUSED(code))
{
}
#endif
