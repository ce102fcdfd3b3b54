/* Start-up and shut-down of the containers. */
#include "Python.h"
#include "internal/containers.h"
#include "internal/dict.h"
#include "internal/list.h"
#include "internal/range.h"
#include "internal/tuple.h"

int
_PyContainers_Init(void)
{
    return _PyDict_Init();
}

void
_PyContainers_Fini(void)
{
    _PySlice_Fini();
    _PyList_Fini();
    _PyTuple_Fini();
    _PyDict_Fini();
}
