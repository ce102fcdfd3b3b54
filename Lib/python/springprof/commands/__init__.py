"""The commands; see springprof.cli for what a module has."""
