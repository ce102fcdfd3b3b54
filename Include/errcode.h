/* The ways in which reading a program can end. */
#ifndef Py_ERRCODE_H
#define Py_ERRCODE_H

#define E_OK            10
#define E_EOF           11
#define E_INTR          12      /* interrupted */
#define E_TOKEN         13
#define E_SYNTAX        14
#define E_NOMEM         15
#define E_DONE          16
#define E_ERROR         17      /* see the exception */
#define E_TABSPACE      18      /* tabs and spaces mixed */
#define E_OVERFLOW      19
#define E_TOODEEP       20      /* too many levels of indentation */
#define E_DEDENT        21      /* a dedent to no outer level */
#define E_DECODE        22
#define E_EOFS          23      /* end of file in a triple-quoted string */
#define E_EOLS          24      /* end of line in a string */
#define E_LINECONT      25      /* something after a backslash */
#define E_BADSINGLE     27      /* more than one statement */
#define E_INTERACT_STOP 28
#endif
