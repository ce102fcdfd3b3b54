/* What `python` does once it is configured: runs a command, a module, a file, a directory
   or zip file, standard input, or the interactive prompt, and then turns the outcome into
   an exit status. */
#include "Python.h"
#include "internal/config.h"
#include "internal/errors.h"
#include "internal/fileutils.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/runtime.h"

#include "marshal.h"

#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Prints the current exception. SystemExit sets the exit status. */
static int
report_exception(void)
{
    int code;
    if (_Py_HandleSystemExit(&code)) {
        return code;
    }
    PyErr_Print();
    return 1;
}

/* sys.path[0]: the program's directory, unless that is unsafe. Returns a new reference. */
static int
prepend_path(PyObject *dir)
{
    PyObject *path = PySys_GetObject("path");
    if (path == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "unable to get sys.path");
        return -1;
    }
    return PyList_Insert(path, 0, dir);
}

/* The directory of the script, with links resolved; "" for stdin and -c. Not inlined: its
   buffers would stay on the stack for as long as the program runs, and they are as large
   as the part of the stack that `perf record --call-graph dwarf` copies. */
__attribute__((noinline)) static PyObject *
script_directory(const wchar_t *argv0, int is_module)
{
    char name[PATH_MAX], real[PATH_MAX];
    if (is_module) {
        return getcwd(real, sizeof(real)) == NULL ? PyUnicode_FromString("")
                                                  : PyUnicode_DecodeFSDefault(real);
    }
    if (argv0 == NULL || wcscmp(argv0, L"-c") == 0 || argv0[0] == L'\0'
        || wcscmp(argv0, L"-") == 0) {
        return PyUnicode_FromString("");
    }
    size_t error;
    char *bytes = Py_EncodeLocale(argv0, &error);
    if (bytes == NULL) {
        return PyUnicode_FromString("");
    }
    PyOS_snprintf(name, sizeof(name), "%s", bytes);
    PyMem_Free(bytes);
    if (realpath(name, real) == NULL) {
        PyOS_snprintf(real, sizeof(real), "%s", name);
    }
    char *slash = strrchr(real, '/');
    if (slash == NULL) {
        real[0] = '\0';
    }
    else if (slash == real) {
        real[1] = '\0';
    }
    else {
        *slash = '\0';
    }
    return PyUnicode_DecodeFSDefault(real);
}

/* An importer for a directory or zip file that holds __main__. Returns a new reference,
   or NULL, perhaps without an exception. */
static PyObject *
importer_of(const wchar_t *filename)
{
    PyObject *path = PyUnicode_FromWideChar(filename, -1);
    PyObject *importer = path == NULL ? NULL : PyImport_GetImporter(path);
    if (importer == NULL || importer == Py_None) {
        Py_XDECREF(importer);
        Py_XDECREF(path);
        return NULL;
    }
    Py_DECREF(importer);
    return path;
}

static int
run_module(const wchar_t *name, int set_argv0)
{
    PyObject *runpy = NULL, *run = NULL, *text = NULL, *r = NULL;
    if (PySys_Audit("cpython.run_module", "u", name) == 0
        && (runpy = PyImport_ImportModule("runpy")) != NULL
        && (run = PyObject_GetAttrString(runpy, "_run_module_as_main")) != NULL
        && (text = PyUnicode_FromWideChar(name, -1)) != NULL) {
        r = PyObject_CallFunctionObjArgs(run, text, set_argv0 ? Py_True : Py_False, NULL);
        _Py_UnhandledKeyboardInterrupt = r == NULL
            && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    }
    Py_XDECREF(runpy);
    Py_XDECREF(run);
    Py_XDECREF(text);
    if (r == NULL) {
        return report_exception();
    }
    Py_DECREF(r);
    return 0;
}

