"""Reports as self-contained HTML pages: of runs, studies, fits and comparisons."""
