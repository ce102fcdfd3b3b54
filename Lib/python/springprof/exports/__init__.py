"""Other tools' formats, a module for each.

A module has SUFFIX, of files of that format, and make(recording), which returns their bytes.
Weights are nanoseconds in each format that can say so, and add up to what the recording has.
"""
import importlib

FORMATS = "pprof", "speedscope", "collapsed", "firefox"


def module(name):
    return importlib.import_module(f"springprof.exports.{name}")
