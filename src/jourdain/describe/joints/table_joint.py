"""A joint whose frame goes where a table says: a mechanism with loops as one joint of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import shown
from .joint import Joint
from .pose_table import PoseTable

WRENCH = (".mx", ".my", ".mz", ".fx", ".fy", ".fz")
"""Names of what a compliant joint last carried: moment about its frame, force."""


@checked
@dataclass(frozen=True, eq=False)
class TableJoint(Joint):
    """Moves its frame as splines through a table of poses say, over one or two inputs, which are its coordinates.

    A suspension, a hinge with a four-bar or any mechanism of one or two degrees of freedom becomes one joint: no loop
    is left to
    close. Motion columns are the first derivatives of the splines, and the second ones give the acceleration that is
    there without accelerations of the inputs (Tobolář 2003, eqs. 6 to 8).

    Where the table has a compliance, the frame is moved by it times a wrench, whose six entries are coordinates too,
    ``"NAME.mx"`` to ``"NAME.fz"`` [N m, N], in the axes of the table. They have no velocities: they stay as the state
    says, or follow what the joint carries, one sample late, under `jd.control.LaggedCompliance` (eqs. 2, 3 and 9).

    name      unique in its system
    inputs    names of the coordinates, which are ``"NAME.INPUT"``, in the order of the table's grids
    table     `jd.mechanism.PoseTable`, or its arguments as a mapping: grids, position, rotation
    """

    name: str
    inputs: Sequence[str] = ("heave", "steer")
    table: PoseTable = None  # type: ignore[assignment]
    kind: ClassVar[str] = "tabled"
    closes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        table: Any = self.table
        if isinstance(table, dict):
            table = PoseTable.from_dict(table, f"{self.name}.table")
        if not isinstance(table, PoseTable):
            raise ModelError.at(
                self.name, f"table is {shown(table)}; give jd.mechanism.PoseTable(grids, position, rotation)", "table"
            )
        names = (self.inputs,) if isinstance(self.inputs, str) else tuple(self.inputs)
        if not all(isinstance(one, str) and one.isidentifier() for one in names) or len(set(names)) < len(names):
            raise ModelError.at(
                self.name, f"inputs are {shown(names)}; give different names of letters and digits", "inputs"
            )
        if len(names) != table.inputs:
            raise ModelError.at(
                self.name,
                f"has {len(names)} inputs, {', '.join(names)}, and a table of {table.inputs}; name each grid once",
            )
        put(self, "inputs", names)
        put(self, "table", table)

    @property
    def q_suffixes(self) -> tuple[str, ...]:  # type: ignore[override]
        """Its coordinates are named by its inputs; behind them is the wrench of a compliant joint."""
        return (*self.v_suffixes, *(WRENCH if self.table.gives else ()))

    @property
    def v_suffixes(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of the inputs."""
        return tuple(f".{one}" for one in self.inputs)

    def motion_subspace(self) -> np.ndarray:
        """Columns where both inputs are in the middle of their grids."""
        middle = [0.5 * (one[0] + one[-1]) for one in (np.asarray(grid) for grid in self.table.grids)]
        return self.table.motion(middle)[1]

    def floats(self) -> np.ndarray:
        return self.table.floats()

    def check(self, address: str) -> list[Problem]:
        return super().check(address) + self.table.check(address)