static int
run_command(const wchar_t *command, PyCompilerFlags *flags)
{
    PyObject *text = PyUnicode_FromWideChar(command, -1);
    if (text == NULL || PySys_Audit("cpython.run_command", "O", text) < 0) {
        Py_XDECREF(text);
        return report_exception();
    }
    PyObject *bytes = PyUnicode_AsUTF8String(text);
    Py_DECREF(text);
    if (bytes == NULL) {
        PySys_WriteStderr("Unable to decode the command from the command line:\n");
        return report_exception();
    }
    PyObject *main = PyImport_AddModule("__main__");
    PyObject *dict = main == NULL ? NULL : PyModule_GetDict(main);
    PyObject *r = NULL;
    if (dict != NULL) {
        PyCompilerFlags with = *flags;
        with.cf_flags |= PyCF_IGNORE_COOKIE;
        Py_INCREF(main);        /* the program may remove it from sys.modules */
        r = PyRun_StringFlags(PyBytes_AS_STRING(bytes), Py_file_input, dict, dict, &with);
        Py_DECREF(main);
    }
    Py_DECREF(bytes);
    if (r == NULL) {
        return report_exception();
    }
    Py_DECREF(r);
    return 0;
}

/* Sets __main__.__file__ while a file runs. */
static int
set_main_file(PyObject *dict, PyObject *filename)
{
    int rc = PyDict_SetItemString(dict, "__file__", filename);
    if (rc == 0) {
        rc = PyDict_SetItemString(dict, "__cached__", Py_None);
    }
    return rc;
}

/* Sets __main__'s loader: SourceFileLoader, or SourcelessFileLoader. */
static int
set_main_loader(PyObject *dict, PyObject *filename, const char *kind)
{
    PyObject *external = PyObject_GetAttrString(_PyInterpreterState_GET()->importlib,
                                                "_bootstrap_external");
    PyObject *type = external == NULL ? NULL : PyObject_GetAttrString(external, kind);
    PyObject *loader = type == NULL ? NULL
        : PyObject_CallFunction(type, "sO", "__main__", filename);
    int rc = loader == NULL ? -1 : PyDict_SetItem(dict, _Py_NAME(dunder_loader), loader);
    Py_XDECREF(external);
    Py_XDECREF(type);
    Py_XDECREF(loader);
    return rc;
}

static int
is_pyc(const char *name, FILE *f)
{
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".pyc") == 0) {
        return 1;
    }
    unsigned char magic[2];
    long here = ftell(f);
    int yes = 0;
    struct stat st;
    if (here == 0 && fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode)) {
        long want = PyImport_GetMagicNumber() & 0xFFFF;
        yes = fread(magic, 1, 2, f) == 2
            && (long)(magic[0] | magic[1] << 8) == want;
        rewind(f);
    }
    return yes;
}

static PyObject *
run_pyc(FILE *f, PyObject *dict, PyCompilerFlags *flags)
{
    if (PyMarshal_ReadLongFromFile(f) != PyImport_GetMagicNumber()) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_RuntimeError, "Bad magic number in .pyc file");
        }
        return NULL;
    }
    for (int i = 0; i < 3; i++) {
        (void)PyMarshal_ReadLongFromFile(f);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    PyObject *code = PyMarshal_ReadLastObjectFromFile(f);
    if (code == NULL || !PyCode_Check(code)) {
        Py_XDECREF(code);
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_RuntimeError, "Bad code object in .pyc file");
        }
        return NULL;
    }
    PyObject *r = PyEval_EvalCode(code, dict, dict);
    if (r != NULL) {
        flags->cf_flags |= ((PyCodeObject *)code)->co_flags & PyCF_MASK;
    }
    Py_DECREF(code);
    return r;
}

