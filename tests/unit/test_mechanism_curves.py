"""Continuation on curves that are given in full: the tests that the digest of Fraczek's paper computes."""

import numpy as np
import pytest

from jourdain.mechanism import Curve, switch_branch, trace


class Arm(Curve):
    """Two links of 1 m whose tip is at (t, 1/2)."""

    names = ("q1", "q2")

    def residual(self, q, t):
        a, b = q[0], q[0] + q[1]
        return np.array([np.cos(a) + np.cos(b) - t, np.sin(a) + np.sin(b) - 0.5])

    def partials(self, q, t):
        a, b = q[0], q[0] + q[1]
        return np.array([[-np.sin(a) - np.sin(b), -np.sin(b), -1.0], [np.cos(a) + np.cos(b), np.cos(b), 0.0]])

    def curvature(self, q, t, along):
        a, b, da, db = q[0], q[0] + q[1], along[0], along[0] + along[1]
        return -np.array([np.cos(a) * da**2 + np.cos(b) * db**2, np.sin(a) * da**2 + np.sin(b) * db**2])


class Parallelogram(Curve):
    """Crank a, coupler b, rocker c on ground d with a = c and b = d, in absolute angles; theta = t is driven."""

    names = ("theta", "phi", "psi")

    def __init__(self, a=1.0, b=2.0):
        self.sizes = np.array([a, b, -a])
        self.ground = b

    def residual(self, q, t):
        return np.array([self.sizes @ np.cos(q) - self.ground, self.sizes @ np.sin(q), q[0] - t])

    def partials(self, q, t):
        rows = np.vstack([-self.sizes * np.sin(q), self.sizes * np.cos(q), [1.0, 0.0, 0.0]])
        return np.column_stack([rows, [0.0, 0.0, -1.0]])

    def curvature(self, q, t, along):
        x = along[:-1]
        return np.array([-self.sizes * np.cos(q) @ x**2, -self.sizes * np.sin(q) @ x**2, 0.0])


def test_turning_point_of_the_arm():
    """t* = sqrt(3.75), q2 = 0, q1 = 0.2526803; then the other elbow. det changes its sign there, zeta keeps it."""
    elbow = np.arccos(1.25 / 2.0 - 1.0)
    start = np.array([np.arctan2(0.5, 1.0) - elbow / 2.0, elbow])
    path = trace(Arm(), start=(start, 1.0), until=1.0)
    assert path.stopped == "until" and path.time[-1] == pytest.approx(1.0, abs=1e-14)
    (event,) = path.events
    assert event.kind == "turning"
    assert event.time == pytest.approx(np.sqrt(3.75), abs=1e-13)
    assert event.q == pytest.approx([np.arctan2(0.5, np.sqrt(3.75)), 0.0], abs=1e-12)
    assert event.time == pytest.approx(1.9364917, abs=5e-8) and event.q[0] == pytest.approx(0.2526803, abs=5e-8)
    assert np.all(path.zeta * path.zeta[0] > 0.0)
    assert path.det[0] * path.det[-1] < 0.0 and np.sum(np.diff(np.sign(path.det)) != 0) == 1
    assert path.q[-1, 1] == pytest.approx(-elbow, abs=1e-10)
    assert max(np.max(np.abs(Arm().residual(q, t))) for q, t in zip(path.q, path.time, strict=True)) < 1e-11
    assert abs(event.tangents[0, -1]) < 1e-9


