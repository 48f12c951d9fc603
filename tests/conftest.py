"""What every test shares: no window opens, no helper compiles, seeds and profiles are set."""

import os
import random
from pathlib import Path

os.environ["MPLBACKEND"] = "Agg"
os.environ["JOURDAIN_AHEAD"] = "off"  # the cores are busy with other tests

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

SEED = 1909
PEERS = Path(__file__).parent / "peers"
LARGEST_CACHE = 80e6
"""What all tests together may compile [bytes]."""

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]
# No deadline, and no complaint of slowness: the first example of a test may compile kernels.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=25,
    print_blob=True,
    suppress_health_check=QUIET,
)
settings.register_profile("dev", deadline=None, max_examples=25, suppress_health_check=QUIET)
settings.register_profile("long", deadline=None, max_examples=200, suppress_health_check=QUIET)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything under tests/peers carries the marker `peer`, so that `make test` leaves it out."""
    peers = f"{PEERS}{os.sep}"
    for item in items:
        if str(item.path).startswith(peers):
            item.add_marker(pytest.mark.peer)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With a cache of their own (`CI=1 make test`), all that the tests compile stays small."""
    if os.environ.get("CI") and "JOURDAIN_CACHE_DIR" in os.environ and not hasattr(session.config, "workerinput"):
        cache = Path(os.environ["JOURDAIN_CACHE_DIR"])
        size = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
        print(f"\nthe kernels of all tests take {size / 1e6:.1f} MB on disk")
        if size > LARGEST_CACHE:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            print(f"that is more than {LARGEST_CACHE / 1e6:.0f} MB: something is compiled many times")


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """Start the global generators of Python and NumPy from the same seed in every test."""
    random.seed(SEED)
    np.random.seed(SEED)


@pytest.fixture
def rng() -> np.random.Generator:
    """A NumPy generator with a fixed seed."""
    return np.random.default_rng(SEED)
