/* How the compiler is asked for: -X jit, PYTHON_JIT, and for tests SPRINGBOARD_JIT. */
#include "Python.h"
#include "internal/jit.h"
#include "internal/options.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

/* What holds if nothing is said. */
#define USUAL_MODE JIT_OFF

int _PyJit_Enabled = JIT_OFF;
unsigned long _PyJit_Seed;
struct _PyJitWarmth _PyJit_Warmth = {JIT_WARM_CALLS, JIT_WARM_LOOPS, 0, 0};

int64_t
_PyJit_Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
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

void
_PyJit_Configure(const PyConfig *config)
{
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
    _PyJit_Enabled = mode;
    if (mode > JIT_ON) {
        _PyJit_Warmth = (struct _PyJitWarmth){1, 1, 0, 1};
    }
    else {
        _PyJit_Warmth = (struct _PyJitWarmth){
            JIT_WARM_CALLS, JIT_WARM_LOOPS, text != NULL ? 0 : _PyJit_Now() + JIT_EARLY_NS,
            text != NULL,
        };
    }
}
