/* Where things are: sys.executable, the prefixes and sys.path.

   We use the standard library of a CPython installation (configure --with-stdlib). The
   prefix is the directory above its lib/python3.11, so that packages which Debian
   installs for its python3 can be imported. Our own Python modules come first on the
   path, from one directory: pylib/ beside the program in a build tree,
   lib/springboard3.11 below the prefix when installed. The search for it starts at the
   real location of the program or the library, so that an installation may be moved.
   PYTHONHOME sets another prefix, or PREFIX:EXEC_PREFIX, whose libraries are below
   sys.platlibdir. A virtual environment (pyvenv.cfg beside the executable or one
   directory above) changes sys.prefix in `site`, as in CPython. */
#include "Python.h"
#include "internal/config.h"
#include "internal/fileutils.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY(call) do { PyStatus s_ = (call); if (PyStatus_Exception(s_)) return s_; } while (0)

static int
is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static int
is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Cuts the last component. The result is "" at the end. */
static void
to_parent(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    else {
        path[0] = '\0';
    }
}

/* The program's absolute path, without resolving symbolic links: from its name if that
   has a slash, else from $PATH. "" when it can't be found. */
static void
find_executable(const char *name, char out[PATH_MAX])
{
    out[0] = '\0';
    if (name == NULL || name[0] == '\0') {
        return;
    }
    if (strchr(name, '/') != NULL) {
        char cwd[PATH_MAX];
        if (name[0] == '/' || getcwd(cwd, sizeof(cwd)) == NULL) {
            snprintf(out, PATH_MAX, "%s", name);
        }
        else {
            while (name[0] == '.' && name[1] == '/') {
                name += 2;
            }
            int n = snprintf(out, PATH_MAX, "%s/%s", cwd, name);
            if (n >= PATH_MAX) {
                out[0] = '\0';
            }
        }
        return;
    }
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        const char *end = strchrnul(path, ':');
        int n = snprintf(out, PATH_MAX, "%.*s/%s", (int)(end - path), path, name);
        if (n < PATH_MAX && is_file(out) && access(out, X_OK) == 0) {
            return;
        }
        path = *end ? end + 1 : NULL;
    }
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    out[n < 0 ? 0 : n] = '\0';
}

static PyStatus
set_bytes(PyConfig *config, wchar_t **field, const char *text)
{
    return *field != NULL ? PyStatus_Ok() : PyConfig_SetBytesString(config, field, text);
}

/* Reads pyvenv.cfg: "home = DIR" is the directory of the base executable, and "executable
   = FILE" its name with all links resolved. */
typedef struct {
    char home[PATH_MAX];
    char executable[PATH_MAX];
} Venv;

static int
read_venv(const char *dir, Venv *venv)
{
    char path[PATH_MAX + 16], line[PATH_MAX + 64];
    snprintf(path, sizeof(path), "%s/pyvenv.cfg", dir);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        return 0;
    }
    venv->home[0] = venv->executable[0] = '\0';
    while (fgets(line, sizeof(line), f) != NULL) {
        char *eq = strchr(line, '=');
        if (eq == NULL) {
            continue;
        }
        char key[64] = "";
        sscanf(line, " %63[^ =\t]", key);
        char *value = eq + 1 + strspn(eq + 1, " \t");
        value[strcspn(value, "\r\n")] = '\0';
        char *field = strcasecmp(key, "home") == 0 ? venv->home
            : strcasecmp(key, "executable") == 0 ? venv->executable : NULL;
        if (field != NULL) {
            snprintf(field, PATH_MAX, "%s", value);
        }
    }
    fclose(f);
    return 1;
}

static PyStatus
add_path(PyConfig *config, const char *path)
{
    wchar_t *wide = NULL;
    TRY(PyConfig_SetBytesString(config, &wide, path));
    PyStatus status = PyWideStringList_Append(&config->module_search_paths, wide);
    PyMem_RawFree(wide);
    return status;
}

