"""The standard library's distutils, but for its module sysconfig, which is ours beside this file."""
import os
import sys
import warnings
from _frozen_importlib_external import SourceFileLoader

_folder = os.path.join(sys._stdlib_dir, "distutils")
_library = os.path.join(_folder, "__init__.py")
if not os.path.exists(_library):
    raise ModuleNotFoundError("No module named 'distutils'", name="distutils")
__path__.append(_folder)

# The library's module warns who imports it, one frame up: that would be this file.
with warnings.catch_warnings(record=True) as _said:
    warnings.simplefilter("always")
    exec(SourceFileLoader(__name__, _library).get_code(__name__), globals())
for _warning in _said:
    warnings.warn(_warning.message, stacklevel=2)
__file__ = _library
