"""Writes tests/golden/*.playthrough anew (`make golden`). Look at the diff before you keep it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from kit.golden import write_all

if __name__ == "__main__":
    write_all()
