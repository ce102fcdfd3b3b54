/* _sha512: SHA384 and SHA512, computed by OpenSSL (shared/evp_hash.h). */
#include "shared/evp_hash.h"

static const EvpAlgorithm sha384 = {"sha384", "SHA384", 128, 48};
static const EvpAlgorithm sha512 = {"sha512", "SHA512", 128, 64};

EVP_FUNCTION(sha384, 0, &sha384)
EVP_FUNCTION(sha512, 1, &sha512)

static PyMethodDef module_methods[] = {
    EVP_METHOD(sha384), EVP_METHOD(sha512), {NULL, NULL, 0, NULL}
};

static int
module_exec(PyObject *module)
{
    static PyType_Spec sha384_spec = EVP_TYPE_SPEC("_sha512.sha384");
    static PyType_Spec sha512_spec = EVP_TYPE_SPEC("_sha512.sha512");
    return _PyEvpModule_AddType(module, 0, &sha384_spec, "SHA384Type") < 0 ? -1
        : _PyEvpModule_AddType(module, 1, &sha512_spec, "SHA512Type");
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module_def = EVP_MODULE("_sha512", module_methods, module_slots);

MODULE_INIT(_sha512)
{
    return PyModuleDef_Init(&module_def);
}
