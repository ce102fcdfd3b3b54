/* What pwd, grp and spwd have in common: a database of C structures that can be read from
   one end to the other or asked for one entry, and a struct sequence as the Python form
   of an entry.

   Each module describes its database once, in a `struct account_database`; its module
   state is an AccountState. */
#ifndef SB_ACCOUNTS_H
#define SB_ACCOUNTS_H

#include "Python.h"

#include <sys/types.h>

typedef struct {
    PyTypeObject *type;         /* of the entries */
} AccountState;

struct account_database {
    PyStructSequence_Desc *desc;
    /* Returns a new reference to the Python form of an entry. */
    PyObject *(*make)(PyObject *module, const void *entry);
    void (*rewind)(void);
    void *(*next)(void);
    void (*close)(void);
    /* The reentrant look-up, by name, or by id if name is NULL: 0 or an error number;
       *found is NULL if there is no such entry. `room` has space for an entry, `text` for
       its strings. */
    int (*find)(const char *name, id_t id, void *room, char *text, size_t size, void **found);
    size_t entry_size;
    int text_size_name;         /* of sysconf() */
};

/* For Py_mod_exec: adds the type of the entries to the module. */
int _PyAccounts_Exec(PyObject *module, const struct account_database *db);
int _PyAccounts_Traverse(PyObject *module, visitproc visit, void *arg);
int _PyAccounts_Clear(PyObject *module);
void _PyAccounts_Free(void *module);

/* Returns a new reference: text, or None for NULL. NULL with an exception set. */
PyObject *_PyAccounts_Text(const char *text);

/* Returns a new entry of the items. Steals them; a NULL among them means that an
   exception is set, and the result is NULL. */
PyObject *_PyAccounts_Entry(PyObject *module, PyObject **items, int count);

/* Returns a new list of all entries. */
PyObject *_PyAccounts_All(PyObject *module, const struct account_database *db);

/* Runs without the GIL. Returns a new entry, or NULL with an exception set: KeyError with
   the given message if there is none. */
PyObject *_PyAccounts_ByName(PyObject *module, const struct account_database *db,
                             PyObject *name, const char *no_such_name);
PyObject *_PyAccounts_ById(PyObject *module, const struct account_database *db, id_t id,
                           PyObject *(*as_int)(id_t), const char *no_such_id);

/* Returns a new bytes object: a str encoded for the file system. ValueError if there is a
   null byte in it. */
PyObject *_PyAccounts_EncodeName(PyObject *name);

#endif
