"""C source of ours beside CasADi's code of an independent formulation: the same numbers, and what each costs."""

from __future__ import annotations

import pytest

pytest.importorskip("casadi")
from peers.with_casadi import agreement, function, links, operations, ours  # noqa: E402

NAMES = ["inverse_dynamics", "forward_dynamics", "forward_derivatives"]


@pytest.mark.parametrize("name", NAMES)
def test_two_formulations_agree(name):
    assert agreement(name, links(7)) < 1e-12


def test_operations_of_seven_axes(tmp_path):
    """A recursion in the axes of the bodies is cheaper than ours in the world's for efforts, a little for
    accelerations; formulas of derivatives are cheaper than differentiated expressions."""
    chain = links(7)
    mine = {name: sum(counts[:2]) for name, counts in ours(chain, tmp_path, NAMES).items()}
    theirs = {name: sum(operations(function(name, chain))[:2]) for name in NAMES}
    assert 1.5 < mine["inverse_dynamics"] / theirs["inverse_dynamics"] < 2.1
    assert 1.0 < mine["forward_dynamics"] / theirs["forward_dynamics"] < 1.2
    assert mine["forward_derivatives"] / theirs["forward_derivatives"] < 0.45
