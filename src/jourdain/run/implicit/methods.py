"""The implicit methods that `jd.simulate` knows, as objects that carry their own options."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem

FORMS = ("index-3", "index-2", "index-1")
"""How constraints enter an implicit method: met by positions, by velocities, or by accelerations."""


IMPLICIT: dict[str, type[ImplicitMethod]] = {}
"""Implicit methods by the word for `method=`; one enters where it is defined."""


@checked
class ImplicitMethod:
    """What the implicit methods share.

    name      as in `method=`
    family    methods of one family share their kernels
    chooses   whether it must choose its steps
    form      how constraints enter it where nothing is said

    All take `differences=True`: every derivative by differences of the rates, also those that are known analytically.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    chooses: ClassVar[bool] = True
    form: ClassVar[str] = "index-2"
    first_order: ClassVar[int] = 1
    every: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" in cls.__dict__:
            IMPLICIT.setdefault(cls.name, cls)

    def __init__(self, *, differences: bool = False) -> None:
        self.differences = bool(differences)

    def kernels(self) -> tuple[Any, Any, Any]:
        """attempt, between and finish of `kernels.integrate.loop_records.Method`."""
        if self.family == "alpha":
            from ...kernels.integrate.generalized_alpha import alpha_attempt, alpha_between, alpha_finish

            return alpha_attempt, alpha_between, alpha_finish
        if self.family == "bdf":
            from ...kernels.integrate.bdf import bdf_attempt, bdf_between, bdf_finish

            return bdf_attempt, bdf_between, bdf_finish
        from ...kernels.integrate.radau import radau_attempt, radau_between, radau_finish

        return radau_attempt, radau_between, radau_finish

    def settings(self) -> dict[str, float]:
        """What it sets of `IntegratorState`."""
        return {}

    def table(self) -> np.ndarray:
        """Its coefficients."""
        return np.zeros(1)

    def options(self) -> dict[str, Any]:
        """What the run file says of it."""
        return {"differences": True} if self.differences else {}

    def __repr__(self) -> str:
        stated = ", ".join(f"{name}={value!r}" for name, value in self.options().items())
        return f"{type(self).__name__}({stated})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options() == other.options()

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.options().items())))


@checked
class GeneralizedAlpha(ImplicitMethod):
    """Generalized-alpha on the group, second order.

    Chung & Hulbert 1993; Arnold & Bruels 2007; Bruels, Cardona & Arnold 2012.

    spectral_radius    what is left of an infinitely fast vibration after a step, 0 (all is damped) to 1 (none is)
    """

    name, family, chooses, form = "generalized-alpha", "alpha", False, "index-3"

    def __init__(self, spectral_radius: float = 0.8, *, differences: bool = False) -> None:
        super().__init__(differences=differences)
        self.spectral_radius = _number("spectral_radius", spectral_radius, 0.0, 1.0)

    def settings(self) -> dict[str, float]:
        """Chung & Hulbert 1993: alpha_m = (2 r - 1) / (r + 1), alpha_f = r / (r + 1), gamma = 1/2 + alpha_f - alpha_m,
        beta = (gamma + 1/2)^2 / 4."""
        r = self.spectral_radius
        am, af = (2.0 * r - 1.0) / (r + 1.0), r / (r + 1.0)
        gamma = 0.5 + af - am
        return {"alpha_m": am, "alpha_f": af, "gamma": gamma, "beta": 0.25 * (gamma + 0.5) ** 2, "order": 2}

    def options(self) -> dict[str, Any]:
        """As it was made."""
        return {"spectral_radius": self.spectral_radius} | super().options()


