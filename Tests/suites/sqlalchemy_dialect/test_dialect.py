from sqlalchemy.testing.suite import *  # noqa: the tests must be names of this module
