/* The digits of an int: value = sum of ob_digit[i] * 2**(30*i), with the sign, and the
   number of digits, in ob_size. The highest digit is not 0; 0 itself has no digits. */
#if !defined(Py_LONGINTREPR_H) && !defined(Py_LIMITED_API)
#define Py_LONGINTREPR_H

_Py_BEGIN_DECLS

typedef uint32_t digit;
typedef int32_t sdigit;
typedef uint64_t twodigits;
typedef int64_t stwodigits;

#define PyLong_SHIFT          30
#define PyLong_BASE           ((digit)1 << PyLong_SHIFT)
#define PyLong_MASK           ((digit)(PyLong_BASE - 1))
/* The largest power of ten in a digit. */
#define _PyLong_DECIMAL_SHIFT 9
#define _PyLong_DECIMAL_BASE  ((digit)1000000000)

struct _longobject {
    PyObject_VAR_HEAD
    digit ob_digit[1];
};

/* Makes an int with room for this number of digits, which the caller fills. */
PyAPI_FUNC(PyLongObject *) _PyLong_New(Py_ssize_t ndigits);
PyAPI_FUNC(PyObject *) _PyLong_Copy(PyLongObject *src);

_Py_END_DECLS
#endif
