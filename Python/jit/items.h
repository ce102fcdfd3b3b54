/* What machine code asks of containers (items.c). These functions neither run Python code nor
   leave an exception: where that would be needed they say so, and the interpreter executes the
   instruction. */
#ifndef SB_JIT_ITEMS_H
#define SB_JIT_ITEMS_H

#include "ir.h"

/* Of a tag, too. Returns a new reference; NULL: there is no memory. */
PyObject *_PyJit_ObjectOf(PyReg word);
/* Is it a key that these functions can look for? */
int _PyJit_IsQuietKey(PyReg key);
/* The hash of what hashes and compares without running code; 0: it may run code. */
int _PyJit_QuietHash(PyObject *key, Py_hash_t *hash);
/* The value of a key. Returns a new reference; NULL: the key isn't there, or its methods have
   to say so. */
PyObject *_PyJit_DictItem(PyDictObject *dict, PyReg key);
/* The same for the tuple (a, b), or (a, b, c) if c is not 0, which is not made. */
PyObject *_PyJit_DictItemOf(PyDictObject *dict, PyReg a, PyReg b, PyReg c);
/* dict.get(). Returns a new reference or a tag; 0: the key's methods have to say so. */
PyReg _PyJit_DictGet(PyDictObject *dict, PyReg key, PyReg otherwise);
PyReg _PyJit_DictGetOrNone(PyDictObject *dict, PyReg key);
/* The same for the tuple (a, b), which is not made. */
PyReg _PyJit_DictGetOf(PyDictObject *dict, PyReg a, PyReg b, PyReg otherwise);
/* Stores in a dict. Returns what was there before, whose reference is the caller's, or a tag;
   0: nothing is done. */
PyReg _PyJit_DictStore(PyDictObject *dict, PyReg key, PyReg value);
/* The same for the tuple (a, b), which is made only if the key is new. */
PyReg _PyJit_DictStoreOf(PyDictObject *dict, PyReg a, PyReg b, PyReg value);
/* In a dict of counts that nobody else sees: one more of a plain word (_PyJit_IsPlain()), or of the
   tuple (a, b), or (a, b, c) if c is not 0, of such, which is made only if it is new. 1, or 0: it
   is not counted. */
int64_t _PyJit_CountUp(PyObject *dict, PyReg key);
int64_t _PyJit_CountUpOf(PyObject *dict, PyReg a, PyReg b, PyReg c);
/* set.add(). Returns None; 0: the item's methods have to say whether it is new. */
PyReg _PyJit_SetAdd(PySetObject *set, PyReg item);
/* The same for the tuple (a, b), which is made only if it is new. */
PyReg _PyJit_SetAddOf(PySetObject *set, PyReg a, PyReg b);

/* set.discard(), set.remove(). Return None; 0: code would run, or there is no such item. */
PyReg _PyJit_SetDiscard(PySetObject *set, PyReg item);
PyReg _PyJit_SetRemove(PySetObject *set, PyReg item);

/* `d[x] += 1` searches once, and so does `if x not in s: s.add(x)`. The functions above that only
   search remember where that ended; these take it from there. So they may be called only if the
   last such search was for the same key of the same container, and no container has been changed
   since, and nothing else has run (_PyJit_WasSearched()). */
PyObject *_PyJit_DictItemFound(PyDictObject *dict, PyReg key);
PyReg _PyJit_DictStoreFound(PyDictObject *dict, PyReg key, PyReg value);
PyReg _PyJit_DictStoreFoundOf(PyDictObject *dict, PyReg a, PyReg b, PyReg value);
PyReg _PyJit_SetAddFound(PySetObject *set, PyReg item);
PyReg _PyJit_SetAddFoundOf(PySetObject *set, PyReg a, PyReg b);

/* A character of a str. Returns a new reference, or 0. */
PyReg _PyJit_Element(PyObject *str, int64_t index);
/* An element of a str, bytes or bytearray, or the value of an int key. Returns a new reference or a
   tag; 0: there is none, or it is another container. */
PyReg _PyJit_PlainItem(PyReg container, PyReg key);
/* The iterator of a range of tags, without the range. Returns a new reference, or NULL. */
PyObject *_PyJit_RangeIter(PyReg start, PyReg stop, PyReg step);
/* Is the item in the container? 1, 0, or -1: not known. */
int64_t _PyJit_Contains(PyReg item, PyReg container);
/* Is that tuple in it? */
int64_t _PyJit_ContainsTuple(PyReg container, PyReg a, PyReg b, PyReg c);

/* What a function that machine code calls searches for. */
typedef enum {
    JIT_NO_SEARCH,
    JIT_SEARCH_KEY,             /* dict, key */
    JIT_SEARCH_IN,              /* key, container */
    JIT_SEARCH_PARTS,           /* container and the parts of a tuple; the third may be 0 */
    JIT_SEARCH_PAIR,            /* dict and two parts */
    JIT_SEARCH_OTHER,
} JitSearch;

/* Of one of the functions above; of others JIT_NO_SEARCH. */
JitSearch _PyJit_SearchOf(const void *function);

#endif
