/* The global flags that PyConfig replaced. Python/runtime/config sets them. */
#include "Python.h"

int Py_UTF8Mode = 0, Py_DebugFlag = 0, Py_VerboseFlag = 0, Py_QuietFlag = 0;
int Py_InteractiveFlag = 0, Py_InspectFlag = 0, Py_OptimizeFlag = 0, Py_NoSiteFlag = 0;
int Py_BytesWarningFlag = 0, Py_FrozenFlag = 0, Py_IgnoreEnvironmentFlag = 0;
int Py_DontWriteBytecodeFlag = 0, Py_NoUserSiteDirectory = 0, Py_UnbufferedStdioFlag = 0;
int Py_HashRandomizationFlag = 0, Py_IsolatedFlag = 0;
