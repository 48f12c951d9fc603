"""Studies of many runs: designs, variants, executors, the store of results, statistics and searches."""
