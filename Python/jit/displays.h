/* What machine code calls to make and fill tuples, lists, sets and dicts (displays.c). Functions
   that take a frame find their operands in its registers, which are in memory, and may run other
   code or raise as the instruction's handler would. All others are of quiet.h's kind. */
#ifndef SB_JIT_DISPLAYS_H
#define SB_JIT_DISPLAYS_H

#include "ir.h"

/* The `n` registers from `first` on become items. Return a new object, or NULL. */
PyObject *_PyJit_MakeTuple(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n);
PyObject *_PyJit_MakeList(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n);
/* Without items, for comprehensions that are built in. NULL, without an exception: the collector
   is due, or there is no memory. */
PyObject *_PyJit_NewList(void);
PyObject *_PyJit_NewSet(void);
PyObject *_PyJit_NewDict(void);
/* Copies of what is exactly a list, set or dict. 0: as above, or keys' methods would run. */
PyReg _PyJit_CopyList(PyReg list);
PyReg _PyJit_CopySet(PyReg set);
PyReg _PyJit_CopyDict(PyReg dict);
/* Of words, whose ints become objects. NULL: there is no memory. */
PyObject *_PyJit_OneTuple(PyReg a);
PyObject *_PyJit_Pair(PyReg a, PyReg b);
PyObject *_PyJit_Triple(PyReg a, PyReg b, PyReg c);
/* Put words into one that nobody else sees: 1, or 0: there is no memory, or keys' methods would
   run. TakeRef: the word's reference becomes the list's, unless 0 is returned. */
int64_t _PyJit_FillList(PyObject *list, PyReg item);
int64_t _PyJit_FillListTakeRef(PyObject *list, PyReg item);
int64_t _PyJit_FillSet(PyObject *set, PyReg item);
int64_t _PyJit_FillDict(PyObject *dict, PyReg key, PyReg value);
/* Is a word a number, a str, or a tuple of a few such? Hashing and comparing them runs no code. */
int64_t _PyJit_IsPlain(PyReg word);
/* Of the items of a list that nobody else sees, which is gone then. NULL: it is as it was. */
PyObject *_PyJit_TupleOfList(PyObject *list);
PyObject *_PyJit_SetOfList(PyObject *list);
PyObject *_PyJit_JoinList(PyObject *list, PyObject *separator);
/* Loops over dicts and sets that nothing changes meanwhile get so many entries at once, a power of
   two. The functions return how many there are in round `round` and the next ones, 0 at the end.
   Behind the last, if they are fewer, there is NULL for a key. They are borrowed. */
#define JIT_FETCHED 8
#define JIT_FETCH_LEVELS 8
typedef struct {
    PyObject *keys[JIT_FETCHED], *values[JIT_FETCHED];
    Py_ssize_t place, left;     /* where it goes on in the table; how many keys a set has there */
} JitFetched;
/* By the depth of the loop. Nothing else runs in such a loop, so one is enough for all threads. */
extern JitFetched _PyJit_Fetched[JIT_FETCH_LEVELS];
int64_t _PyJit_FetchEntries(PyObject *dict, int64_t round, JitFetched *to);
int64_t _PyJit_FetchKeys(PyObject *set, int64_t round, JitFetched *to);
/* Of the running instruction: 0 or -1. */
int64_t _PyJit_AddToList(PyVMFrame *f, PyThreadState *ts);
int64_t _PyJit_AddToSet(PyVMFrame *f, PyThreadState *ts);
int64_t _PyJit_AddToDict(PyVMFrame *f, PyThreadState *ts);

#endif
