/* _datetime: the module, its constants and the C API. */

#include "datetime_module.h"
#include "internal/compare.h"
#include "internal/jit.h"
#include "internal/module_init.h"

/* ---------------------------------------------------------------- the C API */

static PyObject *
api_datetime(int year, int month, int day, int hour, int minute, int second,
             int us, PyObject *tzinfo, PyTypeObject *type)
{
    return _dt_new_datetime(year, month, day, hour, minute, second, us,
                            tzinfo, 0, type);
}

static PyObject *
api_datetime_and_fold(int year, int month, int day, int hour, int minute,
                      int second, int us, PyObject *tzinfo, int fold,
                      PyTypeObject *type)
{
    return _dt_new_datetime(year, month, day, hour, minute, second, us,
                            tzinfo, fold, type);
}

static PyObject *
api_time(int hour, int minute, int second, int us, PyObject *tzinfo,
         PyTypeObject *type)
{
    return _dt_new_time(hour, minute, second, us, tzinfo, 0, type);
}

static PyObject *
api_time_and_fold(int hour, int minute, int second, int us, PyObject *tzinfo,
                  int fold, PyTypeObject *type)
{
    return _dt_new_time(hour, minute, second, us, tzinfo, fold, type);
}

static PyObject *
api_date_fromtimestamp(PyObject *cls, PyObject *args)
{
    PyObject *timestamp;
    if (!PyArg_UnpackTuple(args, "fromtimestamp", 1, 1, &timestamp)) {
        return NULL;
    }
    return _dt_date_fromtimestamp(cls, timestamp);
}

static PyDateTime_CAPI api = {
    .DateType = &_PyDateTime_DateType,
    .DateTimeType = &_PyDateTime_DateTimeType,
    .TimeType = &_PyDateTime_TimeType,
    .DeltaType = &_PyDateTime_DeltaType,
    .TZInfoType = &_PyDateTime_TZInfoType,
    .Date_FromDate = _dt_new_date,
    .DateTime_FromDateAndTime = api_datetime,
    .Time_FromTime = api_time,
    .Delta_FromDelta = _dt_new_delta,
    .TimeZone_FromTimeZone = _dt_new_timezone,
    .DateTime_FromTimestamp = _dt_datetime_fromtimestamp,
    .Date_FromTimestamp = api_date_fromtimestamp,
    .DateTime_FromDateAndTimeAndFold = api_datetime_and_fold,
    .Time_FromTimeAndFold = api_time_and_fold,
};

/* --------------------------------------------------------- class attributes */

/* Steals value. */
static int
set_in_type(PyTypeObject *type, const char *name, PyObject *value)
{
    if (value == NULL) {
        return -1;
    }
    int status = PyDict_SetItemString(type->tp_dict, name, value);
    Py_DECREF(value);
    return status;
}

static PyObject *
delta(int days, int seconds, int us)
{
    return _dt_new_delta(days, seconds, us, 0, &_PyDateTime_DeltaType);
}

/* Steals offset. */
static PyObject *
zone(PyObject *offset)
{
    PyObject *result = offset == NULL
        ? NULL : _dt_create_timezone(offset, NULL);
    Py_XDECREF(offset);
    return result;
}

static int
init_class_attributes(void)
{
    PyTypeObject *date = &_PyDateTime_DateType;
    PyTypeObject *time = &_PyDateTime_TimeType;
    PyTypeObject *datetime = &_PyDateTime_DateTimeType;
    PyTypeObject *duration = &_PyDateTime_DeltaType;
    PyTypeObject *timezone = &_PyDateTime_TimeZoneType;
    if (set_in_type(duration, "resolution", delta(0, 0, 1)) < 0
        || set_in_type(duration, "min", delta(-MAX_DELTA_DAYS, 0, 0)) < 0
        || set_in_type(duration, "max",
                       delta(MAX_DELTA_DAYS, 24 * 3600 - 1, 999999)) < 0
        || set_in_type(date, "min", _dt_new_date(1, 1, 1, date)) < 0
        || set_in_type(date, "max",
                       _dt_new_date(MAXYEAR, 12, 31, date)) < 0
        || set_in_type(date, "resolution", delta(1, 0, 0)) < 0
        || set_in_type(time, "min",
                       _dt_new_time(0, 0, 0, 0, Py_None, 0, time)) < 0
        || set_in_type(time, "max", _dt_new_time(23, 59, 59, 999999, Py_None,
                                                 0, time)) < 0
        || set_in_type(time, "resolution", delta(0, 0, 1)) < 0
        || set_in_type(datetime, "min",
                       _dt_new_datetime(1, 1, 1, 0, 0, 0, 0, Py_None, 0,
                                        datetime)) < 0
        || set_in_type(datetime, "max",
                       _dt_new_datetime(MAXYEAR, 12, 31, 23, 59, 59, 999999,
                                        Py_None, 0, datetime)) < 0
        || set_in_type(datetime, "resolution", delta(0, 0, 1)) < 0) {
        return -1;
    }
    _dt_utc = zone(delta(0, 0, 0));
    if (_dt_utc == NULL) {
        return -1;
    }
    if (set_in_type(timezone, "utc", Py_NewRef(_dt_utc)) < 0
        || set_in_type(timezone, "min", zone(delta(-1, 60, 0))) < 0
        || set_in_type(timezone, "max",
                       zone(delta(0, (23 * 60 + 59) * 60, 0))) < 0) {
        return -1;
    }
    _dt_epoch = _dt_new_datetime(1970, 1, 1, 0, 0, 0, 0, _dt_utc, 0,
                                 datetime);
    return _dt_epoch == NULL ? -1 : 0;
}

