"""Laws of a user's against the interpreter, over every kind of index."""

from __future__ import annotations

import pytest
import random_laws

BATCH = 25


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1080))
def test_two_thousand_random_laws(seed, tmp_path):
    """The same states at the end; where Python raises an `IndexError`, the run stops there, then, and says why."""
    random_laws.check(seed, BATCH, tmp_path)
