/* Empty, for code that includes it: the opcodes of Springboard's register machine are not
   CPython's, and change between builds. The opcode and dis modules list them. */
#ifndef Py_OPCODE_H
#define Py_OPCODE_H
#endif
