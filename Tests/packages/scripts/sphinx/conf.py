extensions = ["sphinx.ext.autodoc"]