def test_parallelogram_crosses_in_the_flat_position():
    """Tangents (1, 0, 1) and (1, -2, -3); zeta is +0.345 at -0.1 and -0.182 at 0.0525 on the parallelogram branch."""
    curve = Parallelogram()
    at = np.array([-0.1, 0.0, -0.1])
    path = trace(curve, start=(at, -0.1), until=0.0525, step=0.03)
    (event,) = path.events
    assert event.kind == "bifurcation" and event.dofs == 2
    assert event.q == pytest.approx(np.zeros(3), abs=1e-10) and event.time == pytest.approx(0.0, abs=1e-10)
    ours = event.tangents / event.tangents[:, :1]
    assert ours[0] == pytest.approx([1.0, 0.0, 1.0, 1.0], abs=1e-7)
    assert ours[1] == pytest.approx([1.0, -2.0, -3.0, 1.0], abs=1e-7)
    assert path.zeta[0] == pytest.approx(0.345, abs=1e-3)
    assert path.zeta[-1] == pytest.approx(-0.182, abs=5e-4)
    assert path.q[-1] == pytest.approx([0.0525, 0.0, 0.0525], abs=1e-10)


@pytest.mark.parametrize("direction", [1, -1])
def test_the_other_branch_is_the_antiparallelogram(direction):
    curve = Parallelogram()
    event = trace(curve, start=(np.array([-0.1, 0.0, -0.1]), -0.1), until=0.0525, step=0.03).events[0]
    other = switch_branch(event, until=0.4 * direction, direction=direction)
    theta, phi, psi = other.q[-1]
    assert other.stopped == "until" and theta == pytest.approx(0.4 * direction, abs=1e-12)
    # the sides that were parallel are mirrored: tan((theta + psi) / 2) tells them apart
    assert np.sign(psi) == -direction and np.sign(phi) == -direction
    assert not other.events and np.max(np.abs(curve.residual(other.q[-1], other.time[-1]))) < 1e-11


def test_a_closed_curve_is_known():
    """A crank-rocker goes round: the path comes back after one turn of its crank in t, so t never returns; a
    double-rocker turns back twice and closes."""

    class Rocker(Parallelogram):
        def __init__(self):
            self.sizes, self.ground = np.array([1.0, 0.6, -0.9]), 1.4

    at = np.array([0.9, -0.5, 2.0])
    path = trace(Rocker(), start=(at, 0.9), length=60.0)
    assert path.stopped == "closed"
    assert [one.kind for one in path.events] == ["turning", "turning"]
    high = np.arccos((1.0 + 1.4**2 - (0.6 + 0.9) ** 2) / (2 * 1.4))
    assert max(one.time for one in path.events) == pytest.approx(high, abs=1e-12)


class TwoWindows(Curve):
    """Two windows of four bars of 1 m, in absolute angles of bars and couplers; the first bar is driven."""

    names = ("b0", "b1", "b2", "c0", "c1")
    signs = np.array([[1.0, -1.0, 0.0, 1.0, 0.0], [0.0, 1.0, -1.0, 0.0, 1.0]])

    def residual(self, q, t):
        return np.concatenate([self.signs @ np.cos(q) - 1.0, self.signs @ np.sin(q), [q[0] - t]])

    def partials(self, q, t):
        rows = np.vstack([-self.signs * np.sin(q), self.signs * np.cos(q), np.eye(5)[:1]])
        return np.column_stack([rows, [0, 0, 0, 0, -1.0]])

    def curvature(self, q, t, along):
        x = along[:-1]
        return np.concatenate([-self.signs * np.cos(q) @ x**2, -self.signs * np.sin(q) @ x**2, [0.0]])


def test_two_rows_that_give_way_at_once_are_seen():
    """Flat, both windows fold at once: zeta keeps its sign, three degrees of freedom are open, four branches cross."""
    start = np.array([0.5, 0.5, 0.5, 0.0, 0.0])
    path = trace(TwoWindows(), start=(start, 0.5), direction=-1, until=-0.5)
    (event,) = path.events
    assert event.kind == "bifurcation" and event.dofs == 3
    assert event.time == pytest.approx(0.0, abs=1e-6)
    assert path.q[-1] == pytest.approx([-0.5, -0.5, -0.5, 0.0, 0.0], abs=1e-10)
    assert np.all(path.zeta * path.zeta[0] > 0.0)
