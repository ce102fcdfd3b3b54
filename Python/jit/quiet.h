/* Built-in functions and methods as machine code calls them: quiet.c.

   Like those of items.h, these functions neither run Python code nor leave an exception. Where
   that would be needed, they have done nothing, and say so by 0 or -1: the interpreter then
   executes the instruction. They take words of registers, and values that they return have a
   reference of their own if nothing else is said. */
#ifndef SB_JIT_QUIET_H
#define SB_JIT_QUIET_H

#include "ir.h"
#include "internal/attr_place.h"

/* The function that stands for a built-in function with so many arguments, or NULL. *cls: the
   class of its value, if there is only one. */
const void *_PyJit_QuietFunction(PyCFunctionObject *func, unsigned nargs, PyTypeObject **cls);
/* The same for a method; its self, of exactly the method's class, is the first argument. */
const void *_PyJit_QuietMethod(PyMethodDescrObject *method, unsigned nargs, PyTypeObject **cls);
/* The same for a class that is called with one argument. */
const void *_PyJit_QuietType(PyTypeObject *type, PyTypeObject **cls);
/* type(value) */
PyReg _PyJit_TypeOf(PyReg value);
/* A method of str that makes nothing but strs, ints and bools: may _PyJit_StrMethod() call it? */
int _PyJit_IsQuietStrMethod(PyMethodDescrObject *method, unsigned nargs);
PyReg _PyJit_StrMethod(PyMethodDef *def, PyReg self, PyReg x, PyReg y);
/* Would one of these, for a class or a method of str, say no because of what its arguments are? */
int _PyJit_RefusesArguments(PyObject *callee, const PyReg *args, unsigned nargs);

/* Does a function of these files, of items.h, texts.h or displays.h change nothing that others can
   see? */
int _PyJit_OnlyMakes(const void *function);

/* 1, 0, or -1: its methods have to say so. */
int64_t _PyJit_Truth(PyReg value);
/* The same for a comparison; op is Py_LT and so on. */
int64_t _PyJit_Compare(PyReg x, PyReg y, int op);
/* For which the free list has no memory; or NULL. */
PyObject *_PyJit_NewInt(int64_t value);
PyObject *_PyJit_NewFloat(double value);
/* A complex number, or NULL. The other function writes it into `old`, which gets one more
   reference, if only the caller refers to that. */
PyObject *_PyJit_ComplexOf(double re, double im);
PyObject *_PyJit_ComplexAgain(double re, double im, PyObject *old);
/* The int of a machine word without a sign, or 0. */
PyReg _PyJit_IntOfWord(uint64_t word);
/* Are the keys of the type's dictionary, and of its bases', all strs? Then to search them runs no
   code. */
int _PyJit_IsSearchedQuietly(PyTypeObject *type);
/* The type that has the version, if it is such a type; or NULL. */
PyTypeObject *_PyJit_TypeOfVersion(uint32_t version);
/* _PyAttr_InInstances(), _PyAttr_OfClass() and _PyVM_PlainInit() of such types; of others nothing
   is known. */
_PyAttrPlace _PyJit_PlaceInInstances(PyTypeObject *type, PyObject *name);
_PyAttrPlace _PyJit_PlaceOfClass(PyTypeObject *type, PyObject *name);
PyObject *_PyJit_PlainInit(PyTypeObject *type);
/* An attribute, or a method that takes the owner first, if that is known without a search
   (internal/attr_place.h). Borrowed. */
PyObject *_PyJit_Attr(PyObject *owner, PyObject *name);
PyObject *_PyJit_Method(PyObject *owner, PyObject *name);
/* Has the owner certainly no attribute of this name in a dictionary of its own? */
uintptr_t _PyJit_LacksOwn(PyObject *owner, PyObject *name);
/* Can the attribute be stored without a search or a new key? Then _PyJit_StoreAttr() does it: it
   takes the value's reference and returns what was there, with its reference, or NULL. */
int64_t _PyJit_MayStore(PyObject *owner, PyObject *name);
PyObject *_PyJit_StoreAttr(PyObject *owner, PyObject *name, PyObject *value);
/* Makes room for one more item: 1, or 0. */
int _PyJit_ListRoom(PyListObject *list);

#endif
