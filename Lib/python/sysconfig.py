"""The standard library's sysconfig, which learns here where our headers and the
record of our build are: not below the prefix of the library, whose package may
have brought another interpreter's."""
import os
import sys
from _frozen_importlib_external import SourceFileLoader

_LIBRARY = os.path.join(sys._stdlib_dir, "sysconfig.py")
_name, __name__ = __name__, "sysconfig"
exec(SourceFileLoader(__name__, _LIBRARY).get_code(__name__), globals())
__name__ = _name
__file__ = _LIBRARY

for _scheme in ("posix_prefix", "posix_local", "deb_system", "posix_venv"):
    # The scheme for virtual environments says, outside of one, what one would
    # be like: there headers go below its own prefix.
    if _scheme != "posix_venv" or _PREFIX != _BASE_PREFIX:
        _INSTALL_SCHEMES[_scheme]["include"] = "{INCLUDEPY}"
        _INSTALL_SCHEMES[_scheme]["platinclude"] = "{CONFINCLUDEPY}"
del _name, _scheme


def get_makefile_filename():
    """Return the path of the file with the variables of the build."""
    return os.path.join(get_config_var("LIBPL"), "Makefile")


if __name__ == "__main__":
    _main()
