/* Classes that are made anew: one class statement, or one call of type(), that a program executes
   again and again. Each time that gives another class, with another version, whose instances have
   their attributes in the same places and whose methods have the same code.

   Machine code for such classes is made for one of them, the model. Where else it would compare a
   type's version with a constant (GUARD_MEM), it compares it with the one in a JitLike
   (GUARD_LIKE). If they differ, _PyJit_IsLike() asks whether all that the machine code relies on,
   the demands, is true for the type, too: then that one's version takes the place of the other, and
   the machine code goes on. Offsets are constants in the code; only what differs from class to
   class, its functions, is loaded from the JitLike, behind the guard.

     JitLike   demands[]: (name, place, rule)            what the code relies on
               ways[0]:   version, values[]              the class that the guard lets pass
               ways[1]…:  version, values[]              classes that were there before

   Values are borrowed from the classes, and nothing looks at them before a type has been seen that
   has the version, for as long as it has it. So a JitLike holds no reference but to the names, and
   the collector need not know of it. It belongs to the version of machine code that it was made
   for, and dies with it. */
#ifndef SB_JIT_LIKES_H
#define SB_JIT_LIKES_H

#include "ir.h"
#include "internal/attr_place.h"

#define JIT_LIKE_WAYS 4
#define JIT_LIKE_DEMANDS 8
/* A function with more of them has other guards there. */
#define JIT_MOST_LIKES 48

/* What has to be true of the value that a class has under the name. */
typedef enum {
    JIT_LIKE_ANY,               /* nothing: it is not looked at */
    JIT_LIKE_SAME,              /* it is the model's, which lives for ever */
    JIT_LIKE_FUNCTION,          /* it is a function with the code that has this version */
    JIT_LIKE_TYPE,              /* its type is the model's, exactly */
    JIT_LIKE_PLAIN,             /* it does not bind */
} JitLikeRule;

typedef struct {
    PyObject *name;             /* a reference */
    JitLikeRule rule;
    unsigned int kind;          /* an enum _PyAttr_PlaceKind */
    uint64_t number;
    uint64_t wanted;            /* by the rule: a pointer that is only compared, or a version */
} JitDemand;

typedef struct {
    uint32_t version;           /* of a type; 0: none */
    PyObject *values[JIT_LIKE_DEMANDS];
} JitLikeWay;

/* What the layout of instances and the way to make them are given by. */
typedef struct {
    Py_ssize_t basicsize, itemsize, dictoffset;
    unsigned long flags;
    allocfunc alloc;
    getattrofunc getattro;
    setattrofunc setattro;
    destructor finalize, del;
    PyTypeObject *base;         /* the nearest that is static */
} JitLikeFacts;

typedef struct JitLike {
    JitLikeWay ways[JIT_LIKE_WAYS];
    JitLikeFacts facts;
    int is_called;              /* the class is: demands[0] is its __init__ */
    uint32_t ndemands;
    JitDemand demands[JIT_LIKE_DEMANDS];
    uint32_t taken;             /* how many classes have come */
    int64_t since;              /* when the last of the first so many came */
    int is_given_up;            /* too many in too short a time */
    struct JitLike *next;
} JitLike;

/* ------------------------------------------------------------- while a graph is made */

/* For a class and those like it. NULL: there are too many, or there is no memory. */
JitLike *_PyJit_NewLike(JitGraph *g, PyTypeObject *model);
/* The class, as long as it is the same; or NULL. */
PyTypeObject *_PyJit_ModelOf(const JitLike *like);
/* Of the owners that an attribute has been recorded with (record.h): the last one's class, if they
   are several and have one name. *go: some are gone already, or there were too many. Or NULL. */
PyTypeObject *_PyJit_LastMadeAnew(const uint32_t *owners, int *go);
/* Classes that were all there are taken for such as go in a function's third version. */
#define JIT_LIKE_VERSIONS 2
/* Would the type be let in? */
int _PyJit_WouldFit(PyTypeObject *type, const JitLike *like);
/* From now on the attribute has to be in this place in all instances, and the class's value has to
   be of the model's kind. Returns the demand's number, or -1: that can't be told. */
int _PyJit_Demand(JitLike *like, PyObject *name, const _PyAttrPlace *place);
/* The class is called, and its __init__ is such a function. This is the first demand: number 0. */
void _PyJit_DemandInit(JitLike *like, PyFunctionObject *init);

/* ------------------------------------------------------------- while machine code runs */

/* Is the type like the model? Then ways[0] is its own. Neither runs Python code nor raises. */
int _PyJit_IsLike(PyTypeObject *type, JitLike *like);

/* All of the list. */
void _PyJit_FreeLikes(JitLike *like);

#endif
