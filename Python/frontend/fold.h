/* Rewrites a tree in place before it is compiled: see fold.c. */
#ifndef SB_FRONTEND_FOLD_H
#define SB_FRONTEND_FOLD_H

#include "Python.h"
#include "internal/ast.h"

/* Returns 0, or -1 with an exception set. */
int _PyFold_Tree(AstNode *mod, int optimize, int future_features,
                 AstArena *arena);

#endif
