/* Between gc.c and known_alive.c. */
#ifndef SB_KNOWN_ALIVE_H
#define SB_KNOWN_ALIVE_H

#include "collector.h"

/* Where what survives a collection of the middle generation goes. */
PyGC_Head *_PyGC_OldSurvivors(void);
/* A collection of the middle generation is over, and so many objects have survived it: the round
   that goes on, if there is one, goes on in proportion. wanted: for so many a full collection
   waits. */
void _PyGC_GoOnFinding(Py_ssize_t survivors, Py_ssize_t wanted);
/* May a full collection that is due begin? (No, if the round has to end before.) */
int _PyGC_HasFound(void);
/* Are there objects out of the generations, at which a full collection need not look? */
int _PyGC_LeavesOut(void);
/* So many of them were found alive. What is only new has not been looked at, may be garbage, and
   should not let the next full collection wait. */
Py_ssize_t _PyGC_NumberFound(void);
/* After a full collection that came by itself: begins the next round, if it is worth while. */
void _PyGC_BeginFinding(Py_ssize_t survivors, int garbage_is_rare);

#endif
