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

del _name
_expand_library_vars = _expand_vars


def _expand_vars(scheme, vars):
    given = vars or ()
    paths = _expand_library_vars(scheme, vars)
    # Who names another installation, or asks what a virtual environment would
    # be like from outside, wants to know where headers would go.
    if (scheme in _WITH_OUR_HEADERS and "installed_base" not in given
            and (not scheme.endswith("venv") or _PREFIX != _BASE_PREFIX)):
        paths["include"] = get_config_var("INCLUDEPY")
        paths["platinclude"] = get_config_var("CONFINCLUDEPY")
    return paths


_WITH_OUR_HEADERS = {"posix_prefix", "posix_local", "deb_system", "posix_venv", "venv"}


def get_makefile_filename():
    """Return the path of the file with the variables of the build."""
    return os.path.join(get_config_var("LIBPL"), "Makefile")


if __name__ == "__main__":
    _main()
