"""The standard library's distutils.sysconfig, which learns here where our headers are: it looks
below the prefix of the library, where another interpreter's may lie."""
import os
import sys
import warnings
from _frozen_importlib_external import SourceFileLoader

_library = os.path.join(sys._stdlib_dir, "distutils", "sysconfig.py")
if not os.path.exists(_library):
    raise ModuleNotFoundError(f"No module named {__name__!r}", name=__name__)
with warnings.catch_warnings(record=True) as _said:
    warnings.simplefilter("always")
    exec(SourceFileLoader(__name__, _library).get_code(__name__), globals())
for _warning in _said:
    warnings.warn(_warning.message, stacklevel=2)
__file__ = _library

_python_inc_below = get_python_inc


def get_python_inc(plat_specific=0, prefix=None):
    """Return the folder with our C headers, or where they would be below another prefix.

    pyconfig.h is in the same folder, so 'plat_specific' makes no difference.
    """
    if prefix is None:
        return get_config_var("INCLUDEPY")
    return _python_inc_below(plat_specific, prefix)
