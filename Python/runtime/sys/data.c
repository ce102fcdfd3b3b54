/* The data attributes of sys: versions, limits, flags, implementation, and those that the
   configuration decides (argv, path, prefix…). */
#include "Python.h"
#include "internal/config.h"
#include "internal/pystate.h"
#include "internal/runtime.h"
#include "internal/sys_data.h"
#include "internal/tracing.h"
#include "internal/containers.h"

#include <dlfcn.h>

const unsigned long Py_Version = PY_VERSION_HEX;

#if defined(__x86_64__)
# define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
# define MULTIARCH "aarch64-linux-gnu"
#else
# define MULTIARCH ""
#endif

/* ----------------------------------------------------------------- versions */

#ifdef __clang__
# define COMPILER "Clang " __clang_version__
#else
# define COMPILER "GCC " __VERSION__
#endif

const char *
Py_GetCompiler(void)
{
    return "[" COMPILER "]";
}

/* "3.11.2 (springboard, Nov 20 2026, 14:00:00) [Clang 19.1.7]": the form that the
   platform module parses. */
const char *
Py_GetVersion(void)
{
    static char version[160];
    if (version[0] == '\0') {
        char compiler[64];
        PyOS_snprintf(compiler, sizeof(compiler), "%s", Py_GetCompiler());
        char *cut = strstr(compiler, " (");
        if (cut != NULL) {
            strcpy(cut, "]");
        }
        else if ((cut = strchr(compiler, ' ')) != NULL && (cut = strchr(cut + 1, ' ')) != NULL) {
            strcpy(cut, "]");
        }
        PyOS_snprintf(version, sizeof(version), "%s (%s) %s", PY_VERSION,
                      Py_GetBuildInfo(), compiler);
    }
    return version;
}

const char *
Py_GetBuildInfo(void)
{
    return "springboard, " __DATE__ ", " __TIME__;
}

const char *
Py_GetPlatform(void)
{
    return "linux";
}

const char *
Py_GetCopyright(void)
{
    return "Copyright (c) 2026 The Springboard founders.\nMIT License.";
}

/* --------------------------------------------------------- struct sequences */

static PyStructSequence_Field flags_fields[] = {
    {"debug", "-d"}, {"inspect", "-i"}, {"interactive", "-i"}, {"optimize", "-O or -OO"},
    {"dont_write_bytecode", "-B"}, {"no_user_site", "-s"}, {"no_site", "-S"},
    {"ignore_environment", "-E"}, {"verbose", "-v"}, {"bytes_warning", "-b"}, {"quiet", "-q"},
    {"hash_randomization", "-R"}, {"isolated", "-I"}, {"dev_mode", "-X dev"},
    {"utf8_mode", "-X utf8"}, {"warn_default_encoding", "-X warn_default_encoding"},
    {"safe_path", "-P"}, {"int_max_str_digits", "-X int_max_str_digits"}, {NULL, NULL}
};
static PyStructSequence_Desc flags_desc = {
    "sys.flags", "Flags of the command line and the environment.", flags_fields, 18
};

static PyStructSequence_Field version_fields[] = {
    {"major", "major version"}, {"minor", "minor version"}, {"micro", "patch level"},
    {"releaselevel", "'alpha', 'beta', 'candidate' or 'final'"}, {"serial", "serial number"},
    {NULL, NULL}
};
static PyStructSequence_Desc version_desc = {
    "sys.version_info", "The version of the language, as a tuple.", version_fields, 5
};

static PyStructSequence_Field hash_fields[] = {
    {"width", "bits of a hash value"}, {"modulus", "prime modulus of numeric hashes"},
    {"inf", "hash of infinity"}, {"nan", "hash of nan (not used)"},
    {"imag", "multiplier of the imaginary part"}, {"algorithm", "algorithm for str and bytes"},
    {"hash_bits", "its internal width"}, {"seed_bits", "its seed's width"},
    {"cutoff", "size up to which a simpler algorithm is used"}, {NULL, NULL}
};
static PyStructSequence_Desc hash_desc = {
    "sys.hash_info", "Parameters of hashing.", hash_fields, 9
};

static PyStructSequence_Field hooks_fields[] = {
    {"firstiter", "called when an asynchronous generator is first iterated"},
    {"finalizer", "called when one is about to be collected"}, {NULL, NULL}
};
static PyStructSequence_Desc hooks_desc = {
    "asyncgen_hooks", "The hooks of asynchronous generators.", hooks_fields, 2
};

static PyTypeObject flags_type, version_type, hash_type, hooks_type;

PyTypeObject *
_PySys_AsyncGenHooksType(void)
{
    return &hooks_type;
}

/* A struct sequence of integers and, for a negative kind, other objects. */
static PyObject *
new_sequence(PyTypeObject *type, PyObject *const *items, Py_ssize_t n)
{
    PyObject *seq = PyStructSequence_New(type);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (seq == NULL || items[i] == NULL) {
            for (; i < n; i++) {
                Py_XDECREF(items[i]);
            }
            Py_XDECREF(seq);
            return NULL;
        }
        PyStructSequence_SetItem(seq, i, items[i]);
    }
    return seq;
}

