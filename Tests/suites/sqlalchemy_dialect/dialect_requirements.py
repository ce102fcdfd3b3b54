from sqlalchemy.testing import exclusions
from sqlalchemy.testing.requirements import SuiteRequirements


class Requirements(SuiteRequirements):
    """What sqlite without attached databases cannot do."""
    schemas = property(lambda self: exclusions.closed())
    views = property(lambda self: exclusions.closed())
