/* _sha256: SHA224 and SHA256, computed by OpenSSL (shared/evp_hash.h). */
#include "shared/evp_hash.h"

static const EvpAlgorithm sha224 = {"sha224", "SHA224", 64, 28};
static const EvpAlgorithm sha256 = {"sha256", "SHA256", 64, 32};

EVP_FUNCTION(sha224, 0, &sha224)
EVP_FUNCTION(sha256, 1, &sha256)

static PyMethodDef module_methods[] = {
    EVP_METHOD(sha224), EVP_METHOD(sha256), {NULL, NULL, 0, NULL}
};

static int
module_exec(PyObject *module)
{
    static PyType_Spec sha224_spec = EVP_TYPE_SPEC("_sha256.sha224");
    static PyType_Spec sha256_spec = EVP_TYPE_SPEC("_sha256.sha256");
    return _PyEvpModule_AddType(module, 0, &sha224_spec, "SHA224Type") < 0 ? -1
        : _PyEvpModule_AddType(module, 1, &sha256_spec, "SHA256Type");
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module_def = EVP_MODULE("_sha256", module_methods, module_slots);

MODULE_INIT(_sha256)
{
    return PyModuleDef_Init(&module_def);
}
