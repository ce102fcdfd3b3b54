/* Relative imports: which module `from ..name import x` means.

   Functions import again and again what is there already. So the name of a module that was found
   is kept, under all that it comes from: the package, the relative name, and what makes the
   property `parent` of the globals' spec, which is compared with the package. All of these are
   strs, so nothing is kept alive that could be missed. */
#include "Python.h"
#include "internal/attr_place.h"
#include "internal/import.h"
#include "internal/names.h"
#include "internal/pystate.h"

#define KEPT 64

struct _PyRelativeNames {
    struct kept {
        PyObject *absolute;         /* NULL: nothing is kept here */
        PyObject *package, *name;
        PyObject *of_spec;          /* the spec's name */
        unsigned int spec_version;  /* of importlib's ModuleSpec */
        int has_locations;
        int level;
    } kept[KEPT];
};

/* What a module's globals have, borrowed; NULL if one step does not tell, which runs no code. */
static PyObject *
global(PyObject *globals, PyObject *name)
{
    PyObject **at = PyDict_CheckExact(globals) ? _PyDict_PeekStr((PyDictObject *)globals, name)
                                               : NULL;
    return at != NULL ? *at : NULL;
}

/* Fills the keys of what would be kept. 0: that can't be, or a tracer sees that `parent` is called.
   All are borrowed. */
static int
keys_of(struct kept *keys, PyObject *name, PyObject *globals, int level)
{
    PyObject *package = global(globals, _Py_NAME(dunder_package));
    PyObject *spec = global(globals, _Py_NAME(dunder_spec));
    if (package == NULL || spec == NULL || !PyUnicode_CheckExact(package)
        || _PyThreadState_GET()->cframe->use_tracing) {
        return 0;
    }
    PyObject *of_spec = _PyAttr_PlacedValue(spec, _Py_NAME(name));
    PyObject *locations = _PyAttr_PlacedValue(spec, _Py_NAME(submodule_search_locations));
    *keys = (struct kept){
        .package = package, .name = name, .of_spec = of_spec, .level = level,
        .spec_version = Py_TYPE(spec)->tp_version_tag,
        .has_locations = locations != Py_None,
    };
    return keys->spec_version != 0 && locations != NULL && of_spec != NULL
           && PyUnicode_CheckExact(of_spec) && PyUnicode_CheckExact(name);
}

static struct kept *
place_of(struct _PyRelativeNames *names, const struct kept *keys)
{
    return &names->kept[((uintptr_t)keys->package / 32 + (uintptr_t)keys->name / 16) % KEPT];
}

/* Borrowed, or NULL: nothing is kept. */
static PyObject *
kept_name(PyObject *name, PyObject *globals, int level)
{
    struct _PyRelativeNames *names = _PyInterpreterState_GET()->relative_names;
    struct kept keys;
    if (names == NULL || !keys_of(&keys, name, globals, level)) {
        return NULL;
    }
    const struct kept *kept = place_of(names, &keys);
    int same = kept->package == keys.package && kept->name == keys.name
               && kept->of_spec == keys.of_spec && kept->level == keys.level
               && kept->spec_version == keys.spec_version
               && kept->has_locations == keys.has_locations;
    return same ? kept->absolute : NULL;
}

static void
forget(struct kept *kept)
{
    Py_CLEAR(kept->absolute);
    Py_CLEAR(kept->package);
    Py_CLEAR(kept->name);
    Py_CLEAR(kept->of_spec);
}

void
_PyImport_ForgetNames(PyInterpreterState *interp)
{
    struct _PyRelativeNames *names = interp->relative_names;
    for (int i = 0; names != NULL && i < KEPT; i++) {
        forget(&names->kept[i]);
    }
    interp->relative_names = NULL;
    PyMem_RawFree(names);
}

/* Is the property importlib's, or somebody else's? */
static int
is_importlibs(PyObject *parent)
{
    PyObject *get = parent != NULL && Py_IS_TYPE(parent, &PyProperty_Type)
                    ? PyObject_GetAttrString(parent, "fget") : NULL;
    PyCodeObject *code = get != NULL && PyFunction_Check(get)
                         ? (PyCodeObject *)PyFunction_GET_CODE(get) : NULL;
    int is = code != NULL && _PyUnicode_EqualToASCIIString(code->co_filename,
                                                           "<frozen importlib._bootstrap>");
    Py_XDECREF(get);
    PyErr_Clear();
    return is;
}

/* Is the spec of importlib's class? Then the method cache knows afterwards where its attributes
   are. */
static int
is_usual_spec(PyInterpreterState *interp, PyObject *spec)
{
    PyObject *model = PyDict_GetItemString(PyModule_GetDict(interp->importlib), "ModuleSpec");
    int is_usual = spec != NULL && model == (PyObject *)Py_TYPE(spec)
                   && is_importlibs(_PyType_Lookup(Py_TYPE(spec), _Py_NAME(parent)));
    if (is_usual) {
        (void)_PyAttr_LookUp(spec, _Py_NAME(name));
        (void)_PyAttr_LookUp(spec, _Py_NAME(submodule_search_locations));
    }
    return is_usual;
}

/* Is the spec's `parent` the package? Otherwise each import warns. */
static int
spec_agrees(const struct kept *keys)
{
    Py_ssize_t end = PyUnicode_GET_LENGTH(keys->of_spec);
    if (!keys->has_locations) {
        end = PyUnicode_FindChar(keys->of_spec, '.', 0, end, -1);
    }
    return end == PyUnicode_GET_LENGTH(keys->package)
           && PyUnicode_Tailmatch(keys->of_spec, keys->package, 0, end, -1) == 1;
}

