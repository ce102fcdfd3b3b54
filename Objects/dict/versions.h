/* Between the table and the versions that caches rely on: table.c and versions.c. */
#ifndef SB_DICT_VERSIONS_H
#define SB_DICT_VERSIONS_H

#include "private.h"

int _PyDictKeys_IsAwaited(Py_hash_t hash);
void _PyDictKeys_NoteGoing(PyObject *name);
int _PyDictKeys_MayBeRemembered(const Keys *keys, PyObject *name);
Py_ssize_t _PyDictKeys_EndOfKept(const Keys *old, Py_ssize_t used, const Keys *keys);

#endif
