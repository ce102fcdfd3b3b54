/* _md5: MD5, computed by OpenSSL (shared/evp_hash.h). */
#include "shared/evp_hash.h"

static const EvpAlgorithm md5 = {"md5", "MD5", 64, 16};

EVP_FUNCTION(md5, 0, &md5)

static PyMethodDef module_methods[] = {EVP_METHOD(md5), {NULL, NULL, 0, NULL}};

static int
module_exec(PyObject *module)
{
    static PyType_Spec spec = EVP_TYPE_SPEC("_md5.md5");
    return _PyEvpModule_AddType(module, 0, &spec, "MD5Type");
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module_def = EVP_MODULE("_md5", module_methods, module_slots);

MODULE_INIT(_md5)
{
    return PyModuleDef_Init(&module_def);
}
