/* The version of the language and of the C API: that of the CPython for which Springboard
   is a drop-in replacement. It can be included by itself, also by a resource compiler. */
#ifndef Py_PATCHLEVEL_H
#define Py_PATCHLEVEL_H

/* Values of PY_RELEASE_LEVEL. */
#define PY_RELEASE_LEVEL_ALPHA 0xA
#define PY_RELEASE_LEVEL_BETA  0xB
#define PY_RELEASE_LEVEL_GAMMA 0xC  /* release candidate */
#define PY_RELEASE_LEVEL_FINAL 0xF

#define PY_VERSION        "3.11.2"
#define PY_MAJOR_VERSION  3
#define PY_MINOR_VERSION  11
#define PY_MICRO_VERSION  2
#define PY_RELEASE_LEVEL  PY_RELEASE_LEVEL_FINAL
#define PY_RELEASE_SERIAL 0

/* One number for comparisons: 0xMMmmuuLS, major, minor, micro, level, serial. */
#define PY_VERSION_HEX \
    (PY_MAJOR_VERSION << 24 | PY_MINOR_VERSION << 16 | PY_MICRO_VERSION << 8 \
     | PY_RELEASE_LEVEL << 4 | PY_RELEASE_SERIAL)
#endif
