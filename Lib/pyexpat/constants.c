/* The constants of pyexpat, with its submodules errors and model. */

#include "pyexpat_module.h"

static const struct {
    const char *name;
    int code;
} errors[] = {
#define EXPAT_ERROR(name) {"XML_ERROR_" #name, XML_ERROR_##name},
#include "errors.def"
#undef EXPAT_ERROR
};

static const struct {
    const char *name;
    int value;
} model_constants[] = {
#define CONSTANT(name) {#name, name}
    CONSTANT(XML_CTYPE_EMPTY),
    CONSTANT(XML_CTYPE_ANY),
    CONSTANT(XML_CTYPE_MIXED),
    CONSTANT(XML_CTYPE_NAME),
    CONSTANT(XML_CTYPE_CHOICE),
    CONSTANT(XML_CTYPE_SEQ),
    CONSTANT(XML_CQUANT_NONE),
    CONSTANT(XML_CQUANT_OPT),
    CONSTANT(XML_CQUANT_REP),
    CONSTANT(XML_CQUANT_PLUS),
#undef CONSTANT
};

/* Returns a borrowed reference: sys.modules holds it, and module has it as an attribute. */
static PyObject *
add_submodule(PyObject *module, const char *full_name, const char *name,
              const char *doc)
{
    PyObject *submodule = PyImport_AddModule(full_name);
    if (submodule == NULL || PyModule_SetDocString(submodule, doc) < 0
            || PyModule_AddObjectRef(module, name, submodule) < 0) {
        return NULL;
    }
    return submodule;
}

static int
add_error(PyObject *submodule, PyObject *codes, PyObject *messages,
          const char *name, int code)
{
    PyObject *number = PyLong_FromLong(code);
    PyObject *text = PyUnicode_FromString(XML_ErrorString(code));
    int result = -1;
    if (number != NULL && text != NULL
            && PyModule_AddObjectRef(submodule, name, text) == 0
            && PyDict_SetItem(codes, text, number) == 0
            && PyDict_SetItem(messages, number, text) == 0) {
        result = 0;
    }
    Py_XDECREF(number);
    Py_XDECREF(text);
    return result;
}

static int
add_errors(PyObject *module)
{
    PyObject *submodule = add_submodule(
        module, "pyexpat.errors", "errors",
        "Constants used to describe error conditions.");
    if (submodule == NULL) {
        return -1;
    }
    PyObject *codes = PyDict_New(), *messages = PyDict_New();
    int result = codes == NULL || messages == NULL ? -1 : 0;
    for (size_t i = 0; result == 0 && i < Py_ARRAY_LENGTH(errors); i++) {
        result = add_error(submodule, codes, messages, errors[i].name,
                           errors[i].code);
    }
    if (result == 0) {
        result = PyModule_AddObjectRef(submodule, "codes", codes);
    }
    if (result == 0) {
        result = PyModule_AddObjectRef(submodule, "messages", messages);
    }
    Py_XDECREF(codes);
    Py_XDECREF(messages);
    return result;
}

static int
add_model(PyObject *module)
{
    PyObject *submodule = add_submodule(
        module, "pyexpat.model", "model",
        "Constants used to interpret content model information.");
    if (submodule == NULL) {
        return -1;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(model_constants); i++) {
        if (PyModule_AddIntConstant(submodule, model_constants[i].name,
                                    model_constants[i].value) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
add_features(PyObject *module)
{
    PyObject *list = PyList_New(0);
    const XML_Feature *feature = XML_GetFeatureList();
    int result = list == NULL ? -1 : 0;
    for (; result == 0 && feature->feature != XML_FEATURE_END; feature++) {
        PyObject *item = Py_BuildValue("(sl)", feature->name, feature->value);
        result = item == NULL ? -1 : PyList_Append(list, item);
        Py_XDECREF(item);
    }
    if (result == 0) {
        result = PyModule_AddObjectRef(module, "features", list);
    }
    Py_XDECREF(list);
    return result;
}

static int
add_version(PyObject *module)
{
    XML_Expat_Version version = XML_ExpatVersionInfo();
    PyObject *tuple = Py_BuildValue("(iii)", version.major, version.minor,
                                    version.micro);
    if (tuple == NULL) {
        return -1;
    }
    int result = PyModule_AddObjectRef(module, "version_info", tuple);
    Py_DECREF(tuple);
    if (result < 0) {
        return -1;
    }
    return PyModule_AddStringConstant(module, "EXPAT_VERSION",
                                      XML_ExpatVersion());
}

int
_PyExpat_AddConstants(PyObject *module)
{
    if (add_version(module) < 0
            || PyModule_AddStringConstant(module, "native_encoding",
                                          "UTF-8") < 0
            || add_errors(module) < 0 || add_model(module) < 0
            || add_features(module) < 0) {
        return -1;
    }
#define PARSING(name) PyModule_AddIntConstant(module, #name, name)
    if (PARSING(XML_PARAM_ENTITY_PARSING_NEVER) < 0
            || PARSING(XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE) < 0
            || PARSING(XML_PARAM_ENTITY_PARSING_ALWAYS) < 0) {
        return -1;
    }
#undef PARSING
    return 0;
}
