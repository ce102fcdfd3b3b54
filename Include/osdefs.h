/* Paths of the operating system. Not part of Python.h. */
#ifndef Py_OSDEFS_H
#define Py_OSDEFS_H

#define SEP   L'/'      /* separates the names of a path */
#define DELIM L':'      /* separates the paths of a list */

#ifndef MAXPATHLEN
#  define MAXPATHLEN PATH_MAX
#endif
#endif
