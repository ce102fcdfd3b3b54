"""springprof: from a running Python program to a picture of where its time goes, in one command.

The package drives the system's `perf`, whose stacks have this interpreter's frames in them, and
reads what it says. Data flows one way:

    engines.py    which engine takes the samples: perf_engine.py or timer.py
    perf.py       starts perf beside a program and steers it
    symbols.py    perf's answer -> samples whose frames have names, files, lines and kinds
    recording.py  samples -> one file, and back
    tables.py     a recording -> own and total time of functions and lines
    page.py       a recording -> an HTML page (page/), offline
    exports/      a recording -> other tools' formats

A command is a module of `commands`; see cli.py.
"""
