/* Members of a C structure as attributes (tp_members). Not part of Python.h. */
#ifndef Py_STRUCTMEMBER_H
#define Py_STRUCTMEMBER_H

#include <stddef.h>     /* offsetof */

_Py_BEGIN_DECLS

struct PyMemberDef {
    const char *name;       /* NULL ends an array */
    int type;               /* T_ */
    Py_ssize_t offset;
    int flags;
    const char *doc;
};

#define T_SHORT          0
#define T_INT            1
#define T_LONG           2
#define T_FLOAT          3
#define T_DOUBLE         4
#define T_STRING         5      /* char *, read only */
#define T_OBJECT         6      /* PyObject *: NULL is None */
#define T_CHAR           7      /* a str of length 1 */
#define T_BYTE           8
#define T_UBYTE          9
#define T_USHORT         10
#define T_UINT           11
#define T_ULONG          12
#define T_STRING_INPLACE 13     /* char[], read only */
#define T_BOOL           14     /* char */
#define T_OBJECT_EX      16     /* PyObject *: NULL is AttributeError */
#define T_LONGLONG       17
#define T_ULONGLONG      18
#define T_PYSSIZET       19
#define T_NONE           20     /* always None */

#define READONLY            1
#define READ_RESTRICTED     2
#define PY_AUDIT_READ       READ_RESTRICTED     /* audit hooks are called */
#define PY_WRITE_RESTRICTED 4
#define RESTRICTED          (READ_RESTRICTED | PY_WRITE_RESTRICTED)

PyAPI_FUNC(PyObject *) PyMember_GetOne(const char *addr, PyMemberDef *member);
PyAPI_FUNC(int) PyMember_SetOne(char *addr, PyMemberDef *member, PyObject *value);

_Py_END_DECLS
#endif
