"""A slender beam spun up about its root: the case that tells apart how bending and axial force are coupled.

Damaren & Sharf, J. Dyn. Sys. Meas. Control 117 (1995), section 4.1, with the torque that would spin the rigid beam up;
Simo & Vu-Quoc, J. Sound Vib. 119 (1987), with the angle prescribed. The nonlinear truth is a chain of rigid segments.
"""

import numpy as np
import pytest
from damaren_sharf_spin_up import BY_ANGLE, BY_TORQUE, LENGTH, PAPER, arm, lag, reference, spin

import jourdain as jd


@pytest.mark.parametrize("how", [pytest.param("torque", marks=pytest.mark.slow), "angle"])
def test_default_agrees_with_the_segment_chain(how):
    """Within 1 % of the peak at every moment of the transient, foreshortening too."""
    run = spin(arm(modes=jd.Modes(bending_y=3)), BY_TORQUE if how == "torque" else BY_ANGLE, until=9.0)
    u, v = lag(run)
    truth = reference(how)
    assert np.max(np.abs(v - truth[:, 1])) < 0.01 * np.max(np.abs(truth[:, 1]))
    assert u.min() == pytest.approx(truth[:, 0].min() - LENGTH, rel=0.02)


def test_prescribed_spin_of_the_inconsistent_model_diverges():
    """Held at 6 rad/s it grows as exp(4.64 t): Omega^2 - omega_1^2 = 4.64^2."""
    run = spin(arm(**PAPER, fidelity="inconsistent"), BY_ANGLE, until=16.0)
    v = np.abs(lag(run)[1])
    late = run.record.time > 15.2
    assert v[-1] > 100.0
    assert np.polyfit(run.record.time[late], np.log(v[late]), 1)[0] == pytest.approx(4.64, rel=0.01)


@pytest.mark.parametrize("basis", ["polynomial", "clamped-free", "finite-element"])
def test_converges_to_the_segment_chain_with_the_number_of_functions(basis):
    """What remains at many functions is the second-order theory's own error, under 1 % here; it does not grow."""
    truth = reference("angle")[:, 1]
    counts = (2, 4, 6) if basis == "finite-element" else (1, 2, 4)
    errors = []
    for count in counts:
        _, v = lag(spin(arm(modes=jd.Modes(bending_y=count), basis=basis), BY_ANGLE, until=9.0))
        errors.append(np.max(np.abs(v - truth)) / np.max(np.abs(truth)))
    assert errors[2] < 0.01 and errors[2] < errors[0] and errors[1] < max(errors[0], 0.01)