void
_PyImport_KeepName(PyObject *name, PyObject *globals, int level, PyObject *absolute)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    struct kept keys;
    PyObject *spec = global(globals, _Py_NAME(dunder_spec));
    if (!is_usual_spec(interp, spec) || !keys_of(&keys, name, globals, level)
        || !spec_agrees(&keys)) {
        return;
    }
    if (interp->relative_names == NULL) {
        interp->relative_names = PyMem_RawCalloc(1, sizeof(struct _PyRelativeNames));
        if (interp->relative_names == NULL) {
            return;
        }
    }
    struct kept *kept = place_of(interp->relative_names, &keys);
    forget(kept);
    *kept = keys;
    kept->absolute = Py_NewRef(absolute);
    Py_INCREF(kept->package);
    Py_INCREF(kept->name);
    Py_INCREF(kept->of_spec);
}

/* The package that a relative import starts from. Returns a new reference. */
static PyObject *
package_of(PyObject *globals)
{
    PyObject *package = PyDict_GetItemWithError(globals, _Py_NAME(dunder_package));
    if (package == NULL && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *spec = PyDict_GetItemWithError(globals, _Py_NAME(dunder_spec));
    if (spec == NULL && PyErr_Occurred()) {
        return NULL;
    }
    if (package != NULL && package != Py_None) {
        Py_INCREF(package);
        if (!PyUnicode_Check(package)) {
            PyErr_SetString(PyExc_TypeError, "package must be a string");
            goto error;
        }
        if (spec != NULL && spec != Py_None) {
            PyObject *parent = PyObject_GetAttr(spec, _Py_NAME(parent));
            if (parent == NULL) {
                goto error;
            }
            int equal = PyObject_RichCompareBool(package, parent, Py_EQ);
            Py_DECREF(parent);
            if (equal < 0
                || (equal == 0 && PyErr_WarnEx(PyExc_ImportWarning,
                                               "__package__ != __spec__.parent", 1) < 0)) {
                goto error;
            }
        }
        return package;
    }
    if (spec != NULL && spec != Py_None) {
        package = PyObject_GetAttr(spec, _Py_NAME(parent));
        if (package != NULL && !PyUnicode_Check(package)) {
            PyErr_SetString(PyExc_TypeError, "__spec__.parent must be a string");
            goto error;
        }
        return package;
    }
    if (PyErr_WarnEx(PyExc_ImportWarning, "can't resolve package from __spec__ or "
                     "__package__, falling back on __name__ and __path__", 1) < 0) {
        return NULL;
    }
    package = Py_XNewRef(PyDict_GetItemWithError(globals, _Py_NAME(dunder_name)));
    if (package == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_KeyError, "'__name__' not in globals");
        }
        return NULL;
    }
    if (!PyUnicode_Check(package)) {
        PyErr_SetString(PyExc_TypeError, "__name__ must be a string");
        goto error;
    }
    int has_path = PyDict_Contains(globals, _Py_NAME(dunder_path));
    if (has_path < 0) {
        goto error;
    }
    if (!has_path) {
        Py_ssize_t dot = PyUnicode_FindChar(package, '.', 0, PyUnicode_GET_LENGTH(package), -1);
        if (dot == -2) {
            goto error;
        }
        if (dot == -1) {
            goto no_parent;
        }
        Py_SETREF(package, PyUnicode_Substring(package, 0, dot));
    }
    return package;
no_parent:
    PyErr_SetString(PyExc_ImportError,
                    "attempted relative import with no known parent package");
error:
    Py_XDECREF(package);
    return NULL;
}

PyObject *
_PyImport_ResolveName(PyObject *name, PyObject *globals, int level, int *is_kept)
{
    *is_kept = 0;
    if (globals == NULL) {
        PyErr_SetString(PyExc_KeyError, "'__name__' not in globals");
        return NULL;
    }
    if (!PyDict_Check(globals)) {
        PyErr_SetString(PyExc_TypeError, "globals must be a dict");
        return NULL;
    }
    PyObject *kept = kept_name(name, globals, level);
    if (kept != NULL) {
        *is_kept = 1;
        return Py_NewRef(kept);
    }
    PyObject *package = package_of(globals);
    if (package == NULL) {
        return NULL;
    }
    Py_ssize_t end = PyUnicode_GET_LENGTH(package);
    if (end == 0) {
        PyErr_SetString(PyExc_ImportError,
                        "attempted relative import with no known parent package");
        Py_DECREF(package);
        return NULL;
    }
    for (int up = 1; up < level; up++) {
        end = PyUnicode_FindChar(package, '.', 0, end, -1);
        if (end < 0) {
            if (end == -1) {
                PyErr_SetString(PyExc_ImportError,
                                "attempted relative import beyond top-level package");
            }
            Py_DECREF(package);
            return NULL;
        }
    }
    PyObject *base = PyUnicode_Substring(package, 0, end);
    Py_DECREF(package);
    if (base == NULL || PyUnicode_GET_LENGTH(name) == 0) {
        return base;
    }
    PyObject *full = PyUnicode_FromFormat("%U.%U", base, name);
    Py_DECREF(base);
    return full;
}
