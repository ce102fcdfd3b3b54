/* Shared by the files that make up code objects: Objects/code/code.c (creation,
   the type), code/locations.c (lines, columns) and code/api.c (what Python and
   extensions may ask). */
#ifndef SB_INTERNAL_CODE_TABLES_H
#define SB_INTERNAL_CODE_TABLES_H

#include "Python.h"
#include "structmember.h"
#include "internal/code.h"

/* One run of words with the same location; a walk over a location table. */
typedef struct {
    const uint8_t *next, *limit;
    int words;                  /* that this entry covers */
    Py_ssize_t start;           /* index of the first of them */
    int computed_line;
    int line, end_line, col, end_col;   /* -1 where absent */
} PyLocationWalk;

void _PyLocation_Start(PyLocationWalk *, PyCodeObject *);
int _PyLocation_Next(PyLocationWalk *);     /* 0 at the end */

/* A location table with the lines of another, for -X no_debug_ranges. Returns a new
   bytes object. */
PyObject *_PyCode_WithoutColumns(PyObject *linetable, int firstlineno);

PyObject *_PyCode_Lines(PyCodeObject *);    /* co_lines(), a new iterator */
PyObject *_PyCode_Positions(PyCodeObject *);
PyObject *_PyCode_Lnotab(PyCodeObject *);   /* new bytes, the format of 3.6 */

extern PyTypeObject _PyLineIter_Type, _PyPositionsIter_Type;

extern PyMethodDef _PyCode_Methods[];
extern PyGetSetDef _PyCode_GetSet[];
extern PyMemberDef _PyCode_Members[];
PyObject *_PyCode_New(PyTypeObject *, PyObject *args, PyObject *kwargs);

#endif