int
_PyRun_SimpleFileObject(FILE *f, PyObject *filename, int closeit, PyCompilerFlags *flags)
{
    PyObject *main = PyImport_AddModule("__main__");
    if (main == NULL) {
        return -1;
    }
    /* The program may remove __main__ from sys.modules. */
    Py_INCREF(main);
    PyObject *dict = PyModule_GetDict(main), *r = NULL;
    PyObject *bytes = PyUnicode_EncodeFSDefault(filename);
    int own_file = 0;
    if (bytes == NULL) {
        goto done;
    }
    if (PyDict_GetItemString(dict, "__file__") == NULL) {
        if (set_main_file(dict, filename) < 0) {
            goto done;
        }
        own_file = 1;
    }
    int pyc = is_pyc(PyBytes_AS_STRING(bytes), f);
    if (strcmp(PyBytes_AS_STRING(bytes), "<stdin>") != 0
        && set_main_loader(dict, filename,
                           pyc ? "SourcelessFileLoader" : "SourceFileLoader") < 0) {
        goto done;
    }
    if (pyc) {
        r = run_pyc(f, dict, flags);
        if (closeit) {
            fclose(f);
        }
    }
    else {
        r = _PyRun_FileObject(f, filename, Py_file_input, dict, dict, closeit, flags);
    }
done:
    Py_XDECREF(bytes);
    if (own_file && PyErr_Occurred() == NULL) {
        if (PyDict_DelItemString(dict, "__file__") < 0
            || PyDict_DelItemString(dict, "__cached__") < 0) {
            PyErr_Clear();
        }
    }
    Py_DECREF(main);
    if (r == NULL) {
        return -1;
    }
    Py_DECREF(r);
    return 0;
}

static int
run_file(const PyConfig *config, PyCompilerFlags *flags)
{
    PyObject *filename = PyUnicode_FromWideChar(config->run_filename, -1);
    if (filename == NULL || PySys_Audit("cpython.run_file", "O", filename) < 0) {
        Py_XDECREF(filename);
        return report_exception();
    }
    FILE *f = _Py_fopen_obj(filename, "rb");
    if (f == NULL) {
        int err = errno;
        PyErr_Clear();
        PySys_FormatStderr("%S: can't open file %R: [Errno %d] %s\n",
                           PySys_GetObject("executable"), filename, err, strerror(err));
        Py_DECREF(filename);
        return 2;
    }
    struct stat st;
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        PySys_FormatStderr("%S: %R is a directory, cannot continue\n",
                           PySys_GetObject("executable"), filename);
        fclose(f);
        Py_DECREF(filename);
        return 1;
    }
    if (config->skip_source_first_line) {
        int c;
        while ((c = getc(f)) != EOF && c != '\n') {
        }
        ungetc('\n', f);
    }
    if (Py_MakePendingCalls() < 0) {
        fclose(f);
        Py_DECREF(filename);
        return report_exception();
    }
    int rc = _PyRun_SimpleFileObject(f, filename, 1, flags);
    Py_DECREF(filename);
    return rc < 0 ? report_exception() : 0;
}

/* -------------------------------------------------------------- interactive */

static int
stdin_is_interactive(const PyConfig *config)
{
    return isatty(fileno(stdin)) || config->interactive > 0;
}

static void
run_startup_file(const PyConfig *config, PyCompilerFlags *flags)
{
    const char *startup = _PyConfig_Getenv(config, "PYTHONSTARTUP");
    if (startup == NULL || PySys_Audit("cpython.run_startup", "s", startup) < 0) {
        PyErr_Clear();
        return;
    }
    PyObject *filename = PyUnicode_DecodeFSDefault(startup);
    FILE *f = filename == NULL ? NULL : _Py_fopen_obj(filename, "r");
    if (f == NULL) {
        int err = errno;
        PyErr_Clear();
        PySys_WriteStderr("Could not open PYTHONSTARTUP\n");
        errno = err;
        if (filename != NULL) {
            PyErr_SetFromErrnoWithFilenameObjects(PyExc_OSError, filename, NULL);
            PyErr_Print();
        }
    }
    else if (_PyRun_SimpleFileObject(f, filename, 1, flags) < 0) {
        PyErr_Print();
    }
    PyErr_Clear();
    Py_XDECREF(filename);
}