static PyObject *
new_version_info(void)
{
    PyObject *items[] = {
        PyLong_FromLong(PY_MAJOR_VERSION), PyLong_FromLong(PY_MINOR_VERSION),
        PyLong_FromLong(PY_MICRO_VERSION), PyUnicode_FromString("final"),
        PyLong_FromLong(PY_RELEASE_SERIAL)
    };
    return new_sequence(&version_type, items, 5);
}

static PyObject *
new_hash_info(void)
{
    PyHash_FuncDef *f = PyHash_GetFuncDef();
    PyObject *items[] = {
        PyLong_FromLong(8 * (long)sizeof(Py_hash_t)), PyLong_FromSize_t(_PyHASH_MODULUS),
        PyLong_FromLong(_PyHASH_INF), PyLong_FromLong(0), PyLong_FromLong(_PyHASH_IMAG),
        PyUnicode_FromString(f->name), PyLong_FromLong(f->hash_bits),
        PyLong_FromLong(f->seed_bits), PyLong_FromLong(Py_HASH_CUTOFF)
    };
    return new_sequence(&hash_type, items, 9);
}

/* sys.flags as the configuration and later changes say. Returns a new reference. */
static PyObject *
new_flags(const PyConfig *config)
{
    PyObject *items[] = {
        PyLong_FromLong(config->parser_debug), PyLong_FromLong(config->inspect),
        PyLong_FromLong(config->interactive), PyLong_FromLong(config->optimization_level),
        PyLong_FromLong(!config->write_bytecode),
        PyLong_FromLong(!config->user_site_directory), PyLong_FromLong(!config->site_import),
        PyLong_FromLong(!config->use_environment), PyLong_FromLong(config->verbose),
        PyLong_FromLong(config->bytes_warning), PyLong_FromLong(config->quiet),
        PyLong_FromLong(config->use_hash_seed == 0 || config->hash_seed != 0),
        PyLong_FromLong(config->isolated), PyBool_FromLong(config->dev_mode),
        PyLong_FromLong(_PyRuntime.preconfig.utf8_mode),
        PyLong_FromLong(config->warn_default_encoding), PyBool_FromLong(config->safe_path),
        PyLong_FromLong(_PyConfig_IntMaxStrDigitsFlag())
    };
    return new_sequence(&flags_type, items, 18);
}

/* ----------------------------------------------------------- implementation */

static PyObject *
new_implementation(PyObject *version_info)
{
    PyObject *dict = Py_BuildValue(
        "{s:s,s:s,s:O,s:k,s:s,s:[ss]}", "name", "springboard", "cache_tag", SB_CACHE_TAG,
        "version", version_info, "hexversion", (unsigned long)PY_VERSION_HEX,
        "_multiarch", MULTIARCH, "compatible_suffixes",
        ".cpython-311-" MULTIARCH ".so", ".abi3.so");
    if (dict == NULL) {
        return NULL;
    }
    PyObject *ns = _PyNamespace_New(dict);
    Py_DECREF(dict);
    return ns;
}

static const char *const stdlib_names[] = {
#include "stdlib_names.def"
};

static PyObject *
new_stdlib_names(void)
{
    PyObject *set = PyFrozenSet_New(NULL);
    for (size_t i = 0; set != NULL && i < Py_ARRAY_LENGTH(stdlib_names); i++) {
        PyObject *name = PyUnicode_InternFromString(stdlib_names[i]);
        if (name == NULL || PySet_Add(set, name) < 0) {
            Py_CLEAR(set);
        }
        Py_XDECREF(name);
    }
    return set;
}

/* Steals the value. */
static int
put(PyObject *dict, const char *name, PyObject *value)
{
    int rc = value == NULL ? -1 : PyDict_SetItemString(dict, name, value);
    Py_XDECREF(value);
    return rc;
}

