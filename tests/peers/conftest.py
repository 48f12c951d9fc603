"""Makes the translations of this folder importable, as `peers.links` and so on; the benchmarks use them too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