static void
run_interactive_hook(void)
{
    PyObject *hook = PySys_GetObject("__interactivehook__");
    if (hook == NULL) {
        return;
    }
    if (PySys_Audit("cpython.run_interactivehook", "O", hook) == 0) {
        PyObject *r = PyObject_CallNoArgs(hook);
        if (r != NULL) {
            Py_DECREF(r);
            return;
        }
    }
    PySys_WriteStderr("Failed calling sys.__interactivehook__\n");
    PyErr_Print();
    PyErr_Clear();
}

static void
print_banner(const PyConfig *config)
{
    if (config->quiet) {
        return;
    }
    if (!config->verbose && !stdin_is_interactive(config)) {
        return;
    }
    fprintf(stderr, "Springboard: Python %s on %s\n", Py_GetVersion(), Py_GetPlatform());
    if (config->site_import) {
        fputs("Type \"help\", \"copyright\", \"credits\" or \"license\" for more information.\n",
              stderr);
    }
}

static int
run_stdin(PyConfig *config, PyCompilerFlags *flags)
{
    if (stdin_is_interactive(config)) {
        config->inspect = 0;
        Py_InspectFlag = 0;
        run_startup_file(config, flags);
        run_interactive_hook();
    }
    if (Py_MakePendingCalls() < 0) {
        return report_exception();
    }
    if (PySys_Audit("cpython.run_stdin", NULL) < 0) {
        return report_exception();
    }
    int rc = PyRun_AnyFileExFlags(stdin, "<stdin>", 0, flags);
    return rc != 0;
}

/* -i, or PYTHONINSPECT set by the program: shows a prompt when the program has ended. */
static void
run_inspect(PyConfig *config, PyCompilerFlags *flags, int *code)
{
    if (!Py_InspectFlag && _PyConfig_Getenv(config, "PYTHONINSPECT") != NULL) {
        Py_InspectFlag = 1;
    }
    if (!(Py_InspectFlag && stdin_is_interactive(config))) {
        return;
    }
    if (config->run_filename == NULL && config->run_command == NULL
        && config->run_module == NULL) {
        return;
    }
    config->inspect = 0;
    Py_InspectFlag = 0;
    run_interactive_hook();
    *code = PyRun_AnyFileFlags(stdin, "<stdin>", flags) != 0;
}

static int
run_program(PyThreadState *tstate)
{
    PyConfig *config = &tstate->interp->config;
    PyCompilerFlags flags = _PyCompilerFlags_INIT;
    PyObject *main_path = NULL;
    int code;
    if (config->run_filename != NULL) {
        main_path = importer_of(config->run_filename);
        if (main_path == NULL && PyErr_Occurred()) {
            return report_exception();
        }
    }
    if (main_path != NULL) {
        if (prepend_path(main_path) < 0) {
            return report_exception();
        }
        Py_DECREF(main_path);
    }
    else if (!config->safe_path) {
        PyObject *argv = PySys_GetObject("argv");
        const wchar_t *argv0 = config->argv.length > 0 && argv != NULL
            ? config->argv.items[0] : NULL;
        PyObject *dir = script_directory(argv0, config->run_module != NULL);
        if (dir == NULL || prepend_path(dir) < 0) {
            return report_exception();
        }
        Py_DECREF(dir);
    }
    if (config->run_command == NULL && config->run_module == NULL
        && config->run_filename == NULL) {
        print_banner(config);
        if (stdin_is_interactive(config)) {
            PyObject *readline = PyImport_ImportModule("readline");
            if (readline == NULL) {
                PyErr_Clear();
            }
            Py_XDECREF(readline);
        }
    }
    if (config->run_command != NULL) {
        code = run_command(config->run_command, &flags);
    }
    else if (config->run_module != NULL) {
        code = run_module(config->run_module, 1);
    }
    else if (main_path != NULL) {
        code = run_module(L"__main__", 0);
    }
    else if (config->run_filename != NULL) {
        code = run_file(config, &flags);
    }
    else {
        code = run_stdin(config, &flags);
    }
    run_inspect(config, &flags, &code);
    return code;
}

