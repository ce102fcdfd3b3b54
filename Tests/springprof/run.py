"""Runs the unittest files of this folder, or those named (--help)."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

# Processes that multiprocessing spawns import this file.
if __name__ == "__main__":
    import unittest_files
    sys.exit(unittest_files.main(HERE))
