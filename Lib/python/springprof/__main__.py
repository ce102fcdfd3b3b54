import sys

from springprof.cli import main

if __name__ == "__main__":
    sys.exit(main())
