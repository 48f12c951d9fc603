"""Studies of runs: reports."""