int _Py_UnhandledKeyboardInterrupt;

int
Py_RunMain(void)
{
    int code = run_program(_PyThreadState_GET());
    if (_Py_FinalizeProcess() < 0) {
        code = 120;
    }
    if (_Py_UnhandledKeyboardInterrupt) {       /* die from the signal */
        signal(SIGINT, SIG_DFL);
        kill(getpid(), SIGINT);
        code = SIGINT + 128;
    }
    return code;
}

/* -V, -h and wrong options need no interpreter. Returns 1 when they are done. */
static int
answer_request(const PyConfig *config, int *code)
{
    const wchar_t *program = config->program_name ? config->program_name : L"python";
    if (_PyConfig_Request.usage_error) {
        _PyConfig_Usage(1, program);
        *code = 2;
        return 1;
    }
    if (_PyConfig_Request.print_help) {
        _PyConfig_Usage(0, program);
        *code = 0;
        return 1;
    }
    if (_PyConfig_Request.print_version) {
        printf("Python %s\n",
               _PyConfig_Request.print_version >= 2 ? Py_GetVersion() : PY_VERSION);
        *code = 0;
        return 1;
    }
    return 0;
}

static int
run_with_config(PyConfig *config)
{
    int code;
    PyStatus status = PyConfig_Read(config);
    if (!PyStatus_Exception(status)) {
        if (answer_request(config, &code)) {
            PyConfig_Clear(config);
            return code;
        }
        status = Py_InitializeFromConfig(config);
    }
    PyConfig_Clear(config);
    if (PyStatus_IsExit(status)) {
        return status.exitcode;
    }
    if (PyStatus_Exception(status)) {
        Py_ExitStatusException(status);
    }
    return Py_RunMain();
}

const int _PySpringboard_Library = 1;

int
Py_BytesMain(int argc, char **argv)
{
    PyConfig config;
    _PyRuntime_Initialize();
    PyConfig_InitPythonConfig(&config);
    PyStatus status = PyConfig_SetBytesArgv(&config, argc, argv);
    if (PyStatus_Exception(status)) {
        Py_ExitStatusException(status);
    }
    return run_with_config(&config);
}

int
Py_Main(int argc, wchar_t **argv)
{
    PyConfig config;
    _PyRuntime_Initialize();
    PyConfig_InitPythonConfig(&config);
    PyStatus status = PyConfig_SetArgv(&config, argc, argv);
    if (PyStatus_Exception(status)) {
        Py_ExitStatusException(status);
    }
    return run_with_config(&config);
}

/* For a program that consists of PyImport_FrozenModules only: runs its __main__. */
static int
run_frozen(void)
{
    int rc = PyImport_ImportFrozenModule("__main__");
    if (rc == 0) {
        Py_FatalError("the __main__ module is not frozen");
    }
    int code = rc < 0 ? report_exception() : 0;
    if (Py_InspectFlag && isatty(fileno(stdin))) {
        code = PyRun_AnyFile(stdin, "<stdin>") != 0;
    }
    return code;
}

int
Py_FrozenMain(int argc, char **argv)
{
    PyConfig config;
    _PyRuntime_Initialize();
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = 0;
    config.pathconfig_warnings = 0;
    const char *inspect = getenv("PYTHONINSPECT"), *unbuffered = getenv("PYTHONUNBUFFERED");
    config.inspect = inspect != NULL && *inspect != '\0';
    config.buffered_stdio = unbuffered == NULL || *unbuffered == '\0';
    PyStatus status = PyConfig_SetBytesArgv(&config, argc, argv);
    if (!PyStatus_Exception(status)) {
        status = Py_InitializeFromConfig(&config);
    }
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) {
        Py_ExitStatusException(status);
    }
    int code = run_frozen();
    return _Py_FinalizeProcess() < 0 ? 120 : code;
}
