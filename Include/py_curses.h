/* The C API of the _curses module, through a capsule. Not part of Python.h; curses.h
   must be installed. */
#ifndef Py_CURSES_H
#define Py_CURSES_H

#define NCURSES_OPAQUE 0
#include <ncurses.h>

_Py_BEGIN_DECLS

typedef struct {
    PyObject_HEAD
    WINDOW *win;
    char *encoding;
} PyCursesWindowObject;

/* The pointers in the capsule: the window type, and three functions that return 1, or 0
   with an exception if setupterm(), initscr() or start_color() has not been called. */
#define PyCurses_API_pointers 4
#define PyCurses_CAPSULE_NAME "_curses._C_API"

#ifdef CURSES_MODULE
/* _curses itself defines them. */
static PyTypeObject PyCursesWindow_Type;
#  define PyCursesWindow_Check(v) Py_IS_TYPE((v), &PyCursesWindow_Type)
#else
static void **PyCurses_API;

#  define PyCursesWindow_Type     (*(PyTypeObject *)PyCurses_API[0])
#  define PyCursesWindow_Check(v) Py_IS_TYPE((v), &PyCursesWindow_Type)

#  define _PyCurses_Ready(i) \
    { if (!((int (*)(void))PyCurses_API[i])()) { return NULL; } }
#  define PyCursesSetupTermCalled    _PyCurses_Ready(1)
#  define PyCursesInitialised        _PyCurses_Ready(2)
#  define PyCursesInitialisedColor   _PyCurses_Ready(3)

#  define import_curses() \
    (PyCurses_API = (void **)PyCapsule_Import(PyCurses_CAPSULE_NAME, 1))
#endif

/* Messages for a function that failed. */
static const char catchall_ERR[] = "curses function returned ERR";
static const char catchall_NULL[] = "curses function returned NULL";

_Py_END_DECLS
#endif
