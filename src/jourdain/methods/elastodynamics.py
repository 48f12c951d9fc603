"""`model.elastodynamics`: small deformations on a rigid motion that is known, as linear equations that vary in time.

The frames of all bodies move as the profiles say, whatever the bodies do; what is left are the internal coordinates e
of beams, reduced bodies and solids, to first order (Vlase, Tofan & Goia 2002, eq. 11 and 23):

    M e'' + (D + C(w)) e' + (K + K_E(w') + K_W(w^2) + K_G) e = -f

    M    = int N^T N dm              C   = 2 int N^T W N dm         (Coriolis)
    K_E  = int N^T E N dm (Euler)    K_W = int N^T W W N dm         (centrifugal)

with N the shapes, W and E the skew matrices of angular velocity and acceleration, K and D stiffness and damping, and f
what inertia, gravity and constant forces ask of the coordinates without deformation. K_G is the geometric stiffness of
the stresses that these make: of beams, through the shortening by bending (the paper's eq. 13); solids and reduced
bodies have shapes linear in e, and none.

Nothing is integrated anew for it: the matrices are derivatives of inverse dynamics by e, e' and e'', which are linear
in the accelerations and quadratic in the velocities of the motion. With a velocity alone they have K_W and C, with an
acceleration alone K_E; and the same with bodies whose shapes are linear in e (`Body.unstiffened`) is without K_G.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.values import as_number, suggestion
from ..describe.motions import Motion
from ..model.derivatives import check_dense, tree_derivatives
from ..model.linear.applied_forces import tree_efforts
from ..model.linear.constrained import constrained
from ..model.linear.modes import Frequencies, of_matrices
from ..model.model import Model
from ..model.selection import internal_entries
from ..model.state import State
from ..run.plan import prescribed


class Matrices(NamedTuple):
    """The equations at one time, (n, n) each and f (n,); see the module."""

    mass: np.ndarray
    damping: np.ndarray
    coriolis: np.ndarray
    stiffness: np.ndarray
    euler: np.ndarray
    centrifugal: np.ndarray
    geometric: np.ndarray
    force: np.ndarray


@dataclass(frozen=True, eq=False)
class Deformation:
    """What became of the deformations on the known motion.

    time                      (times,) [s]
    coordinates, rates        (times, n), of `names`
    q, v                      of the whole model, the known motion included (times, nq), (times, nv)
    """

    time: np.ndarray
    coordinates: np.ndarray
    rates: np.ndarray
    q: np.ndarray
    v: np.ndarray
    names: tuple[str, ...]

    def __getitem__(self, name: str) -> np.ndarray:
        """An internal coordinate over time."""
        if name not in self.names:
            raise ModelError.at(str(name), f"no such internal coordinate; {suggestion(str(name), self.names)}")
        return self.coordinates[:, self.names.index(name)]


class Elastodynamics:
    """Linear equations of the internal coordinates on a known motion; see the module.

    model        without loops, contacts and laws; bodies that deform as far as they like are not for it
    motions      profiles by names of joint coordinates, as in `simulate`; other joints stay as they are in the state
    state        where the motion begins
    geometric    False leaves K_G out, as elements without it do: what spins then softens, and buckles at speeds at
                 which it does not
    names        of the internal coordinates, in the order of the matrices
    """

    def __init__(
        self, model: Model, motions: Mapping[str, Motion], state: State | None = None, geometric: bool = True
    ) -> None:
        self.model, self.geometric = model, geometric
        _refuse(model)
        self.state = model.state() if state is None else state
        self.free = np.array(sorted(internal_entries(model)), int)
        self.names = tuple(model.names.v[k] for k in self.free)
        inside = [name for name in motions if model.index.v.get(name, -1) in self.free]
        if inside:
            raise ModelError.at(inside[0], "deforms, and cannot be prescribed here; prescribe it in jd.simulate")
        q, v = self.state.q, self.state.v
        self._profiles = prescribed(model, q, v, motions, self.state.time, np.inf)
        loose = [model.names.v[k] for k in np.flatnonzero(v) if k not in self._profiles and k not in self.free]
        if loose:
            raise ModelError.at(loose[0], "moves in the state and has no profile; give it one in motions=")

    @cached_property
    def _unstiffened(self) -> Model:
        """The model with shapes linear in the internal coordinates."""
        from ..describe.description import from_dict

        system = from_dict(self.model.description, without_laws=True)
        system.attachments = [replace(one, body=one.body.unstiffened()) for one in system.attachments]
        made = system.compile()
        if made.names.v != self.model.names.v:
            raise ModelError.at("elastodynamics", "bodies without stiffening have other coordinates; give axial='auto'")
        return made

    def motion(self, time: float) -> tuple[State, np.ndarray]:
        """The model undeformed in its known motion at a time, and its accelerations (nv,)."""
        from ..kernels.tree.motions import profile

        q, v, a = self.state.q.copy(), np.zeros(self.model.nv), np.zeros(self.model.nv)
        at = self.model.arrays.q_index
        q[at[self.free]] = self.model.neutral[at[self.free]]
        for k, (code, numbers) in self._profiles.items():
            q[at[k]], v[k], a[k] = profile.py_func(code, numbers, 0, float(time))
        return State(float(time), q, v, self.state.z.copy()), a

    def at(self, time: float) -> Matrices:
        """All matrices at a time."""
        state, a = self.motion(time)
        rest, still = State(state.time, state.q, 0.0 * state.v, state.z), 0.0 * a
        own = self._of(self._unstiffened, rest, still)
        spun, pushed = self._of(self._unstiffened, state, still), self._of(self._unstiffened, rest, a)
        K, C, M, f = self._of(self.model, state, a)
        euler, centrifugal = pushed[0] - own[0], spun[0] - own[0]
        if not self.geometric:
            K, C, M = own[0] + euler + centrifugal, spun[1], own[2]
        return Matrices(
            mass=M,
            damping=own[1],
            coriolis=C - own[1],
            stiffness=own[0],
            euler=euler,
            centrifugal=centrifugal,
            geometric=K - own[0] - euler - centrifugal,
            force=f,
        )

    def _of(self, model: Model, state: State, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Whole stiffness, damping and mass of the internal coordinates, and what they ask for undeformed."""
        here = np.ix_(self.free, self.free)
        K, C, M = tree_derivatives(model, state, a)
        return K[here], C[here], M[here], tree_efforts(model, state, a)[self.free]

    def frequencies(self, time: float = 0.0) -> Frequencies:
        """Natural frequencies and shapes with the motion frozen as it is at a time."""
        one = self.at(time)
        K = one.stiffness + one.euler + one.centrifugal + one.geometric
        return of_matrices(one.mass, one.damping + one.coriolis, K, self.names)

    def integrate(self, until: float, step: float) -> Deformation:
        """The deformations from those of the state on, by the rule of constant average acceleration (Newmark 1959).

        until    [s]
        step     [s]; the rule is of second order, and stable whatever the step
        """
        h, span = as_number(step, "step"), as_number(until, "until") - self.state.time
        if not (h > 0.0 and span > 0.0):
            raise ModelError.at("step", f"got step {h:g} s until {until:g} s; give a step above 0 and a later end")
        times = self.state.time + span * np.arange(round(span / h) + 1) / max(round(span / h), 1)
        h = float(times[1] - times[0])
        at = self.model.arrays.q_index[self.free]
        e, r = np.zeros((2, len(times), len(self.free)))
        q, v = np.empty((len(times), self.model.nq)), np.empty((len(times), self.model.nv))
        e[0], r[0] = self.state.q[at] - self.model.neutral[at], self.state.v[self.free]
        model = self.model if self.geometric else self._unstiffened
        acceleration = np.zeros(len(self.free))
        for i, t in enumerate(times):
            state, a = self.motion(t)
            K, C, M, f = self._of(model, state, a)
            if i == 0:
                acceleration = np.linalg.solve(M, -f - C @ r[0] - K @ e[0])
            else:
                guess = e[i - 1] + h * r[i - 1] + 0.25 * h * h * acceleration
                speed = r[i - 1] + 0.5 * h * acceleration
                acceleration = np.linalg.solve(M + 0.5 * h * C + 0.25 * h * h * K, -f - C @ speed - K @ guess)
                e[i], r[i] = guess + 0.25 * h * h * acceleration, speed + 0.5 * h * acceleration
            q[i], v[i] = state.q, state.v
            q[i, at] += e[i]
            v[i, self.free] = r[i]
        return Deformation(times, e, r, q, v, self.names)

    def __repr__(self) -> str:
        text = "" if self.geometric else ", without geometric stiffness"
        return f'<Elastodynamics of "{self.model.name}": {len(self.names)} internal coordinates{text}>'


def elastodynamics(
    model: Model, motions: Mapping[str, Motion], state: State | None = None, geometric: bool = True
) -> Elastodynamics:
    """Linear equations of small deformations on a known rigid motion; see `Elastodynamics`."""
    return Elastodynamics(model, motions, state, geometric)


def _refuse(model: Model) -> None:
    """Refuses what linear equations on a known motion do not describe."""
    large = model.features & {"cable", "shell"}
    laws = [*model.contacts.names, *(force.name for force in model.law_forces)]
    if constrained(model):
        raise ModelError.at("elastodynamics", "this model has loops; linearise it along a run, model.linearize(run)")
    if laws:
        raise ModelError.at(laws[0], "elastodynamics knows no contacts and laws; model.linearize(run) does")
    if large or model.features & {"deploying", "ale"}:
        raise ModelError.at("elastodynamics", "cables, shells and beams that deploy are not linear; use jd.simulate")
    if not model.flexible:
        raise ModelError.at("elastodynamics", "no body of this model deforms; add a jd.Beam, ReducedBody or Solid")
    check_dense(model, "elastodynamics")
