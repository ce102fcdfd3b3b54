/* _elementtree: what xml.etree.ElementTree is made of. */

#include "elementtree.h"
#include "internal/module_init.h"

static PyObject *
set_factories(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    elementtree_state *state = PyModule_GetState(module);
    if (!_PyArg_CheckPositional("_set_factories", nargs, 2, 2)) {
        return NULL;
    }
    static const char *const names[] = {"Comment", "PI"};
    for (int i = 0; i < 2; i++) {
        if (args[i] != Py_None && !PyCallable_Check(args[i])) {
            PyErr_Format(PyExc_TypeError,
                         "%s factory must be callable, not %.100s", names[i],
                         Py_TYPE(args[i])->tp_name);
            return NULL;
        }
    }
    PyObject *comment = state->comment_factory, *pi = state->pi_factory;
    PyObject *old = PyTuple_Pack(2, comment == NULL ? Py_None : comment,
                                 pi == NULL ? Py_None : pi);
    if (old == NULL) {
        return NULL;
    }
    state->comment_factory = args[0] == Py_None ? NULL : Py_NewRef(args[0]);
    state->pi_factory = args[1] == Py_None ? NULL : Py_NewRef(args[1]);
    Py_XDECREF(comment);
    Py_XDECREF(pi);
    return old;
}

static PyMethodDef module_methods[] = {
    {"SubElement", VAR_KEYWORDS(_PyElement_SubElement), NULL},
    {"_set_factories", FAST(set_factories),
     "_set_factories($module, comment_factory, pi_factory, /)\n--\n\n"
     "Choose what makes comments and processing instructions.\n\n"
     "The previous choice is returned."},
    {NULL, NULL, 0, NULL}
};

static PyTypeObject *
make_type(PyObject *module, PyType_Spec *spec)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
}

static PyObject *
import_deepcopy(void)
{
    PyObject *copy = PyImport_ImportModule("copy");
    if (copy == NULL) {
        return NULL;
    }
    PyObject *deepcopy = PyObject_GetAttrString(copy, "deepcopy");
    Py_DECREF(copy);
    return deepcopy;
}

static int
module_exec(PyObject *module)
{
    elementtree_state *state = PyModule_GetState(module);
    if ((state->element_type = make_type(module, &_PyElement_Spec)) == NULL
            || (state->iterator_type = make_type(
                module, &_PyElementIterator_Spec)) == NULL
            || (state->builder_type = make_type(
                module, &_PyTreeBuilder_Spec)) == NULL
            || (state->parser_type = make_type(
                module, &_PyXMLParser_Spec)) == NULL) {
        return -1;
    }
    if ((state->deepcopy = import_deepcopy()) == NULL
            || (state->element_path = PyImport_ImportModule(
                "xml.etree.ElementPath")) == NULL
            || (state->parse_error = PyErr_NewException(
                "xml.etree.ElementTree.ParseError", PyExc_SyntaxError,
                NULL)) == NULL) {
        return -1;
    }
    if (PyModule_AddObjectRef(module, "ParseError", state->parse_error) < 0
            || PyModule_AddType(module, state->element_type) < 0
            || PyModule_AddType(module, state->builder_type) < 0
            || PyModule_AddType(module, state->parser_type) < 0) {
        return -1;
    }
    return 0;
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    elementtree_state *state = PyModule_GetState(module);
    Py_VISIT(state->element_type);
    Py_VISIT(state->iterator_type);
    Py_VISIT(state->builder_type);
    Py_VISIT(state->parser_type);
    Py_VISIT(state->parse_error);
    Py_VISIT(state->element_path);
    Py_VISIT(state->deepcopy);
    Py_VISIT(state->comment_factory);
    Py_VISIT(state->pi_factory);
    return 0;
}

static int
module_clear(PyObject *module)
{
    elementtree_state *state = PyModule_GetState(module);
    Py_CLEAR(state->element_type);
    Py_CLEAR(state->iterator_type);
    Py_CLEAR(state->builder_type);
    Py_CLEAR(state->parser_type);
    Py_CLEAR(state->parse_error);
    Py_CLEAR(state->element_path);
    Py_CLEAR(state->deepcopy);
    Py_CLEAR(state->comment_factory);
    Py_CLEAR(state->pi_factory);
    return 0;
}

static void
module_free(void *module)
{
    (void)module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

struct PyModuleDef _PyElementTree_Module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_elementtree",
    .m_size = sizeof(elementtree_state),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

MODULE_INIT(_elementtree)
{
    return PyModuleDef_Init(&_PyElementTree_Module);
}