/* Like os.path.abspath: removes "." and "..". */
static PyStatus
add_normal_path(PyConfig *config, const char *path)
{
    wchar_t *wide = NULL;
    TRY(PyConfig_SetBytesString(config, &wide, path));
    PyStatus status = PyWideStringList_Append(&config->module_search_paths,
                                              _Py_normpath(wide, (Py_ssize_t)wcslen(wide)));
    PyMem_RawFree(wide);
    return status;
}

/* The directories of a colon-separated path. */
static PyStatus
add_search_path(PyConfig *config, const wchar_t *p)
{
    while (p != NULL) {
        const wchar_t *end = wcschr(p, L':');
        size_t n = end == NULL ? wcslen(p) : (size_t)(end - p);
        wchar_t *part = PyMem_RawMalloc((n + 1) * sizeof(wchar_t));
        if (part == NULL) {
            return PyStatus_NoMemory();
        }
        wmemcpy(part, p, n);
        part[n] = L'\0';
        PyStatus status = PyWideStringList_Append(&config->module_search_paths, part);
        PyMem_RawFree(part);
        TRY(status);
        p = end == NULL ? NULL : end + 1;
    }
    return PyStatus_Ok();
}

/* The executable that a virtual environment was made from: the one with the same name as
   the environment's executable, or any that exists. */
static void
venv_base(const Venv *venv, const char *exe, char out[PATH_MAX])
{
    const char *slash = strrchr(exe, '/');
    const char *const names[] = {slash != NULL ? slash + 1 : exe, "python", "springboard3.11"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        int n = snprintf(out, PATH_MAX, "%s/%s", venv->home, names[i]);
        if (n < PATH_MAX && is_file(out)) {
            return;
        }
    }
    snprintf(out, PATH_MAX, "%s", is_file(venv->executable) ? venv->executable : exe);
}

/* The directory of our own modules, found from one of our files: the program in a build
   tree or in bin/ (to which the links in lib/springboard3.11/bin resolve), or the library
   in lib/ or lib/TRIPLET. */
static int
own_lib_near(const char *file, char out[PATH_MAX])
{
    static const char *const places[] = {
        "../lib/springboard3.11", "springboard3.11", "../springboard3.11", "pylib",
    };
    char dir[PATH_MAX];
    if (file == NULL || file[0] == '\0' || realpath(file, dir) == NULL) {
        return 0;
    }
    to_parent(dir);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(places); i++) {
        const char *place = places[i];
        char base[PATH_MAX];
        snprintf(base, sizeof(base), "%s", dir);
        if (strncmp(place, "../", 3) == 0) {
            to_parent(base);
            place += 3;
        }
        int n = snprintf(out, PATH_MAX, "%s/%s", base, place);
        if (n < PATH_MAX && is_dir(out)) {
            return 1;
        }
    }
    return 0;
}

/* A copied program (venv --copies) is found by its base executable, a program that embeds
   us by the library. If neither is in one of our directories, returns 0 with the
   directory that was configured. */
static int
find_own_lib(const char *base_executable, char out[PATH_MAX])
{
    Dl_info info;
    if (own_lib_near(base_executable, out) || own_lib_near("/proc/self/exe", out)
        || (dladdr((void *)&Py_IsInitialized, &info) != 0 && own_lib_near(info.dli_fname, out))) {
        return 1;
    }
    snprintf(out, PATH_MAX, "%s", is_dir(SB_OWN_LIB) ? SB_OWN_LIB : SB_SRCDIR "/Lib/python");
    return 0;
}

static char library_cache[PATH_MAX + 16];

const char *
_PyConfig_LibraryCache(void)
{
    return library_cache;
}

/* The directories from which sys.path and the prefixes are made. */
typedef struct {
    char stdlib[PATH_MAX + 32], dynload[PATH_MAX + 32];
    char prefix[PATH_MAX + 32], exec_prefix[PATH_MAX + 32];
} Places;

