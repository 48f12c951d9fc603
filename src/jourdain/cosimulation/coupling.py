"""What connects the parts of a co-simulation: plain connections, functions, and springs between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.values import suggestion
from .participants import Part


@checked
class Coupling:
    """A function without memory from outputs of parts to inputs of parts, evaluated where data is exchanged.

    sources     outputs, "part.output"
    targets     inputs, "part.input", to which its values are added
    function    of the values of the sources (an array); gives as many numbers as there are targets
    stored      the energy that it holds [J], of the same values; None for none
    lost        the power that it takes away [W]; None for none
    """

    def __init__(
        self,
        sources: Sequence[str],
        targets: Sequence[str],
        function: Callable[[np.ndarray], Any],
        stored: Callable[[np.ndarray], float] | None = None,
        lost: Callable[[np.ndarray], float] | None = None,
    ) -> None:
        self.sources, self.targets, self.function = list(sources), list(targets), function
        self.stored, self.lost = stored, lost


@checked
class Spring(Coupling):
    """A spring and a damper between coordinates of two parts, or between frames of theirs.

    first, second    "a.slide" and "b.slide": the parts have outputs "slide" and "v:slide", and inputs "effort:slide".
                     With frame=True "a.hook" and "b.eye": outputs "hook.x" ... "hook.vz", inputs "hook.fx" ...
    stiffness        [N/m or N m/rad], and damping [N s/m or N m s/rad]
    length           second - first where there is no force [m or rad]; for frames their distance is zero there
    """

    def __init__(
        self,
        first: str,
        second: str,
        stiffness: float,
        damping: float = 0.0,
        length: float = 0.0,
        *,
        frame: bool = False,
    ) -> None:
        for what, value in (("stiffness", stiffness), ("damping", damping), ("length", length)):
            if not isinstance(value, int | float) or not math.isfinite(value) or (what != "length" and value < 0.0):
                raise ModelError.at(f"{first} - {second}", f"{what} is {value!r}; give a finite number, 0 or more")
        sources, targets = [], []
        for end in (first, second):
            part, dot, name = end.partition(".")
            if not dot or not name:
                raise ModelError.at(end, 'give the part and the name in it, such as "a.slide"')
            if frame:
                sources += [f"{part}.{name}.{axis}" for axis in ("x", "y", "z", "vx", "vy", "vz")]
                targets += [f"{part}.{name}.f{axis}" for axis in "xyz"]
            else:
                sources += [f"{part}.{name}", f"{part}.v:{name}"]
                targets.append(f"{part}.effort:{name}")
        size = 3 if frame else 1

        def apart(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            a, b = y[: 2 * size], y[2 * size :]
            return b[:size] - a[:size] - length, b[size:] - a[size:]

        def forces(y: np.ndarray) -> np.ndarray:
            x, v = apart(y)
            force = stiffness * x + damping * v
            return np.concatenate([force, -force])

        super().__init__(
            sources,
            targets,
            forces,
            stored=lambda y: 0.5 * stiffness * float(apart(y)[0] @ apart(y)[0]),
            lost=lambda y: damping * float(apart(y)[1] @ apart(y)[1]),
        )


class Wiring:
    """All connections of a co-simulation: from the outputs of all parts to the inputs of all parts.

    outputs, inputs    names, "part.name", of all parts in their order
    spans              where the outputs and the inputs of each part lie
    """

    def __init__(self, parts: Sequence[Part], connect: Sequence[Any]) -> None:
        self.outputs = [f"{part.name}.{one}" for part in parts for one in part.outputs]
        self.inputs = [f"{part.name}.{one}" for part in parts for one in part.inputs]
        self.spans = []
        o = i = 0
        for part in parts:
            self.spans.append((slice(o, o + len(part.outputs)), slice(i, i + len(part.inputs))))
            o, i = o + len(part.outputs), i + len(part.inputs)
        self.gains = np.zeros((len(self.inputs), len(self.outputs)))
        self.couplings: list[tuple[Coupling, list[int], list[int]]] = []
        problems: list[Problem] = []
        for one in connect:
            self._take(one, problems)
        if problems:
            raise ModelError(problems)

    def _take(self, one: Any, problems: list[Problem]) -> None:
        if isinstance(one, Coupling):
            sources = [self._place(name, self.outputs, "output", problems) for name in one.sources]
            targets = [self._place(name, self.inputs, "input", problems) for name in one.targets]
            self.couplings.append((one, sources, targets))
            return
        fits = isinstance(one, tuple | list) and len(one) in (2, 3) and all(isinstance(x, str) for x in one[:2])
        gain = one[2] if fits and len(one) == 3 else 1.0
        if not fits or not isinstance(gain, int | float) or not math.isfinite(gain):
            text = f'got {one!r}; give ("part.output", "part.input"), with a factor behind or without, or a Coupling'
            problems.append(Problem("connect", text))
            return
        source = self._place(one[0], self.outputs, "output", problems)
        target = self._place(one[1], self.inputs, "input", problems)
        if source >= 0 and target >= 0:
            self.gains[target, source] += gain

    @staticmethod
    def _place(name: str, known: list[str], what: str, problems: list[Problem]) -> int:
        if name in known:
            return known.index(name)
        problems.append(Problem(name, f"connect: there is no such {what}; {suggestion(name, known)}"))
        return -1

    def feed(self, y: np.ndarray) -> np.ndarray:
        """All inputs that follow from all outputs."""
        u = self.gains @ y
        for one, sources, targets in self.couplings:
            u[targets] += np.asarray(one.function(y[sources]), float)
        return u

    def stored(self, y: np.ndarray) -> float:
        """Energy in the couplings [J]."""
        return sum(one.stored(y[sources]) for one, sources, _ in self.couplings if one.stored is not None)

    def lost(self, y: np.ndarray) -> float:
        """Power that the couplings take away [W]."""
        return sum(one.lost(y[sources]) for one, sources, _ in self.couplings if one.lost is not None)
