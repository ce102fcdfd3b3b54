"""SQLAlchemy's tests for dialects, which it ships for those who write one: on sqlite here."""
import pytest

pytest.register_assert_rewrite("sqlalchemy.testing.assertions")

# The plugin reads its settings from the current directory, which run.py has made for this run.
with open("setup.cfg", "w") as f:
    f.write("[sqla_testing]\nrequirement_cls=dialect_requirements:Requirements\n"
            "profile_file=profiles.txt\n[db]\ndefault=sqlite:///:memory:\n")

from sqlalchemy.testing.plugin.pytestplugin import *  # noqa: the hooks must be names of this module