/* DIR/PLATLIBDIR/python3.11 and the directories below it. 0 if a path is too long. */
static int
library_of(const char *dir, const char *platlibdir, const char *below, char out[PATH_MAX])
{
    size_t n = strlen(dir);
    const char *slash = n > 0 && dir[n - 1] == '/' ? "" : "/";
    return snprintf(out, PATH_MAX, "%s%s%s/python3.11%s", dir, slash, platlibdir, below) < PATH_MAX;
}

/* The library of the prefix into which the program was copied: the nearest directory
   above it, other than the root, with a lib/python3.11/os.py. */
static int
find_library_above(const char *executable, const char *platlibdir, char out[PATH_MAX])
{
    char dir[PATH_MAX], landmark[PATH_MAX];
    snprintf(dir, sizeof(dir), "%s", executable);
    for (to_parent(dir); dir[0] != '\0'; to_parent(dir)) {
        if (library_of(dir, platlibdir, "/os.py", landmark) && is_file(landmark)) {
            to_parent(landmark);
            snprintf(out, PATH_MAX, "%s", landmark);
            return 1;
        }
    }
    return 0;
}

static PyStatus
read_executables(PyConfig *config, char exe[PATH_MAX], char base[PATH_MAX])
{
    char dir[PATH_MAX], name[PATH_MAX] = "";
    TRY(set_bytes(config, &config->program_name, "python3"));
    if (config->executable == NULL) {
        if (wcstombs(name, config->program_name, sizeof(name)) == (size_t)-1) {
            name[0] = '\0';
        }
        find_executable(name, exe);
        TRY(set_bytes(config, &config->executable, exe));
    }
    else if (wcstombs(exe, config->executable, PATH_MAX) == (size_t)-1) {
        exe[0] = '\0';
    }
    Venv venv;
    snprintf(base, PATH_MAX, "%s", exe);
    snprintf(dir, sizeof(dir), "%s", exe);
    to_parent(dir);
    int in_venv = read_venv(dir, &venv);
    if (!in_venv && dir[0] != '\0') {
        to_parent(dir);
        in_venv = read_venv(dir, &venv);
    }
    if (in_venv && venv.home[0] != '\0') {
        venv_base(&venv, exe, base);
    }
    return set_bytes(config, &config->base_executable, base);
}

/* FILE._pth beside an executable FILE is the whole of sys.path, for a program that brings
   its own Python: one entry per line, relative to its directory. The environment is then
   ignored; `site` is only imported if there is a line "import site". */
static PyStatus
read_pth(PyConfig *config, const char *executable)
{
    char path[PATH_MAX + 8], line[PATH_MAX], dir[PATH_MAX], full[PATH_MAX * 2 + 2];
    snprintf(path, sizeof(path), "%s._pth", executable);
    FILE *f = executable[0] == '\0' ? NULL : fopen(path, "r");
    if (f == NULL) {
        return PyStatus_Ok();
    }
    snprintf(dir, sizeof(dir), "%s", executable);
    to_parent(dir);
    config->isolated = 1;
    config->use_environment = 0;
    config->user_site_directory = 0;
    config->safe_path = 1;
    config->site_import = 0;
    PyStatus status = PyStatus_Ok();
    while (!PyStatus_Exception(status) && fgets(line, sizeof(line), f) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#') {
            continue;
        }
        if (strcmp(line, "import site") == 0) {
            config->site_import = 1;
            continue;
        }
        snprintf(full, sizeof(full), "%s%s%s", line[0] == '/' ? "" : dir,
                 line[0] == '/' ? "" : "/", line);
        status = add_normal_path(config, full);
    }
    fclose(f);
    config->module_search_paths_set = 1;
    return status;
}

static PyStatus
read_search_path(PyConfig *config, const char *own, const Places *places)
{
    char zip[PATH_MAX + 64];
    TRY(add_search_path(config, config->pythonpath_env));
    if (is_dir(own)) {
        TRY(add_path(config, own));
    }
    snprintf(zip, sizeof(zip), "%s", places->stdlib);
    to_parent(zip);
    strcat(zip, "/python311.zip");
    TRY(add_path(config, zip));
    TRY(add_path(config, places->stdlib));
    TRY(add_path(config, places->dynload));
    config->module_search_paths_set = 1;
    return PyStatus_Ok();
}

