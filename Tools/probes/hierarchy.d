#!/usr/sbin/dtrace -s
/* Calls and returns of Python functions, indented by their depth:

       dtrace -q -p PID -s Tools/probes/hierarchy.d */
self int depth;

python$target:::function-entry
{
    printf("%d\t%*s => %s in %s:%d\n", timestamp / 1000, 2 * self->depth, "",
           copyinstr(arg1), copyinstr(arg0), arg2);
    self->depth++;
}

python$target:::function-return
/self->depth > 0/
{
    self->depth--;
    printf("%d\t%*s <= %s in %s:%d\n", timestamp / 1000, 2 * self->depth, "",
           copyinstr(arg1), copyinstr(arg0), arg2);
}
