"""Bennett's, Bricard's, Sarrus' and Goldberg's linkages by every constraint method and every integrator, against their
motion in one coordinate (`linkages`)."""

import numpy as np
import pytest
from linkages import LINKAGES

import jourdain as jd

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")]

METHODS = {
    "projection": jd.constraints.Projection(),
    "optimal": jd.constraints.Projection(partition="optimal"),
    "baumgarte": jd.constraints.Baumgarte(rate=30.0),
    "unstabilised": jd.constraints.Unstabilised(),
    "orthogonal": jd.constraints.Orthogonal(),
    "orthogonal unit": jd.constraints.Orthogonal(weight="unit"),
    "partitioning": jd.constraints.Partitioning(),
    "null-space": jd.constraints.NullSpace(),
    "conjugate-gradients": jd.constraints.ConjugateGradients(),
    "blocks": jd.constraints.ConjugateGradients(preconditioner="blocks"),
    "momenta": jd.constraints.Momenta(),
}
EXPLICIT = {"euler": (1, 5e-5), "heun": (2, 1e-3), "rk3": (3, 2e-3), "rk4": (4, 4e-3), "rk5": (5, 1e-2)}
"""Orders, and steps at which the error is well above rounding and below one."""


@pytest.fixture(scope="module", params=LINKAGES)
def linkage(request):
    one = LINKAGES[request.param]
    model = one.system().compile()
    return one, model, one.start(model)


def error(linkage, until: float, **options) -> float:
    """Largest error of a coordinate at the end."""
    one, model, state = linkage
    run = jd.simulate(model, state, until, output=until, **options)
    return float(np.max(np.abs(run.record.q[-1] - one.motion(until)[0])))


def largest_error(linkage, **options) -> float:
    """The same at ten times up to 1 s: at a single one the errors of a vibration may cancel."""
    one, model, state = linkage
    run = jd.simulate(model, state, 1.0, output=0.1, **options)
    return float(np.max(np.abs(run.record.q[1:] - one.motion(*(0.1 * i for i in range(1, 11))))))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("integrator", ["dop853", "dopri5"])
def test_adaptive_methods(linkage, integrator, method):
    """Tolerances of 1e-13: what is left of the error after 3 s is below 1e-9.

    Where nothing brings the state back, an error of size x in the rows grows as x'' = r^2 x, r being the rate at which
    the space of the rows turns: hundredfold a second in Bennett's linkage. So multipliers alone are asked for 1 s.
    """
    until = 1.0 if method == "unstabilised" else 3.0
    off = error(linkage, until, method=integrator, rtol=1e-13, atol=1e-14, constraints=METHODS[method])
    assert off < 1e-9


@pytest.mark.parametrize("method", [name for name in METHODS if name != "unstabilised"])
@pytest.mark.parametrize("integrator", EXPLICIT)
def test_fixed_steps_keep_their_order(linkage, integrator, method):
    """Over a quarter of the step: the factor of its power depends on which rows were taken when. Of multipliers alone
    the step says too little: so does how an error goes on."""
    order, step = EXPLICIT[integrator]
    options = {"method": integrator, "constraints": METHODS[method]}
    coarse, fine = (largest_error(linkage, step=h, **options) for h in (step, step / 4))
    assert fine < 1e-10 or 0.5 * np.log2(coarse / fine) > order - 0.4


@pytest.mark.parametrize("form", ["index-3", "index-2", "index-1"])
@pytest.mark.parametrize(
    "method", [jd.implicit.GeneralizedAlpha(), jd.implicit.Newmark(), jd.implicit.Radau()], ids=lambda one: one.name
)
def test_implicit_steps_keep_their_order(linkage, method, form):
    """Radau IIA is of order 5 in index 1 and 2, and of order 3 in the velocities of index 3 (Hairer & Wanner 1996,
    section VII.4). Corrections end at a hundredth of the tolerances."""
    order = 2 if method.name != "radau" else 3 if form == "index-3" else 5
    step = 2e-3 if order == 2 else 2e-2
    options = {"method": method, "form": form, "rtol": 1e-11, "atol": 1e-12}
    coarse, fine = (largest_error(linkage, step=h, **options) for h in (step, step / 2))
    assert fine < 1e-9 or np.log2(coarse / fine) > order - 0.4


@pytest.mark.parametrize("form", ["index-3", "index-2", "index-1"])
@pytest.mark.parametrize("method", ["bdf", "radau", "generalized-alpha", "newmark"])
def test_implicit_methods_with_error_control(linkage, method, form):
    """The error falls with the tolerance, and the run ends."""
    pairs = (1e-6, 1e-8) if method in ("bdf", "radau") else (1e-5, 1e-7)
    loose, tight = (error(linkage, 3.0, method=method, rtol=r, atol=1e-2 * r, form=form) for r in pairs)
    assert tight < max(0.3 * loose, 1e-9)
    assert tight < 1e-2
