/* _sha1: SHA1, computed by OpenSSL (shared/evp_hash.h). */
#include "shared/evp_hash.h"

static const EvpAlgorithm sha1 = {"sha1", "SHA1", 64, 20};

EVP_FUNCTION(sha1, 0, &sha1)

static PyMethodDef module_methods[] = {EVP_METHOD(sha1), {NULL, NULL, 0, NULL}};

static int
module_exec(PyObject *module)
{
    static PyType_Spec spec = EVP_TYPE_SPEC("_sha1.sha1");
    return _PyEvpModule_AddType(module, 0, &spec, "SHA1Type");
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module_def = EVP_MODULE("_sha1", module_methods, module_slots);

MODULE_INIT(_sha1)
{
    return PyModuleDef_Init(&module_def);
}
