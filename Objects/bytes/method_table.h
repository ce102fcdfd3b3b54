/* The method table entries that bytes and bytearray share. Included inside the braces
   of the two tables, with HEX_EXAMPLE defined as an expression for three bytes in the
   docstring of hex. */
#define SHARED(name, flags, doc) \
    {#name, _PyCFunction_CAST(_PyBytesLike_##name), flags, doc}

    SHARED(capitalize, METH_NOARGS,
           "B.capitalize() -> copy of B\n\nThe first byte in upper case, the "
           "rest in lower case (ASCII)."),
    SHARED(center, METH_FASTCALL,
           "center($self, width, fillchar=b' ', /)\n--\n\n"
           "Centred in width bytes."),
    SHARED(count, METH_FASTCALL | METH_FOR_TUPLE,
           "B.count(sub[, start[, end]]) -> int\n\n"
           "Occurrences of sub in B[start:end] that do not overlap."),
    SHARED(decode, METH_FASTCALL | METH_KEYWORDS,
           "decode($self, /, encoding='utf-8', errors='strict')\n--\n\n"
           "The text that the bytes encode."),
    SHARED(endswith, METH_FASTCALL | METH_FOR_TUPLE,
           "B.endswith(suffix[, start[, end]]) -> bool\n\n"
           "Does B[start:end] end with suffix, or with one of a tuple?"),
    SHARED(expandtabs, METH_FASTCALL | METH_KEYWORDS,
           "expandtabs($self, /, tabsize=8)\n--\n\n"
           "Tabs replaced by spaces up to the next tab stop."),
    SHARED(find, METH_FASTCALL | METH_FOR_TUPLE,
           "B.find(sub[, start[, end]]) -> int\n\n"
           "The lowest index of sub in B[start:end], or -1."),
    SHARED(fromhex, METH_O | METH_CLASS,
           "fromhex($type, string, /)\n--\n\n"
           "The bytes that pairs of hexadecimal digits spell; white space "
           "between them is skipped."),
    SHARED(hex, METH_FASTCALL | METH_KEYWORDS,
           "hex($self, /, sep=<unrepresentable>, bytes_per_sep=1)\n--\n\n"
           _PyBytes_HEX_DOC(HEX_EXAMPLE)),
    SHARED(index, METH_FASTCALL | METH_FOR_TUPLE,
           "B.index(sub[, start[, end]]) -> int\n\n"
           "Like find(), but a missing sub raises ValueError."),
    SHARED(isalnum, METH_NOARGS,
           "B.isalnum() -> bool\n\nAre all bytes ASCII letters or digits, at "
           "least one?"),
    SHARED(isalpha, METH_NOARGS,
           "B.isalpha() -> bool\n\nAre all bytes ASCII letters, at least "
           "one?"),
    SHARED(isascii, METH_NOARGS,
           "B.isascii() -> bool\n\nAre all bytes below 128?"),
    SHARED(isdigit, METH_NOARGS,
           "B.isdigit() -> bool\n\nAre all bytes ASCII digits, at least "
           "one?"),
    SHARED(islower, METH_NOARGS,
           "B.islower() -> bool\n\nAre all ASCII letters lower case, at least "
           "one?"),
    SHARED(isspace, METH_NOARGS,
           "B.isspace() -> bool\n\nAre all bytes ASCII white space, at least "
           "one?"),
    SHARED(istitle, METH_NOARGS,
           "B.istitle() -> bool\n\nDoes upper case start each word, and only "
           "that?"),
    SHARED(isupper, METH_NOARGS,
           "B.isupper() -> bool\n\nAre all ASCII letters upper case, at least "
           "one?"),
    SHARED(join, METH_O,
           "join($self, iterable_of_bytes, /)\n--\n\n"
           "The bytes-like objects of the iterable with this one between "
           "them."),
    SHARED(ljust, METH_FASTCALL,
           "ljust($self, width, fillchar=b' ', /)\n--\n\n"
           "Left-justified in width bytes."),
    SHARED(lower, METH_NOARGS,
           "B.lower() -> copy of B\n\nASCII letters in lower case."),
    SHARED(lstrip, METH_FASTCALL,
           "lstrip($self, bytes=None, /)\n--\n\n"
           "Without leading white space, or leading bytes of the "
           "argument."),
    SHARED(maketrans, METH_FASTCALL | METH_STATIC,
           "maketrans(frm, to, /)\n--\n\n"
           "A table for translate() that maps each byte of the first argument "
           "to the one\nat the same place in the second."),
    SHARED(partition, METH_O,
           "partition($self, sep, /)\n--\n\n"
           "What is before the first sep, sep itself, and what is after it."),
    SHARED(replace, METH_FASTCALL,
           "replace($self, old, new, count=-1, /)\n--\n\n"
           "A copy with occurrences of old, at most count from the left, "
           "replaced by new."),
    SHARED(removeprefix, METH_O,
           "removeprefix($self, prefix, /)\n--\n\n"
           "What is after prefix, or all of it if it does not start so."),
    SHARED(removesuffix, METH_O,
           "removesuffix($self, suffix, /)\n--\n\n"
           "What is before suffix, or all of it if it does not end so."),
    SHARED(rfind, METH_FASTCALL | METH_FOR_TUPLE,
           "B.rfind(sub[, start[, end]]) -> int\n\n"
           "The highest index of sub in B[start:end], or -1."),
    SHARED(rindex, METH_FASTCALL | METH_FOR_TUPLE,
           "B.rindex(sub[, start[, end]]) -> int\n\n"
           "Like rfind(), but a missing sub raises ValueError."),
    SHARED(rjust, METH_FASTCALL,
           "rjust($self, width, fillchar=b' ', /)\n--\n\n"
           "Right-justified in width bytes."),
    SHARED(rpartition, METH_O,
           "rpartition($self, sep, /)\n--\n\n"
           "What is before the last sep, sep itself, and what is after it."),
    SHARED(rsplit, METH_FASTCALL | METH_KEYWORDS,
           "rsplit($self, /, sep=None, maxsplit=-1)\n--\n\n"
           "Like split(), counting separators from the end."),
    SHARED(rstrip, METH_FASTCALL,
           "rstrip($self, bytes=None, /)\n--\n\n"
           "Without trailing white space, or trailing bytes of the "
           "argument."),
    SHARED(split, METH_FASTCALL | METH_KEYWORDS,
           "split($self, /, sep=None, maxsplit=-1)\n--\n\n"
           "The list of the parts between separators; None means runs of "
           "white space."),
    SHARED(splitlines, METH_FASTCALL | METH_KEYWORDS,
           "splitlines($self, /, keepends=False)\n--\n\n"
           "The list of the lines, with their ends if keepends is true."),
    SHARED(startswith, METH_FASTCALL | METH_FOR_TUPLE,
           "B.startswith(prefix[, start[, end]]) -> bool\n\n"
           "Does B[start:end] start with prefix, or with one of a tuple?"),
    SHARED(strip, METH_FASTCALL,
           "strip($self, bytes=None, /)\n--\n\n"
           "Without white space, or bytes of the argument, at both ends."),
    SHARED(swapcase, METH_NOARGS,
           "B.swapcase() -> copy of B\n\nUpper case becomes lower case and "
           "the reverse (ASCII)."),
    SHARED(title, METH_NOARGS,
           "B.title() -> copy of B\n\nWords start in upper case and go on in "
           "lower case (ASCII)."),
    SHARED(translate, METH_FASTCALL | METH_KEYWORDS,
           "translate($self, table, /, delete=b'')\n--\n\n"
           "Without the bytes of delete, the others mapped by the table of "
           "256 bytes\n(None: unchanged)."),
    SHARED(upper, METH_NOARGS,
           "B.upper() -> copy of B\n\nASCII letters in upper case."),
    SHARED(zfill, METH_O,
           "zfill($self, width, /)\n--\n\n"
           "Padded on the left with zeros, after a sign."),

#undef SHARED
