/* The texts of -h, --help-env and --help-xoptions. */
#include "Python.h"
#include "internal/runtime.h"
#include "internal/config.h"

#include <stdio.h>

static const char usage_line[] =
    "usage: %ls [option] ... [-c cmd | -m mod | file | -] [arg] ...\n";

static const char help_options[] =
"Options (and corresponding environment variables):\n"
"-b     : warn about str(bytes), str(bytearray) and comparisons of bytes with\n"
"         str (-bb: make them errors)\n"
"-B     : don't write .pyc files on import; also PYTHONDONTWRITEBYTECODE=x\n"
"-c cmd : run a program given as text (ends the options)\n"
"-d     : parser debugging output; also PYTHONDEBUG=x\n"
"-E     : ignore PYTHON* environment variables\n"
"-h     : print this help and exit (also -? or --help)\n"
"-i     : be interactive after the script; prompt even if stdin is no terminal;\n"
"         also PYTHONINSPECT=x\n"
"-I     : isolate from the user's environment (implies -E, -P and -s)\n"
"-m mod : run a library module as a script (ends the options)\n"
"-O     : leave out assert statements and __debug__ code; .pyc files get\n"
"         .opt-1; also PYTHONOPTIMIZE=x\n"
"-OO    : as -O, and without docstrings; .opt-2\n"
"-P     : don't put a potentially unsafe directory first on sys.path; also\n"
"         PYTHONSAFEPATH\n"
"-q     : no version and copyright messages at an interactive start\n"
"-s     : leave the user's site directory out of sys.path; also PYTHONNOUSERSITE\n"
"-S     : don't import site at start-up\n"
"-u     : unbuffered stdout and stderr; also PYTHONUNBUFFERED=x\n"
"-v     : trace imports; more with each repetition; also PYTHONVERBOSE=x\n"
"-V     : print the version and exit (also --version); -VV tells more\n"
"-W arg : control of warnings, action:message:category:module:lineno;\n"
"         also PYTHONWARNINGS=arg\n"
"-x     : skip the first line of the source, for non-Unix forms of #!cmd\n"
"-X opt : an option of this implementation, see --help-xoptions\n"
"--check-hash-based-pycs always|default|never:\n"
"         how hash-based .pyc files are validated\n"
"--help-env      : help on environment variables\n"
"--help-xoptions : help on -X options\n"
"--help-all      : all the help there is\n"
"Arguments:\n"
"file   : program read from a script file, a directory or a zip file\n"
"-      : program read from stdin (default; interactive on a terminal)\n"
"arg ...: arguments, passed on in sys.argv[1:]\n";

static const char help_env[] =
"Environment variables that change behavior:\n"
"PYTHONSTARTUP: file run at an interactive start (no default)\n"
"PYTHONPATH: directories, separated by ':', put before the default sys.path\n"
"PYTHONSAFEPATH: as -P\n"
"PYTHONHOME: another prefix; the library is in <prefix>/lib/python3.11\n"
"PYTHONPLATLIBDIR: another sys.platlibdir\n"
"PYTHONUTF8: 1 turns UTF-8 mode on, 0 off\n"
"PYTHONIOENCODING: encoding[:errors] of stdin, stdout and stderr\n"
"PYTHONFAULTHANDLER: dump the Python traceback on fatal errors\n"
"PYTHONHASHSEED: 'random', or a number from 0 to 4294967295 that seeds the\n"
"   hashes of str and bytes\n"
"PYTHONINTMAXSTRDIGITS: limit on digits when converting between int and str;\n"
"   0 for none\n"
"PYTHONMALLOC: allocator; 'debug' adds checks\n"
"PYTHONCOERCECLOCALE: 0 leaves the C locale alone, 'warn' reports coercion\n"
"PYTHONBREAKPOINT: what breakpoint() calls; 0 for nothing\n"
"PYTHONDEVMODE: development mode\n"
"PYTHONPYCACHEPREFIX: root of a parallel tree for .pyc files\n"
"PYTHONWARNDEFAULTENCODING: warn where text files are opened without encoding\n"
"PYTHONNODEBUGRANGES: no columns in tracebacks\n"
"PYTHONPERFSUPPORT: 1 shows Python functions to perf, as -X perf\n"
"PYTHON_BYTECODE_CACHE: 0 or a folder, as -X bytecode_cache\n"
"PYTHON_JIT: 1 compiles to machine code, 0 does not, as -X jit\n"
"PYTHON_PERF_JIT_SUPPORT: 1 the same through jitdump, as -X perf_jit\n"
"Variables with an equivalent option:\n"
"PYTHONDEBUG             : -d\n"
"PYTHONDONTWRITEBYTECODE : -B\n"
"PYTHONINSPECT           : -i\n"
"PYTHONINTMAXSTRDIGITS   : -X int_max_str_digits=number\n"
"PYTHONNOUSERSITE        : -s\n"
"PYTHONOPTIMIZE          : -O\n"
"PYTHONUNBUFFERED        : -u\n"
"PYTHONVERBOSE           : -v\n"
"PYTHONWARNINGS=arg      : -W arg\n";

static const char help_xoptions[] =
"The following implementation-specific options are available:\n"
"-X bytecode_cache=[0|DIR]: the user's cache of bytecode is off, or in DIR\n"
"-X dev: development mode: more warnings, debug hooks on memory, faulthandler\n"
"-X faulthandler: dump the Python traceback on fatal errors\n"
"-X frozen_modules=[on|off]: whether frozen modules are used\n"
"-X importtime: show how long each import takes\n"
"-X int_max_str_digits=number: limit on int <-> str conversions; 0 for none\n"
"-X jit=[0|1]: whether functions that run often are compiled to machine code\n"
"-X jit_memory=SIZE: at most so much machine code, for example 32M\n"
"-X no_debug_ranges: no columns in tracebacks\n"
"-X perf: show Python functions to Linux perf through /tmp/perf-PID.map\n"
"-X perf_jit: the same through /tmp/jit-PID.dump, with DWARF unwinding\n"
"-X pycache_prefix=PATH: root of a parallel tree for .pyc files\n"
"-X showrefcount: print the number of memory blocks at exit\n"
"-X tracemalloc[=NFRAME]: trace memory allocations\n"
"-X utf8[=0|1]: UTF-8 mode on or off\n"
"-X warn_default_encoding: warn where text files are opened without encoding\n";

void
_PyConfig_Usage(int error, const wchar_t *program)
{
    FILE *f = error ? stderr : stdout;
    if (error) {
        fprintf(f, usage_line, program);
        fputs("Try `python -h' for more information.\n", f);
        return;
    }
    int what = _PyConfig_Request.print_help;
    if (what == 1 || what == 4) {
        fprintf(f, usage_line, program);
        fputs(help_options, f);
    }
    if (what == 2 || what == 4) {
        fputs(help_env, f);
    }
    if (what == 3 || what == 4) {
        fputs(help_xoptions, f);
    }
}
