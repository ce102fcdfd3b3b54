/* tzinfo, the abstract base of time zones; timezone, a fixed offset. */

#include "datetime_module.h"
#include "internal/names.h"

typedef struct {
    PyObject_HEAD
    PyObject *offset;           /* a timedelta */
    PyObject *name;             /* a str, or NULL */
} TimeZoneObject;

#define ZONE(op) ((TimeZoneObject *)(op))

_Py_IDENTIFIER(__getinitargs__);

PyObject *_dt_utc;
PyObject *_dt_epoch;

/* ---------------------------------------------------------- asking a tzinfo */

int
_dt_check_tzinfo(PyObject *op)
{
    if (op == Py_None || PyTZInfo_Check(op)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "tzinfo argument must be None or of a "
                 "tzinfo subclass, not type '%s'", Py_TYPE(op)->tp_name);
    return -1;
}

static PyObject *
ask_for_delta(PyObject *tzinfo, PyObject *method, PyObject *dt)
{
    if (tzinfo == Py_None) {
        Py_RETURN_NONE;
    }
    PyObject *offset = PyObject_CallMethodOneArg(tzinfo, method, dt);
    if (offset == NULL || offset == Py_None) {
        return offset;
    }
    if (!PyDelta_Check(offset)) {
        PyErr_Format(PyExc_TypeError, "tzinfo.%U() must return None or "
                     "timedelta, not '%.200s'", method,
                     Py_TYPE(offset)->tp_name);
        Py_DECREF(offset);
        return NULL;
    }
    __int128 us = _dt_delta_us(offset);
    if (us <= -US_PER_DAY || us >= US_PER_DAY) {
        PyErr_SetString(PyExc_ValueError, "offset must be a timedelta "
                        "strictly between -timedelta(hours=24) and "
                        "timedelta(hours=24).");
        Py_DECREF(offset);
        return NULL;
    }
    return offset;
}

PyObject *
_dt_utcoffset(PyObject *tzinfo, PyObject *dt)
{
    if (Py_IS_TYPE(tzinfo, &_PyDateTime_TimeZoneType)) {
        return Py_NewRef(ZONE(tzinfo)->offset);
    }
    return ask_for_delta(tzinfo, _Py_NAME(utcoffset), dt);
}

PyObject *
_dt_dst(PyObject *tzinfo, PyObject *dt)
{
    return ask_for_delta(tzinfo, _Py_NAME(dst), dt);
}

PyObject *
_dt_tzname(PyObject *tzinfo, PyObject *dt)
{
    if (tzinfo == Py_None) {
        Py_RETURN_NONE;
    }
    PyObject *name = PyObject_CallMethodOneArg(tzinfo, _Py_NAME(tzname), dt);
    if (name == NULL || name == Py_None || PyUnicode_Check(name)) {
        return name;
    }
    PyErr_Format(PyExc_TypeError, "tzinfo.tzname() must return None or a "
                 "string, not '%s'", Py_TYPE(name)->tp_name);
    Py_DECREF(name);
    return NULL;
}

/* ------------------------------------------------------------------- tzinfo */

static PyObject *
not_implemented(const char *method)
{
    PyErr_Format(PyExc_NotImplementedError,
                 "a tzinfo subclass must implement %s()", method);
    return NULL;
}

static PyObject *
tzinfo_tzname(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(dt))
{
    return not_implemented("tzname");
}

static PyObject *
tzinfo_utcoffset(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(dt))
{
    return not_implemented("utcoffset");
}

static PyObject *
tzinfo_dst(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(dt))
{
    return not_implemented("dst");
}

static int
check_fromutc(PyObject *self, PyObject *dt)
{
    if (!PyDateTime_Check(dt)) {
        PyErr_SetString(PyExc_TypeError,
                        "fromutc: argument must be a datetime");
        return -1;
    }
    if (_dt_datetime_tzinfo(dt) != self) {
        PyErr_SetString(PyExc_ValueError, "fromutc: dt.tzinfo is not self");
        return -1;
    }
    return 0;
}

/* The standard offset is utcoffset() - dst(). First it is added, which gives standard
   time; then the dst() of that time is added. */
