"""`python -m jourdain` is the command `jourdain`."""

from .cli import app

app(prog_name="jourdain")
