/* The itertools module. */
#include "itertools_impl.h"
#include "internal/module_init.h"

static PyMethodDef module_methods[] = {
    METHOD("tee", _PyItertools_Tee, METH_FASTCALL,
           "tee($module, iterable, n=2, /)\n--\n\n"
           "Returns a tuple of n independent iterators."),
    {NULL, NULL, 0, NULL}
};

static int
module_exec(PyObject *module)
{
    static PyTypeObject *const types[] = {
#define X(name) &_PyItertools_##name,
        ITERTOOLS_TYPES(X)
#undef X
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (PyModule_AddType(module, types[i]) < 0) {
            return -1;
        }
    }
    _PyItertools_AddTakers();
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

PyDoc_STRVAR(module_doc,
"Functional tools for creating and using iterators.\n\n"
"Infinite iterators:\n"
"count(start=0, step=1) --> start, start+step, start+2*step, ...\n"
"cycle(p) --> p0, p1, ... plast, p0, p1, ...\n"
"repeat(elem [,n]) --> elem, elem, elem, ... endlessly or up to n times\n\n"
"Iterators terminating on the shortest input sequence:\n"
"accumulate(p[, func]) --> p0, p0+p1, p0+p1+p2\n"
"chain(p, q, ...) --> p0, p1, ... plast, q0, q1, ...\n"
"chain.from_iterable([p, q, ...]) --> p0, p1, ... plast, q0, q1, ...\n"
"compress(data, selectors) --> (d[0] if s[0]), (d[1] if s[1]), ...\n"
"dropwhile(predicate, seq) --> seq[n], seq[n+1], starting when predicate "
"fails\n"
"groupby(iterable[, keyfunc]) --> sub-iterators grouped by value of "
"keyfunc(v)\n"
"filterfalse(predicate, seq) --> elements of seq where predicate(elem) is "
"False\n"
"islice(seq, [start,] stop [, step]) --> elements from\n"
"       seq[start:stop:step]\n"
"pairwise(s) --> (s[0],s[1]), (s[1],s[2]), (s[2], s[3]), ...\n"
"starmap(fun, seq) --> fun(*seq[0]), fun(*seq[1]), ...\n"
"tee(it, n) --> (it1, it2 , ... itn) splits one iterator into n\n"
"takewhile(predicate, seq) --> seq[0], seq[1], until predicate fails\n"
"zip_longest(p, q, ...) --> (p[0], q[0]), (p[1], q[1]), ...\n\n"
"Combinatoric generators:\n"
"product(p, q, ... [repeat=1]) --> cartesian product\n"
"permutations(p[, r])\n"
"combinations(p, r)\n"
"combinations_with_replacement(p, r)\n");

static struct PyModuleDef itertools_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "itertools",
    .m_doc = module_doc,
    .m_methods = module_methods,
    .m_slots = module_slots,
};

MODULE_INIT(itertools)
{
    return PyModuleDef_Init(&itertools_module);
}
