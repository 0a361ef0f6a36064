import sys

from vrocm.rocprofv3 import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
