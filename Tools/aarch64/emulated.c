/* Stands for the cross-built python: runs it under qemu with the same arguments,
   argv[0] included. A program and no shell script, which would drop variables of
   the environment whose names a shell does not know. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    const char *command[] = {"qemu-aarch64-static", "-L", SYSROOT, "-0", argv[0], PYTHON};
    const int n = sizeof(command) / sizeof(command[0]);
    const char **args = calloc((size_t)(n + argc), sizeof(*args));
    if (args == NULL || argc == 0) {
        return 127;
    }
    for (int i = 0; i < n; i++) {
        args[i] = command[i];
    }
    for (int i = 1; i <= argc; i++) {           /* its NULL too */
        args[n + i - 1] = argv[i];
    }
    execvp(args[0], (char **)args);
    perror(args[0]);
    return 127;
}