@checked
class Newmark(ImplicitMethod):
    """Newmark 1959, on the group: of second order where gamma = 1/2, of first order and damped above.

    beta     1/4 is the rule of constant mean acceleration; above 1/4 (gamma + 1/2)^2 it is unconditionally stable.
             Impact wants more: 1/2 with gamma 1/2 keeps the energy of a node that stays in contact (Chaudhary & Bathe
             1986), 0.3025 with gamma 0.6 smooths its force and loses energy
    gamma    1/2 to 1
    """

    name, family, chooses, form = "newmark", "alpha", False, "index-3"

    def __init__(self, beta: float = 0.25, gamma: float = 0.5, *, differences: bool = False) -> None:
        super().__init__(differences=differences)
        self.beta, self.gamma = _number("beta", beta, 0.0, 1.0), _number("gamma", gamma, 0.5, 1.0)
        if self.beta < 0.5 * self.gamma - 1e-12:
            raise ModelError.at(
                "beta", f"got {beta:g} with gamma {gamma:g}, which is stable for short steps only; "
                f"give at least gamma / 2 = {0.5 * self.gamma:g}"
            )  # fmt: skip

    def settings(self) -> dict[str, float]:
        """beta and gamma; the order is two where gamma is one half."""
        order = 2 if self.gamma == 0.5 else 1
        return {"alpha_m": 0.0, "alpha_f": 0.0, "gamma": self.gamma, "beta": self.beta, "order": order}

    def options(self) -> dict[str, Any]:
        """As it was made."""
        return {"beta": self.beta, "gamma": self.gamma} | super().options()


@checked
class BDF(ImplicitMethod):
    """Backward differentiation formulas with error control: order and step follow the motion.

    order    the highest that it may take, 1 to 5. Above 2 they are not stable for vibrations that are hardly damped
    fixed    keep that order (from the first steps on, which begin at order 1)
    """

    name, family = "bdf", "bdf"

    def __init__(self, order: int = 5, fixed: bool = False, *, differences: bool = False) -> None:
        super().__init__(differences=differences)
        if isinstance(order, bool) or not isinstance(order, int | np.integer) or not 1 <= order <= 5:
            raise ModelError.at("order", f"got {order!r}; give a whole number from 1 to 5")
        self.order, self.fixed = int(order), bool(fixed)

    def settings(self) -> dict[str, float]:
        """The highest order, and whether it is kept."""
        return {"top_order": self.order, "fixed_order": self.fixed, "order": 1}

    def options(self) -> dict[str, Any]:
        """As it was made."""
        return {"order": self.order, "fixed": self.fixed} | super().options()


@checked
class Radau(ImplicitMethod):
    """Radau IIA of order 5, L-stable, with error control or at a fixed step: Hairer & Wanner 1996, section IV.8."""

    name, family, chooses, first_order, every = "radau", "radau", False, 3, True

    def settings(self) -> dict[str, float]:
        """The order of its error estimate."""
        return {"order": 3}

    def table(self) -> np.ndarray:
        """A `RadauTable`: nodes, A^-1, its real eigenbasis T and T^-1, dense output, error weights, eigenvalues.

        The nodes are those of Radau; A integrates the Lagrange polynomials over them, and is made here from that.
        """
        root = math.sqrt(6.0)
        c = np.array([(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0])
        powers = np.arange(1, 4)
        inverse = np.linalg.inv((c[:, None] ** powers / powers) @ np.linalg.inv(c[:, None] ** (powers - 1)))
        values, vectors = np.linalg.eig(inverse)
        real, pair = int(np.argmin(np.abs(values.imag))), int(np.argmax(values.imag))
        T = np.column_stack([vectors[:, real].real, vectors[:, pair].real, -vectors[:, pair].imag])
        dense = np.linalg.inv(c[:, None] ** powers)
        from ...kernels.algebra import Vec3
        from ...kernels.integrate.radau import RadauTable

        table = RadauTable.made(g=values[real].real, a=values[pair].real, b=values[pair].imag)
        table.c[:], table.A_inverse[:], table.T[:], table.dense[:] = c, inverse.ravel(), T.ravel(), dense.ravel()
        table.T_inverse = np.linalg.inv(T).ravel()
        table.error = Vec3((-13.0 - 7.0 * root) / 3.0, (-13.0 + 7.0 * root) / 3.0, -1.0 / 3.0)
        return table.numbers


def implicit_method(method: Any) -> ImplicitMethod | None:
    """The object of an implicit method, from its name or itself; None for anything else."""
    if isinstance(method, ImplicitMethod):
        return method
    if isinstance(method, str) and method in IMPLICIT:
        return IMPLICIT[method]()
    if isinstance(method, type) and issubclass(method, ImplicitMethod):
        raise ModelError.at(
            "method", f"got the class {method.__name__}; give an object, jd.implicit.{method.__name__}()"
        )
    return None


def _number(what: str, value: Any, low: float, high: float) -> float:
    if not isinstance(value, int | float | np.number) or isinstance(value, bool) or not low <= value <= high:
        raise ModelError([Problem(what, f"got {value!r}; give a number from {low:g} to {high:g}")])
    return float(value)
