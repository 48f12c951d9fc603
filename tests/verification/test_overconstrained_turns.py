"""200 random overconstrained linkages of eight families, each through every configuration of a turn, against their way
by closure and energy alone (`random_linkages`)."""

import itertools

import numpy as np
import pytest
from random_linkages import FAMILIES, random_linkage

import jourdain as jd

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")]

NUMBERS = range(25)
C = jd.constraints
METHODS = {
    "projection": C.Projection(),
    "optimal": C.Projection(partition="optimal"),
    "baumgarte": None,
    "orthogonal": C.Orthogonal(),
    "orthogonal unit": C.Orthogonal(weight="unit"),
    "uncorrected": C.Orthogonal(correct=False),
    "partitioning": C.Partitioning(),
    "null-space": C.NullSpace(),
    "conjugate-gradients": C.ConjugateGradients(),
    "blocks": C.ConjugateGradients(preconditioner="blocks"),
    "momenta": C.Momenta(),
}
EXPLICIT = tuple(itertools.product(METHODS, ("dop853", "dopri5")))
IMPLICIT = tuple(itertools.product(("bdf", "radau", "generalized-alpha", "newmark"), ("index-3", "index-2", "index-1")))


@pytest.fixture(scope="module", params=list(itertools.product(FAMILIES, NUMBERS)), ids=lambda one: f"{one[0]}-{one[1]}")
def turn(request):
    """A linkage, its model, and its number among all."""
    family, number = request.param
    one = random_linkage(family, number)
    return one, one.system().compile(), list(FAMILIES).index(family) + len(FAMILIES) * number


def error(turn, **options) -> float:
    """Largest error of a coordinate at twelve times on the way [rad]."""
    one, model, _ = turn
    run = jd.simulate(model, one.start(model), one.way.until, output=one.way.until / 12, **options)
    return one.way.error(run.record.time, run.record.q)


def test_defaults(turn):
    """An error of rtol = 1e-9 a step adds up along some ten radians; 1e-7 leaves ten for each of ten."""
    assert error(turn) < 1e-7


def test_runge_kutta_is_of_fourth_order(turn):
    """From ten steps a segment of the way, which are shorter where it bends: a quarter of the step gives 1/256 of the
    error, or at least 1/32 where the errors of the coarser steps happen to cancel along the way (over all linkages the
    median of the orders is 4.0)."""
    one = turn[0]
    steps = 12 * round(10 * len(one.way.lengths) / 12)
    coarse, fine = (error(turn, step=one.way.until / n) for n in (steps, 4 * steps))
    assert fine < max(coarse / 32.0, 1e-10)


def test_every_constraint_method(turn):
    """One after the other, so that each has some nine linkages. Baumgarte's rate is that of the motion."""
    one, model, count = turn
    method, integrator = EXPLICIT[count % len(EXPLICIT)]
    keeping = METHODS[method]
    if keeping is None:
        keeping = C.Baumgarte(rate=2.0 * float(np.max(np.abs(one.start(model).v))))
    off = error(turn, constraints=keeping, method=integrator, rtol=1e-10, atol=1e-12)
    assert off < (1e-5 if method == "baumgarte" else 1e-7)


def test_every_implicit_method(turn):
    """BDF and Radau IIA: the error falls with the tolerance. Generalized-alpha and Newmark are of second order at fixed
    steps, ten a segment of the way: a quarter of the step gives 1/16 of the error, or at least 1/5, down to 3e-5, what
    the ends of corrections leave in index 3. Where they choose their steps the error falls in jumps in index 3, with
    surplus rows and without: positions alone are judged."""
    one, _, count = turn
    method, form = IMPLICIT[count % len(IMPLICIT)]
    if method in ("bdf", "radau"):
        first, second = ({"rtol": r, "atol": 1e-2 * r} for r in (1e-6, 1e-8))
        least, floor, off = 0.3, 1e-8, 1e-3
    else:
        steps = 12 * round(10 * len(one.way.lengths) / 12)
        first, second = ({"step": one.way.until / n, "rtol": 1e-12, "atol": 1e-14} for n in (steps, 4 * steps))
        least, floor, off = 0.2, 3e-5, 1e-2
    loose, tight = (error(turn, method=method, form=form, **options) for options in (first, second))
    assert tight < max(least * loose, floor)
    assert tight < off