/* If one part of PREFIX:EXEC_PREFIX is empty, that prefix is not changed. Without a
   colon, PREFIX is used for both. */
static void
move_home(const char *home, const char *platlibdir, Places *places)
{
    const char *colon = strchrnul(home, ':');
    if (colon > home) {
        snprintf(places->prefix, PATH_MAX, "%.*s", (int)(colon - home), home);
        library_of(places->prefix, platlibdir, "", places->stdlib);
    }
    const char *exec_home = *colon != '\0' ? colon + 1 : home;
    if (*exec_home != '\0') {
        snprintf(places->exec_prefix, PATH_MAX, "%s", exec_home);
        library_of(exec_home, platlibdir, "/lib-dynload", places->dynload);
    }
}

PyStatus
_PyConfig_ReadPaths(PyConfig *config)
{
    char exe[PATH_MAX], base[PATH_MAX], own[PATH_MAX], home[PATH_MAX] = "";
    char platlibdir[PATH_MAX] = "";
    Places places;
    TRY(read_executables(config, exe, base));
    TRY(set_bytes(config, &config->platlibdir, "lib"));

    int in_place = find_own_lib(base, own);
    snprintf(library_cache, sizeof(library_cache), "%s/library", own);
    if (!is_dir(library_cache)) {
        library_cache[0] = '\0';
    }
    wcstombs(platlibdir, config->platlibdir, sizeof(platlibdir) - 1);
    if (in_place || !find_library_above(base, platlibdir, places.stdlib)) {
        snprintf(places.stdlib, sizeof(places.stdlib), "%s", SB_STDLIB);
    }
    snprintf(places.dynload, sizeof(places.dynload), "%.4000s/lib-dynload", places.stdlib);
    snprintf(places.prefix, sizeof(places.prefix), "%s", places.stdlib);
    to_parent(places.prefix);
    to_parent(places.prefix);
    snprintf(places.exec_prefix, sizeof(places.exec_prefix), "%s", places.prefix);
    if (config->home != NULL) {
        wcstombs(home, config->home, sizeof(home) - 1);
        move_home(home, platlibdir, &places);
    }
    TRY(set_bytes(config, &config->stdlib_dir, places.stdlib));
    TRY(set_bytes(config, &config->base_prefix, places.prefix));
    TRY(set_bytes(config, &config->base_exec_prefix, places.exec_prefix));
    TRY(set_bytes(config, &config->prefix, places.prefix));
    TRY(set_bytes(config, &config->exec_prefix, places.exec_prefix));
    if (!config->module_search_paths_set) {
        TRY(read_pth(config, exe));
    }
    return config->module_search_paths_set ? PyStatus_Ok()
        : read_search_path(config, own, &places);
}

/* ----------------------------------------------------------- the legacy API */

#include "internal/pystate.h"

static wchar_t *legacy_program_name, *legacy_home, *legacy_path;

void
Py_SetProgramName(const wchar_t *name)
{
    if (name != NULL && name[0] != L'\0') {
        (void)_PyConfig_SetWide(&legacy_program_name, name);
    }
}

void
Py_SetPythonHome(const wchar_t *home)
{
    (void)_PyConfig_SetWide(&legacy_home, home);
}

/* Sets the search path. It is then not computed, nor are the prefixes. */
void
Py_SetPath(const wchar_t *path)
{
    (void)_PyConfig_SetWide(&legacy_path, path);
}

PyStatus
_PyConfig_TakeLegacyPaths(PyConfig *config)
{
    if (config->program_name == NULL && legacy_program_name != NULL) {
        TRY(_PyConfig_SetWide(&config->program_name, legacy_program_name));
    }
    if (config->home == NULL && legacy_home != NULL) {
        TRY(_PyConfig_SetWide(&config->home, legacy_home));
    }
    if (!config->module_search_paths_set && legacy_path != NULL) {
        TRY(add_search_path(config, legacy_path));
        config->module_search_paths_set = 1;
    }
    return PyStatus_Ok();
}

