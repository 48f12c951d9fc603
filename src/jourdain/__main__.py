"""`python -m jourdain` is the command `jourdain`."""

import os
import sys

# Python put the current folder first on its path; what lies beside a scenario is not a part of the program.
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if not sys.flags.safe_path and sys.path and os.path.abspath(sys.path[0]) == os.getcwd() != _HOME:
    del sys.path[0]

from .commands.cli import app  # noqa: E402

app(prog_name="jourdain")
