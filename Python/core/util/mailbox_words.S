/* The mailbox (internal/mailbox.h), and the note by which tools find it: owner "Springboard",
   type 1. Its contents are two distances in bytes, each from its own place: to the mailbox, and
   to the word at which the VM looks. */
    .section .data, "aw", %progbits
    .p2align 6
    .globl  _Py_mailbox
    .hidden _Py_mailbox
    .type   _Py_mailbox, %object
    .size   _Py_mailbox, 256
_Py_mailbox:
    .ascii  "SBMAIL\0\0"
    .4byte  1, 256              /* MAILBOX_VERSION, MAILBOX_SIZE */
    .zero   240

    .section .note.springboard, "a", %note
    .p2align 2
    .4byte  12, 16, 1           /* sizes of name and contents, type */
    .asciz  "Springboard"
    .8byte  _Py_mailbox - .
    .8byte  _Py_attention - .

    .section .note.GNU-stack, "", %progbits