static PyObject *
tzinfo_fromutc(PyObject *self, PyObject *dt)
{
    PyObject *offset = NULL, *dst = NULL, *standard = NULL, *result = NULL;
    if (check_fromutc(self, dt) < 0) {
        return NULL;
    }
    offset = _dt_utcoffset(self, dt);
    if (offset == NULL) {
        return NULL;
    }
    if (offset == Py_None) {
        PyErr_SetString(PyExc_ValueError,
                        "fromutc: non-None utcoffset() result required");
        goto done;
    }
    dst = _dt_dst(self, dt);
    if (dst == NULL) {
        goto done;
    }
    if (dst == Py_None) {
        PyErr_SetString(PyExc_ValueError,
                        "fromutc: non-None dst() result required");
        goto done;
    }
    standard = _dt_delta_subtract(offset, dst);
    if (standard == NULL) {
        goto done;
    }
    result = _dt_datetime_plus(dt, standard, 1);
    if (result == NULL) {
        goto done;
    }
    Py_SETREF(dst, _dt_dst(self, result));
    if (dst == NULL) {
        Py_CLEAR(result);
    }
    else if (dst == Py_None) {
        PyErr_SetString(PyExc_ValueError, "fromutc: tz.dst() gave"
                        "inconsistent results; cannot convert");
        Py_CLEAR(result);
    }
    else if (_dt_delta_bool(dst)) {
        Py_SETREF(result, _dt_datetime_plus(result, dst, 1));
    }
done:
    Py_XDECREF(offset);
    Py_XDECREF(dst);
    Py_XDECREF(standard);
    return result;
}

/* (class, self.__getinitargs__(), self.__getstate__()) */
static PyObject *
tzinfo_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *getinitargs = NULL, *args;
    if (_PyObject_LookupAttrId(self, &PyId___getinitargs__,
                               &getinitargs) < 0) {
        return NULL;
    }
    if (getinitargs != NULL) {
        args = PyObject_CallNoArgs(getinitargs);
        Py_DECREF(getinitargs);
    }
    else {
        args = PyTuple_New(0);
    }
    if (args == NULL) {
        return NULL;
    }
    PyObject *state = PyObject_CallMethodNoArgs(self, _Py_NAME(dunder_getstate));
    if (state == NULL) {
        Py_DECREF(args);
        return NULL;
    }
    return Py_BuildValue("(ONN)", Py_TYPE(self), args, state);
}

static PyMethodDef tzinfo_methods[] = {
    {"tzname", tzinfo_tzname, METH_O,
     "datetime -> string name of time zone."},
    {"utcoffset", tzinfo_utcoffset, METH_O,
     "datetime -> timedelta showing offset from UTC, negative values "
     "indicating West of UTC"},
    {"dst", tzinfo_dst, METH_O,
     "datetime -> DST offset as timedelta positive east of UTC."},
    {"fromutc", tzinfo_fromutc, METH_O,
     "datetime in UTC -> datetime in local time."},
    {"__reduce__", tzinfo_reduce, METH_NOARGS, "-> (cls, state)"},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyDateTime_TZInfoType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "datetime.tzinfo",
    .tp_basicsize = sizeof(PyDateTime_TZInfo),
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Abstract base class for time zone info objects.",
    .tp_methods = tzinfo_methods,
    .tp_new = PyType_GenericNew,
};

/* ----------------------------------------------------------------- timezone */

PyObject *
_dt_create_timezone(PyObject *offset, PyObject *name)
{
    PyTypeObject *type = &_PyDateTime_TimeZoneType;
    TimeZoneObject *self = (TimeZoneObject *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->offset = Py_NewRef(offset);
        self->name = Py_XNewRef(name);
    }
    return (PyObject *)self;
}

PyObject *
_dt_new_timezone(PyObject *offset, PyObject *name)
{
    __int128 us = _dt_delta_us(offset);
    if (name == NULL && us == 0) {
        return Py_NewRef(_dt_utc);
    }
    if (us <= -US_PER_DAY || us >= US_PER_DAY) {
        PyErr_Format(PyExc_ValueError, "offset must be a timedelta strictly "
                     "between -timedelta(hours=24) and timedelta(hours=24), "
                     "not %R.", offset);
        return NULL;
    }
    return _dt_create_timezone(offset, name);
}

