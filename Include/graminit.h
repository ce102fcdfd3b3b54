/* Empty, as in CPython: the numbers of grammar rules were removed with the old parser. */
