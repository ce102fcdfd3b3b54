"""Sphinx settings: sphinx-build -b html Doc build/doc (package python3-sphinx)."""
project = "Springboard"
author = "the Springboard founders"
copyright = "the Springboard founders, MIT licence"
master_doc = "index"
highlight_language = "none"
html_theme = "alabaster"
exclude_patterns = []
nitpicky = False
