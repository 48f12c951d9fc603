"""Model: what a system compiles to. Flat read-only arrays, names, and the model functions as methods."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.lazy_import import above
from ..basics.pose import Pose, as_rotation, quaternion_from_matrix
from ..basics.types import ByName, Coordinates, OneOrManyStates
from ..basics.values import as_array, shown, suggestion
from . import assembly, batch, derivatives, displacement, functions, mobility, momenta, near_state, shape_distances
from .constraint_rows import Constraints
from .coordinate_units import Units, model_units
from .law_forces import LawForce
from .model_hash import content_hash
from .start_state_limits import warn_of_given_state
from .state import State
from .topology_change import Connections, connected

if TYPE_CHECKING:
    from ..kernels.model_arrays import ModelArrays, Workspace
    from ..methods.elastodynamics import Elastodynamics
    from ..view.posing import PoseViewer


class Names(NamedTuple):
    """One name for every entry of q, of v (and of efforts), and of the internal states of joints and contacts."""

    q: tuple[str, ...]
    v: tuple[str, ...]
    z: tuple[str, ...] = ()


class Index(NamedTuple):
    """The entry of each name: `model.index.v["elbow"]`."""

    q: dict[str, int]
    v: dict[str, int]
    z: dict[str, int]


class Contacts(NamedTuple):
    """The contacts of a model by name; the users' own normal and friction laws in the order of their numbers; whether
    some are piles, and the families of pairs in those."""

    names: tuple[str, ...]
    normal_laws: tuple[Any, ...]
    friction_laws: tuple[Any, ...]
    piles: bool
    families: tuple[int, ...]


class Structure(NamedTuple):
    """What a model is a tree of; the fields are those of `Model`."""

    names: Names
    bodies: tuple[str, ...]
    joints: dict[str, tuple[str, int]]
    owners: tuple[str, ...]
    markers: dict[str, int]
    neutral: np.ndarray
    latched: int
    ranges: dict[str, tuple[float, float]]


class ModelElements(NamedTuple):
    """What acts on the tree and closes it; the fields are those of `Model`."""

    law_forces: tuple[LawForce, ...]
    contacts: Contacts
    constraint_names: tuple[str, ...]
    springs: tuple[str, ...]
    touching: dict[str, np.ndarray] | None
    connections: Connections


@checked
class Model:
    """A compiled system. Immutable and picklable; `hash` is that of its content.

    name           of the system
    arrays         flat arrays that the kernels read
    names, index   coordinates
    bodies         names of the bodies, parents before children
    frame_names    all addresses
    latched        how many of the first names.z change only at accepted steps; the others are integrated
    contacts       names of the contacts, and the users' laws among theirs
    description    the system as plain dictionaries, lists and numbers
    ranges         (low, high) of the coordinates that must stay between ends, such as a deployed length [m]
    springs        names of the springs between frames
    touching       tables of the surfaces that touch by multipliers, None without
    connections    all connections, also those that only events close
    absent_forces  forces that were laws, which the description that the model was made of does not hold
    scratch        workspaces, made once a thread
    """

    name: str
    arrays: ModelArrays
    names: Names
    index: Index
    bodies: tuple[str, ...]
    joints: dict[str, tuple[str, int]]
    owners: tuple[str, ...]
    markers: dict[str, int]
    neutral: np.ndarray
    law_forces: tuple[LawForce, ...]
    latched: int
    contacts: Contacts
    touching: dict[str, np.ndarray] | None
    description: dict[str, Any]
    ranges: dict[str, tuple[float, float]]
    constraint_names: tuple[str, ...]
    springs: tuple[str, ...]
    connections: Connections
    absent_forces: tuple[str, ...] = ()
    hash: str
    scratch: threading.local

    def __init__(
        self, name: str, arrays: ModelArrays, structure: Structure, acting: ModelElements, description: dict[str, Any]
    ) -> None:
        names = structure.names
        structure.neutral.flags.writeable = False
        self.__dict__.update(
            structure._asdict(),
            **acting._asdict(),
            name=name,
            arrays=arrays,
            index=Index(*({n: i for i, n in enumerate(group)} for group in names)),
            description=description,
            hash=content_hash(arrays, names, description),
            scratch=threading.local(),
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Model does not change; change the System and compile it again ({name})")

    def __getstate__(self) -> dict[str, Any]:
        found = ("scratch", "units", "constraints")  # each process, and each variant, finds its own
        return {key: value for key, value in self.__dict__.items() if key not in found}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state["neutral"].flags.writeable = False
        self.__dict__.update(state, scratch=threading.local())

    @classmethod
    def from_description(cls, description: dict[str, Any]) -> Model:
        """The model of a description, without the forces that were laws."""
        from ..describe.description import from_dict

        described = {key: value for key, value in description.items() if key != "closed"}
        model: Model = above("compile.model:compile_system")(from_dict(described, without_laws=True))
        if "closed" in description:
            model = connected(model, description["closed"])
        laws = [str(one["name"]) for one in description.get("forces", ()) if "law" in (one.get("force") or ())]
        model.__dict__["absent_forces"] = tuple(laws)
        return model

    def varied(
        self, arrays: ModelArrays, constraints: tuple[str, ...], springs: tuple[str, ...], connections: Connections
    ) -> Model:
        """The same with other connections closed, for `topology_change`; its description says which."""
        described = self.description | {"closed": connections.closed}
        changed = {"constraint_names": constraints, "springs": springs, "connections": connections}
        return self.with_arrays(arrays, **changed, description=described)

    def with_arrays(self, arrays: ModelArrays, **changed: Any) -> Model:
        """The same with other numbers in its arrays, for equations that no description tells."""
        out = Model.__new__(Model)
        described = changed.get("description", self.description)
        changed |= {"arrays": arrays, "hash": content_hash(arrays, self.names, described)}
        out.__setstate__(self.__getstate__() | changed)
        return out

    def view(self, state: State | None = None, **given: Any) -> PoseViewer:
        """Look at the model in the browser, move its coordinates, see its modes; see `jourdain.view.posing.pose`."""
        return above("view.posing:pose")(self, state, **given)

    def _repr_html_(self) -> str:
        """A table of its coordinates, for notebooks."""
        return above("study.report.notebook:model_html")(self)

    def __repr__(self) -> str:
        return f'Model("{self.name}", {len(self.bodies)} bodies, {len(self.names.v)} velocities, {self.hash[:8]})'

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.names.q)

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return len(self.names.v)

    @property
    def frame_names(self) -> tuple[str, ...]:
        """All addresses."""
        return tuple(self.markers)

    @property
    def features(self) -> frozenset[str]:
        """What it has that not every model has: which kernels it needs (`kernels.compiler.optional_kernel`)."""
        return self.arrays.features

    @property
    def flexible(self) -> bool:
        """Whether bodies have internal coordinates."""
        return len(self.arrays.flexible) > 0

    @property
    def in_orbit(self) -> bool:
        """Whether the world is an orbital frame."""
        return len(self.arrays.orbit.numbers) > 3

    @cached_property
    def units(self) -> Units:
        """Units of the entries of q, of v and of efforts; "" where nothing tells."""
        return model_units(self.names.q, self.names.v, self.description)

    @cached_property
    def constraints(self) -> Constraints:
        """Names and rows of what closes loops and couples coordinates, residual and Jacobian."""
        return Constraints(self, self.constraint_names)

    @property
    def parameters(self) -> Mapping[str, float]:
        """Every number of the description that has an address, "fore.EI", with its value; `.units` has the units."""
        return above("files.parameter_table:parameters_of")(self)

    def with_parameters(self, values: Mapping[str, float]) -> Model:
        """The model with other values of parameters: ``{"fore.EI": 480.0, "elbow.friction": 0.2}``, in SI units."""
        return above("compile.variation:with_parameters")(self, values)

    def regressor(self, state: OneOrManyStates, acceleration: ByName | None = None) -> Any:
        """`inverse_dynamics` as a linear function of the inertial numbers of rigid bodies: matrix, rest and names."""
        return above("methods.identification.regressor:regressor")(self, state, acceleration)

    def base_parameters(self, seed: int = 0) -> Any:
        """The combinations of inertial numbers of rigid bodies on which efforts depend, in words and as a matrix."""
        return above("methods.identification.regressor:base_parameters")(self, seed)

    def elastodynamics(
        self, motions: Mapping[str, Any], state: State | None = None, geometric: bool = True
    ) -> Elastodynamics:
        """Linear equations of small deformations on a known rigid motion; see `jourdain.methods.elastodynamics`."""
        return above("methods.elastodynamics:elastodynamics")(self, motions, state, geometric)

    def marker(self, address: str | int) -> int:
        """Number of a marker, for the kernels. A body's name alone means its origin; a number is one already, such as
        that of a connection's own place, which has no address."""
        if isinstance(address, int | np.integer) and 0 <= address < len(self.arrays.markers):
            return int(address)
        if hasattr(address, "q") or isinstance(address, np.ndarray):
            raise ModelError.at("address", "got a state; swap the arguments: an address comes before the state")
        found = self.markers.get(str(address), self.markers.get(f"{address}.origin"))
        if found is None:
            raise ModelError.at(str(address), f"no such address; {suggestion(str(address), self.markers)}")
        return found

    def contact(self, name: str) -> int:
        """Number of a contact."""
        if hasattr(name, "q"):
            raise ModelError.at("contact", "got a state; swap the arguments: a name comes before the state")
        if name not in self.contacts.names:
            raise ModelError.at(str(name), f"no such contact; {suggestion(str(name), self.contacts.names)}")
        return self.contacts.names.index(name)

    def workspace(self) -> Workspace:
        """A workspace of this thread's own, made once."""
        found = getattr(self.scratch, "workspace", None)
        if found is None:
            from ..kernels.model_arrays import workspace

            found = self.scratch.workspace = workspace(self.arrays)
        return found

    def state(
        self, q: Coordinates | None = None, v: ByName | None = None, time: float = 0.0, z: ByName | None = None
    ) -> State:
        """A state: at rest in the zero configuration, but for what is given.

        q       a dict from names to values, or all nq numbers. The name of a free joint takes a `Pose`, that of a
                spherical one a rotation; any joint takes all its numbers
        v       the same with velocities; a free joint takes six numbers, angular then linear, in body axes
        time    [s]
        z       a dict from names of `model.names.z` to values, or all of them

        In a dict, a motor that is not named follows its joint, so that the spring of the drive is not wound; and a
        rotation that depends on the way a body deformed is where the straight way from the zero configuration leads.
        """
        problems: list[Problem] = []
        coordinates = self._fill(self.neutral, self.index.q, q, "q", problems)
        velocities = self._fill(np.zeros(self.nv), self.index.v, v, "v", problems)
        batch.set_motors(self, coordinates, q, self.names.q, 0)
        batch.set_motors(self, velocities, v, self.names.v, 1)
        displacement.set_path_rotations(self, coordinates, q)
        for j in self.quaternions:
            quaternion = coordinates[j : j + 4]
            length = float(np.linalg.norm(quaternion))
            if not abs(length - 1.0) < 1e-6:
                name = self.names.q[j].removesuffix(".qw")
                problems.append(Problem(name, f"quaternion {shown(quaternion)} has length {length:g}; give length one"))
            else:
                coordinates[j : j + 4] /= length
        for name, (low, high) in self.ranges.items():
            x = coordinates[self.index.q[name]]
            if not low <= x <= high:
                problems.append(Problem(name, f"q is {x:g} m; it must lie between {low:g} and {high:g} m"))
        if not np.isfinite(time):
            problems.append(Problem("time", f"got {time}; give a finite time [s]"))
        internal = np.zeros(len(self.names.z))
        sticking = self.arrays.joint_springs.columns.friction > 0.0
        internal[: np.sum(sticking)] = coordinates[self.arrays.spring_entries.columns.q[sticking]]
        internal = self._fill(internal, self.index.z, z, "z", problems)
        if problems:
            raise ModelError(problems)
        made = State(float(time), coordinates, velocities, internal)
        warn_of_given_state(self, made, q if isinstance(q, Mapping) else () if q is None else None)
        return made

    @property
    def quaternions(self) -> list[int]:
        """Where quaternions begin in q."""
        return [*(int(j + 3 * free) for j, _, free in self.arrays.rotations.array), *self.arrays.paths[:, 0].tolist()]

    def _fill(
        self, start: np.ndarray, index: dict[str, int], given: Any, what: str, problems: list[Problem]
    ) -> np.ndarray:
        out = np.array(start)
        if given is None:
            return out
        if not isinstance(given, Mapping):
            array = as_array(given, what)
            if array.shape != out.shape:
                problems.append(Problem(what, f"got {array.shape} numbers; this model has ({len(out)},)"))
            elif not np.all(np.isfinite(array)):
                bad = [name for name, i in index.items() if not np.isfinite(array[i])]
                problems.append(Problem(bad[0], f"{what} is not a finite number"))
            else:
                out[:] = array
            return out
        for name, value in given.items():
            first, size = self._entries(name, index, what)
            if first is None:
                known = [*index, *(joint for joint in self.joints if joint not in index)]
                problems.append(Problem(str(name), f"no such entry in {what}; {suggestion(str(name), known)}"))
                continue
            try:
                numbers = self._numbers(name, value, size, what)
            except ModelError as error:
                problems += error.problems
                continue
            if not np.all(np.isfinite(numbers)):
                problems.append(Problem(name, f"{what} is {shown(value)}; give finite numbers"))
                continue
            out[first : first + size] = numbers
        return out

    def _entries(self, name: str, index: dict[str, int], what: str) -> tuple[int | None, int]:
        if name in index:
            return index[name], 1
        if name in self.joints:
            members = [i for entry, i in index.items() if entry.startswith(f"{name}.")]
            if members:
                return members[0], len(members)
        return None, 0

    def _numbers(self, name: str, value: Any, size: int, what: str) -> np.ndarray:
        kind = self.joints[name][0] if name in self.joints else ""
        if what == "q" and kind == "free" and isinstance(value, Pose):
            return np.concatenate([value.position, value.quaternion])
        if what == "q" and kind == "spherical":
            return quaternion_from_matrix(as_rotation(value.rotation if isinstance(value, Pose) else value, name))
        array = np.atleast_1d(as_array(value, name))
        if array.shape != (size,):
            hint = ", or a Pose" if kind == "free" and what == "q" else ""
            raise ModelError.at(name, f"{what} is {shown(value)}; give {size} numbers{hint}")
        return array

    states = batch.states
    energy = functions.energy
    mass_matrix = functions.mass_matrix
    bias = functions.bias
    forward_dynamics = functions.forward_dynamics
    inverse_dynamics = functions.inverse_dynamics
    hybrid_dynamics = functions.hybrid_dynamics
    pose = functions.pose
    velocity = functions.velocity
    acceleration = functions.acceleration
    bias_acceleration = functions.bias_acceleration
    body_motion = functions.body_motion
    jacobian = functions.jacobian
    momentum = functions.momentum
    hamilton_rates = momenta.hamilton_rates
    momenta = momenta.momenta
    centre_of_mass = functions.centre_of_mass
    gap = shape_distances.gap
    pairs = shape_distances.pairs
    frame_path = functions.frame_path
    inverse_dynamics_derivatives = derivatives.inverse_dynamics_derivatives
    forward_dynamics_derivatives = derivatives.forward_dynamics_derivatives
    frequencies = near_state.frequencies
    linearize = near_state.linearize
    equilibrium = near_state.equilibrium
    buckling = near_state.buckling
    to_control = near_state.to_control
    rotations_neglected = derivatives.rotations_neglected
    mobility = mobility.mobility
    assemble = assembly.assemble