static wchar_t *
config_text(size_t offset, wchar_t *before)
{
    if (_PyRuntime.interp_main == NULL) {
        return before;
    }
    return *(wchar_t **)((char *)&_PyRuntime.interp_main->config + offset);
}

wchar_t *
Py_GetProgramName(void)
{
    return config_text(offsetof(PyConfig, program_name), legacy_program_name);
}

wchar_t *
Py_GetProgramFullPath(void)
{
    return config_text(offsetof(PyConfig, executable), NULL);
}

wchar_t *
Py_GetPythonHome(void)
{
    return config_text(offsetof(PyConfig, home), legacy_home);
}

wchar_t *
Py_GetPrefix(void)
{
    return config_text(offsetof(PyConfig, prefix), NULL);
}

wchar_t *
Py_GetExecPrefix(void)
{
    return config_text(offsetof(PyConfig, exec_prefix), NULL);
}

wchar_t *
Py_GetPath(void)
{
    static wchar_t *joined;
    PyMem_RawFree(joined);
    joined = NULL;
    if (_PyRuntime.interp_main == NULL) {
        return NULL;
    }
    const PyWideStringList *list = &_PyRuntime.interp_main->config.module_search_paths;
    size_t n = 1;
    for (Py_ssize_t i = 0; i < list->length; i++) {
        n += wcslen(list->items[i]) + 1;
    }
    joined = PyMem_RawCalloc(n, sizeof(wchar_t));
    for (Py_ssize_t i = 0; joined != NULL && i < list->length; i++) {
        if (i > 0) {
            wcscat(joined, L":");
        }
        wcscat(joined, list->items[i]);
    }
    return joined;
}

static void
dump_path(const char *format, const wchar_t *value)
{
    PyObject *text = value == NULL ? NULL : PyUnicode_FromWideChar(value, -1);
    PyObject *shown = text == NULL ? NULL : PyObject_ASCII(text);
    const char *bytes = shown == NULL ? NULL : PyUnicode_AsUTF8(shown);
    fprintf(stderr, format, bytes != NULL ? bytes : "(not set)");
    Py_XDECREF(shown);
    Py_XDECREF(text);
}

void
_PyConfig_DumpPaths(const PyConfig *config)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    fputs("Python path configuration:\n", stderr);
    dump_path("  PYTHONHOME = %s\n", config->home);
    dump_path("  PYTHONPATH = %s\n", config->pythonpath_env);
    dump_path("  program name = %s\n", config->program_name);
    fprintf(stderr, "  isolated = %i\n  environment = %i\n  user site = %i\n  safe_path = %i\n"
            "  import site = %i\n  is in build tree = %i\n", config->isolated,
            config->use_environment, config->user_site_directory, config->safe_path,
            config->site_import, config->_is_python_build);
    dump_path("  stdlib dir = %s\n", config->stdlib_dir);
    dump_path("  sys._base_executable = %s\n", config->base_executable);
    dump_path("  sys.base_prefix = %s\n", config->base_prefix);
    dump_path("  sys.base_exec_prefix = %s\n", config->base_exec_prefix);
    dump_path("  sys.platlibdir = %s\n", config->platlibdir);
    dump_path("  sys.executable = %s\n", config->executable);
    dump_path("  sys.prefix = %s\n", config->prefix);
    dump_path("  sys.exec_prefix = %s\n", config->exec_prefix);
    fputs("  sys.path = [\n", stderr);
    for (Py_ssize_t i = 0; i < config->module_search_paths.length; i++) {
        dump_path("    %s,\n", config->module_search_paths.items[i]);
    }
    fputs("  ]\n", stderr);
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

void
_PyPathConfig_ClearGlobal(void)
{
    PyMem_RawFree(legacy_program_name);
    PyMem_RawFree(legacy_home);
    PyMem_RawFree(legacy_path);
    legacy_program_name = legacy_home = legacy_path = NULL;
}