static PyObject *
timezone_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"offset", "name", NULL};
    PyObject *offset, *name = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O!|U:timezone", keywords,
                                     &_PyDateTime_DeltaType, &offset, &name)) {
        return NULL;
    }
    return _dt_new_timezone(offset, name);
}

static void
timezone_dealloc(PyObject *self)
{
    Py_CLEAR(ZONE(self)->offset);
    Py_CLEAR(ZONE(self)->name);
    Py_TYPE(self)->tp_free(self);
}

static PyObject *
timezone_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE)
        || !Py_IS_TYPE(other, &_PyDateTime_TimeZoneType)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return _dt_order(_dt_delta_compare(ZONE(self)->offset,
                                       ZONE(other)->offset), op);
}

static Py_hash_t
timezone_hash(PyObject *self)
{
    return PyObject_Hash(ZONE(self)->offset);
}

static int
check_dt_argument(PyObject *dt, const char *method)
{
    if (dt == Py_None || PyDateTime_Check(dt)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "%s(dt) argument must be a datetime "
                 "instance or None, not %.200s", method,
                 Py_TYPE(dt)->tp_name);
    return -1;
}

static PyObject *
timezone_repr(PyObject *self)
{
    const char *name = Py_TYPE(self)->tp_name;
    if (self == _dt_utc) {
        return PyUnicode_FromFormat("%s.utc", name);
    }
    if (ZONE(self)->name == NULL) {
        return PyUnicode_FromFormat("%s(%R)", name, ZONE(self)->offset);
    }
    return PyUnicode_FromFormat("%s(%R, %R)", name, ZONE(self)->offset,
                                ZONE(self)->name);
}

static PyObject *
timezone_str(PyObject *self)
{
    if (ZONE(self)->name != NULL) {
        return Py_NewRef(ZONE(self)->name);
    }
    if (!_dt_delta_bool(ZONE(self)->offset)) {
        return PyUnicode_FromString("UTC");
    }
    char text[40];
    _dt_format_delta(text, sizeof(text), ":", ZONE(self)->offset);
    return PyUnicode_FromFormat("UTC%s", text);
}

static PyObject *
timezone_tzname(PyObject *self, PyObject *dt)
{
    return check_dt_argument(dt, "tzname") < 0 ? NULL : timezone_str(self);
}

static PyObject *
timezone_utcoffset(PyObject *self, PyObject *dt)
{
    return check_dt_argument(dt, "utcoffset") < 0
        ? NULL : Py_NewRef(ZONE(self)->offset);
}

static PyObject *
timezone_dst(PyObject *Py_UNUSED(self), PyObject *dt)
{
    return check_dt_argument(dt, "dst") < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
timezone_fromutc(PyObject *self, PyObject *dt)
{
    return check_fromutc(self, dt) < 0
        ? NULL : _dt_datetime_plus(dt, ZONE(self)->offset, 1);
}

static PyObject *
timezone_getinitargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (ZONE(self)->name == NULL) {
        return PyTuple_Pack(1, ZONE(self)->offset);
    }
    return PyTuple_Pack(2, ZONE(self)->offset, ZONE(self)->name);
}

static PyMethodDef timezone_methods[] = {
    {"tzname", timezone_tzname, METH_O,
     "The name that the time zone was created with; otherwise 'UTC', or\n"
     "'UTC(+|-)HH:MM'."},
    {"utcoffset", timezone_utcoffset, METH_O, "Return fixed offset."},
    {"dst", timezone_dst, METH_O, "Return None."},
    {"fromutc", timezone_fromutc, METH_O,
     "datetime in UTC -> datetime in local time."},
    {"__getinitargs__", timezone_getinitargs, METH_NOARGS, "pickle support"},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyDateTime_TimeZoneType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "datetime.timezone",
    .tp_basicsize = sizeof(TimeZoneObject),
    .tp_dealloc = timezone_dealloc,
    .tp_repr = timezone_repr,
    .tp_hash = timezone_hash,
    .tp_str = timezone_str,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Fixed offset from UTC implementation of tzinfo.",
    .tp_richcompare = timezone_richcompare,
    .tp_methods = timezone_methods,
    .tp_base = &_PyDateTime_TZInfoType,
    .tp_new = timezone_new,
};