/* --------------------------------------------------------------- the module */

/* A zone of Python's may have a destructor; UTC stays. */
static int
datetime_dies_alone(PyObject *self)
{
    return !_PyDateTime_HAS_TZINFO(self) || ((PyDateTime_DateTime *)self)->tzinfo == _dt_utc;
}

static int
time_dies_alone(PyObject *self)
{
    return !_PyDateTime_HAS_TZINFO(self) || ((PyDateTime_Time *)self)->tzinfo == _dt_utc;
}

/* The types and singletons are shared by the whole process. */
static int
init_types(void)
{
    static PyTypeObject *const types[] = {
        &_PyDateTime_DateType,
        &_PyDateTime_DateTimeType,
        &_PyDateTime_TimeType,
        &_PyDateTime_DeltaType,
        &_PyDateTime_TZInfoType,
        &_PyDateTime_TimeZoneType,
        &_PyDateTime_IsoCalendarDateType,
    };
    if (_dt_epoch != NULL) {
        return 0;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (PyType_Ready(types[i]) < 0) {
            return -1;
        }
    }
    _PyObject_LearnQuickCompare(_PyDateTime_DateType.tp_richcompare, _dt_date_quick_compare);
    _PyObject_LearnQuickCompare(_PyDateTime_DateTimeType.tp_richcompare,
                                _dt_datetime_quick_compare);
    _PyObject_LearnQuickCompare(_PyDateTime_DeltaType.tp_richcompare, _dt_delta_quick_compare);
    _PyJit_LearnDiesAlone(&_PyDateTime_DateTimeType, datetime_dies_alone);
    _PyJit_LearnDiesAlone(&_PyDateTime_TimeType, time_dies_alone);
    return init_class_attributes();
}

static int
datetime_exec(PyObject *module)
{
    if (init_types() < 0) {
        return -1;
    }
    const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {
        {"date", &_PyDateTime_DateType},
        {"datetime", &_PyDateTime_DateTimeType},
        {"time", &_PyDateTime_TimeType},
        {"timedelta", &_PyDateTime_DeltaType},
        {"tzinfo", &_PyDateTime_TZInfoType},
        {"timezone", &_PyDateTime_TimeZoneType},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (PyModule_AddObjectRef(module, types[i].name,
                                  (PyObject *)types[i].type) < 0) {
            return -1;
        }
    }
    if (PyModule_AddIntConstant(module, "MINYEAR", MINYEAR) < 0
        || PyModule_AddIntConstant(module, "MAXYEAR", MAXYEAR) < 0
        || PyModule_AddObjectRef(module, "UTC", _dt_utc) < 0) {
        return -1;
    }
    api.TimeZone_UTC = _dt_utc;
    PyObject *capsule = PyCapsule_New(&api, PyDateTime_CAPSULE_NAME, NULL);
    int status = PyModule_AddObjectRef(module, "datetime_CAPI", capsule);
    Py_XDECREF(capsule);
    return status;
}

static PyModuleDef_Slot datetime_slots[] = {
    {Py_mod_exec, datetime_exec},
    {0, NULL}
};

static struct PyModuleDef datetime_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_datetime",
    .m_doc = "Fast implementation of the datetime type.",
    .m_size = 0,
    .m_slots = datetime_slots,
};

MODULE_INIT(_datetime)
{
    return PyModuleDef_Init(&datetime_module);
}
