/* Empty, as CPython's is: the numbers of a grammar's rules went with the old parser. */