int
_PySys_AddData(PyObject *d)
{
    if (flags_type.tp_name == NULL) {
        if (PyStructSequence_InitType2(&flags_type, &flags_desc) < 0
            || PyStructSequence_InitType2(&version_type, &version_desc) < 0
            || PyStructSequence_InitType2(&hash_type, &hash_desc) < 0
            || PyStructSequence_InitType2(&hooks_type, &hooks_desc) < 0) {
            return -1;
        }
        flags_type.tp_new = version_type.tp_new = NULL;
        flags_type.tp_flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
        version_type.tp_flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
        if (PyDict_DelItemString(flags_type.tp_dict, "__new__") < 0
            || PyDict_DelItemString(version_type.tp_dict, "__new__") < 0) {
            PyErr_Clear();
        }
        PyType_Modified(&flags_type);
        PyType_Modified(&version_type);
    }
    static const unsigned short endian_probe = 1;
    PyObject *version_info = new_version_info();
    if (version_info == NULL) {
        return -1;
    }
    int rc =
        put(d, "version", PyUnicode_FromString(Py_GetVersion())) < 0
        || put(d, "hexversion", PyLong_FromLong(PY_VERSION_HEX)) < 0
        || put(d, "_git", Py_BuildValue("(sss)", "Springboard", "", "")) < 0
        || put(d, "_jit", _PySys_NewJit()) < 0
        || put(d, "monitoring", _PySys_NewMonitoring()) < 0
        || put(d, "_framework", PyUnicode_FromString("")) < 0
        || put(d, "api_version", PyLong_FromLong(PYTHON_API_VERSION)) < 0
        || put(d, "copyright", PyUnicode_FromString(Py_GetCopyright())) < 0
        || put(d, "platform", PyUnicode_FromString(Py_GetPlatform())) < 0
        || put(d, "maxsize", PyLong_FromSsize_t(PY_SSIZE_T_MAX)) < 0
        || put(d, "maxunicode", PyLong_FromLong(0x10FFFF)) < 0
        || put(d, "float_info", PyFloat_GetInfo()) < 0
        || put(d, "int_info", PyLong_GetInfo()) < 0
        || put(d, "hash_info", new_hash_info()) < 0
        || put(d, "thread_info", PyThread_GetInfo()) < 0
        || put(d, "builtin_module_names", _PyImport_BuiltinNames()) < 0
        || put(d, "stdlib_module_names", new_stdlib_names()) < 0
        || put(d, "byteorder", PyUnicode_FromString(*(const char *)&endian_probe
                                                    ? "little" : "big")) < 0
        || put(d, "abiflags", PyUnicode_FromString("")) < 0
        || put(d, "float_repr_style", PyUnicode_FromString("short")) < 0
        || put(d, "implementation", new_implementation(version_info)) < 0
        || PyDict_SetItemString(d, "version_info", version_info) < 0
        || put(d, "meta_path", PyList_New(0)) < 0
        || put(d, "path_hooks", PyList_New(0)) < 0
        || put(d, "path_importer_cache", PyDict_New()) < 0
        || put(d, "warnoptions", PyList_New(0)) < 0
        || put(d, "_xoptions", PyDict_New()) < 0
        || put(d, "path", PyList_New(0)) < 0;
    Py_DECREF(version_info);
    _PyInterpreterState_GET()->dlopenflags = RTLD_NOW;
    return rc ? -1 : 0;
}

/* --------------------------------------------------- from the configuration */

static PyObject *
wide_or_none(const wchar_t *text)
{
    return text == NULL ? Py_NewRef(Py_None) : PyUnicode_FromWideChar(text, -1);
}

static PyObject *
wide_list(const PyWideStringList *list)
{
    PyObject *result = PyList_New(list->length);
    for (Py_ssize_t i = 0; result != NULL && i < list->length; i++) {
        PyObject *item = PyUnicode_FromWideChar(list->items[i], -1);
        if (item == NULL) {
            Py_CLEAR(result);
            break;
        }
        PyList_SET_ITEM(result, i, item);
    }
    return result;
}

PyObject *
_PySys_XOptionsDict(const PyWideStringList *list)
{
    PyObject *dict = PyDict_New();
    for (Py_ssize_t i = 0; dict != NULL && i < list->length; i++) {
        const wchar_t *text = list->items[i], *eq = wcschr(text, L'=');
        PyObject *key = PyUnicode_FromWideChar(text, eq == NULL ? -1 : eq - text);
        PyObject *value = eq == NULL ? Py_NewRef(Py_True) : PyUnicode_FromWideChar(eq + 1, -1);
        if (key == NULL || value == NULL || PyDict_SetItem(dict, key, value) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *
PySys_GetXOptions(void)
{
    return PySys_GetObject("_xoptions");
}

int
_PySys_ApplyConfig(PyThreadState *tstate, const PyConfig *config)
{
    PyObject *d = tstate->interp->sysdict;
    const struct {
        const char *name;
        const wchar_t *value;
    } texts[] = {
        {"executable", config->executable}, {"_base_executable", config->base_executable},
        {"prefix", config->prefix}, {"base_prefix", config->base_prefix},
        {"exec_prefix", config->exec_prefix}, {"base_exec_prefix", config->base_exec_prefix},
        {"platlibdir", config->platlibdir}, {"pycache_prefix", config->pycache_prefix},
        {"_stdlib_dir", config->stdlib_dir}, {"_home", config->home},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(texts); i++) {
        if (put(d, texts[i].name, wide_or_none(texts[i].value)) < 0) {
            return -1;
        }
    }
    if (put(d, "path", wide_list(&config->module_search_paths)) < 0
        || put(d, "argv", wide_list(&config->argv)) < 0
        || put(d, "orig_argv", wide_list(&config->orig_argv)) < 0
        || put(d, "warnoptions", wide_list(&config->warnoptions)) < 0
        || put(d, "_xoptions", _PySys_XOptionsDict(&config->xoptions)) < 0
        || put(d, "flags", new_flags(config)) < 0
        || put(d, "dont_write_bytecode", PyBool_FromLong(!config->write_bytecode)) < 0) {
        return -1;
    }
    return 0;
}
