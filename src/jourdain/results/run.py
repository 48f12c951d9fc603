"""What comes out of a simulation: a `Run`, with labelled access to everything that was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import JourdainError
from ..basics.lazy_import import above
from .channels import ENERGY, Channels, RunChannels, unknown
from .samples import Record

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from ..describe.bodies import Body
    from ..describe.events import Happening
    from ..methods.human.muscle_results import MuscleFamily
    from ..model.batch import States
    from ..model.model import Model
    from ..model.state import State
    from ..view.viewer import Viewer
    from .constraints import ConstraintFamily
    from .contacts import ContactFamily
    from .labelled import ChannelArray, EnergyArray
    from .reactions import ReactionFamily
    from .trust import Trust

__all__ = ["ENERGY", "FrameHistory", "Record", "Run"]


class FrameHistory:
    """The motion of one frame, in world axes; computed when first looked at."""

    def __init__(self, run: Run, address: str) -> None:
        self.address = address
        self._run = run

    @cached_property
    def path(self) -> np.ndarray:
        """(nt, 13): position, quaternion, angular velocity, velocity of the frame's origin; world axes."""
        record = self._run.record
        path = np.asarray(self._run.model.frame_path(self.address, record.q, record.v), dtype=np.float64)
        if path.shape != (len(record), 13):
            raise JourdainError(f"{self.address}: path has shape {path.shape}, not ({len(record)}, 13)")
        return path

    def _slice(self, name: str, columns: slice, dim: str, labels: str, unit: str) -> xr.DataArray:
        import xarray as xr

        return xr.DataArray(
            self.path[:, columns],
            dims=("time", dim),
            coords={"time": self._run.time, dim: list(labels)},
            name=f"{self.address}.{name}",
            attrs={"units": unit, "axes": "world"},
        )

    @property
    def position(self) -> xr.DataArray:
        """Position of the frame's origin, (time, axis) [m]."""
        return self._slice("position", slice(0, 3), "axis", "xyz", "m")

    @property
    def quaternion(self) -> xr.DataArray:
        """Unit quaternion, frame to world, scalar first, (time, component)."""
        return self._slice("quaternion", slice(3, 7), "component", "wxyz", "1")

    @property
    def angular_velocity(self) -> xr.DataArray:
        """Angular velocity, (time, axis) [rad/s]."""
        return self._slice("angular_velocity", slice(7, 10), "axis", "xyz", "rad/s")

    @property
    def velocity(self) -> xr.DataArray:
        """Velocity of the frame's origin, (time, axis) [m/s]."""
        return self._slice("velocity", slice(10, 13), "axis", "xyz", "m/s")

    def __repr__(self) -> str:
        parts = "position, quaternion, velocity, angular_velocity"
        return f"<frame {self.address!r}: {parts}, {len(self._run)} samples>"


@checked
class Run:
    """A finished (or interrupted) simulation of a model.

    model     the compiled model it was made with
    record    the samples, plain NumPy
    options   what `simulate` was told: method, step, output ... (JSON-able where it is to be saved)
    partial   True when the simulation did not reach its end
    versions  of the software that made it; None means what is installed here
    path      where it was saved or loaded from; None while it is in memory only
    """

    def __init__(
        self,
        model: Model,
        record: Record,
        options: dict[str, Any] | None = None,
        *,
        partial: bool = False,
        versions: dict[str, str] | None = None,
    ) -> None:
        problem = record.problem(len(model.names.q), len(model.names.v))
        if problem is None and record.z.shape[1] < len(model.names.z):
            problem = f"z has {record.z.shape[1]} columns; the model alone has {len(model.names.z)}"
        if problem:
            raise JourdainError(f"run of {model.name!r}: {problem}")
        self.model = model
        self.record = record
        self.options = dict(options or {})
        self.partial = partial
        self.path: Path | None = None
        self._versions = versions
        self._frames: dict[str, FrameHistory] = {}

    def __len__(self) -> int:
        return len(self.record)

    @cached_property
    def versions(self) -> dict[str, str]:
        """Versions of the software that made this run."""
        from .metadata import installed_versions

        return dict(self._versions) if self._versions is not None else installed_versions()

    @property
    def time(self) -> xr.DataArray:
        """The samples' times [s]."""
        import xarray as xr

        attrs = {"units": "s", "long_name": "time"}
        return xr.DataArray(self.record.time, dims="time", name="time", attrs=attrs).assign_coords(
            time=("time", self.record.time, attrs)
        )

    @property
    def duration(self) -> float:
        """From the first sample to the last [s]."""
        return float(self.record.time[-1] - self.record.time[0])

    @cached_property
    def q(self) -> ChannelArray:
        """Coordinates [rad, m], (time, coordinate)."""
        return self._labelled(self.channels.q)

    @cached_property
    def v(self) -> ChannelArray:
        """Velocities [rad/s, m/s], (time, speed)."""
        return self._labelled(self.channels.v)

    @cached_property
    def effort(self) -> ChannelArray:
        """What controllers, drives and motions supply, power-dual of `v` [N m, N], (time, speed)."""
        return self._labelled(self.channels.effort)

    @cached_property
    def z(self) -> ChannelArray:
        """Internal states, (time, internal): those of joints and contacts by `model.names.z`, then those of laws, as
        `z[i]` where they have no names."""
        return self._labelled(self.channels.z)

    @cached_property
    def energy(self) -> EnergyArray:
        """The energy ledger [J], (time, term): kinetic, gravity, strain, contact, dissipated, work, total, balance."""
        return self._labelled(self.channels.energy)

    @staticmethod
    def _labelled(plain: Channels) -> Any:
        from .labelled import labelled

        return labelled(plain)

    @cached_property
    def channels(self) -> RunChannels:
        """The same as plain arrays by name, without xarray: `run.channels.q.column("elbow")`."""
        return RunChannels(self.model, self.record, self.options)

    @cached_property
    def trusted(self) -> Trust:
        """Whether its energy balance closes; where it does not, `.reason`, `.time` and `.cause` say more."""
        from .trust import trust

        return trust(self)

    def frame(self, address: str) -> FrameHistory:
        """The motion of a frame such as `"payload.origin"`, in world axes; a body's name means its origin."""
        if address not in self.model.frame_names and f"{address}.origin" in self.model.frame_names:
            address = f"{address}.origin"
        if address not in self._frames:
            if address not in self.model.frame_names:
                raise unknown("frame", address, self.model.frame_names, "the model has no frames")
            self._frames[address] = FrameHistory(self, address)
        return self._frames[address]

    @cached_property
    def contact(self) -> ContactFamily:
        """Contacts by name: `run.contact["touch"].force`, on the first body named, world axes; wheels on rails by the
        name of their force: `run.contact["track.left"].creepage`."""
        from .contacts import ContactFamily

        return ContactFamily(self)

    @cached_property
    def muscle(self) -> MuscleFamily:
        """Muscles by name: `run.muscle["biceps"].force`, `.length`, `.velocity`, `.fibre_length`, `.activation`."""
        family: MuscleFamily = above("methods.human.muscle_results:muscles_of")(self)
        return family

    @cached_property
    def events(self) -> list[Happening]:
        """Events that happened, in the order of their times; the sample at the time of an event is just after it."""
        from ..describe.events import Happening

        stated = [one for one in self.options.get("events") or () if one.get("time") is not None]
        found = [
            Happening(one["time"], one["name"], dict(one["impulse"]), one["loss"], dict(one.get("wrench") or {}))
            for one in stated
        ]
        return sorted(found, key=lambda one: one.time)

    @cached_property
    def constraint(self) -> ConstraintFamily:
        """Constraints by name: `run.constraint["pin"].force`, on the first body named, at its marker, world axes."""
        from .constraints import ConstraintFamily

        return ConstraintFamily(self)

    @cached_property
    def reaction(self) -> ReactionFamily:
        """What joints of the tree transmit: `run.reaction["elbow"].force` and `.moment`, on the outboard body, at the
        frame that the joint holds, world axes."""
        from .reactions import ReactionFamily

        return ReactionFamily(self)

    def expect_all_forces(self, what: str) -> None:
        """Refuses to work out what depends on forces that a file could not hold."""
        absent = self.model.absent_forces
        if absent:
            raise JourdainError(
                f"{self.model.name}: {what} cannot be worked out: {', '.join(absent)} acted by a law, which the file "
                "that this run was read from does not hold; ask the run that jd.simulate returned"
            )

    def deflection(self, body: str, x: ArrayLike | None = None) -> xr.DataArray:
        """Displacement of a flexible body's axis from its undeformed line, (time, x, axis) [m].

        x    stations along the body [m], of a `DeployableBeam` fractions of its deployed length; None for 21 from end
             to end of a beam

        Axes and stations are those of the body, held by its joint: a beam's root frame (mid-length if it is free-free).
        """
        import xarray as xr

        one, e = self.deformation_of(body)
        at, values = one.deflection(e, x)
        return xr.DataArray(
            values,
            dims=("time", "x", "axis"),
            coords={"time": self.time, "x": ("x", at, {"units": one.station_unit}), "axis": list("xyz")},
            name=f"{body}.deflection",
            attrs={"units": "m", "axes": body},
        )

    def strain(self, body: str, x: ArrayLike | None = None) -> xr.Dataset:
        """Strains of a flexible body and the internal forces that they make, each (time, x); x as in `deflection`.

        Of a beam: `axial` strain, curvatures `kappa_y` and `kappa_z`, `twist`, and with them the axial `force`, the
        moments `moment_y` and `moment_z` and the `torque` of an elastic section; of a nodal beam `shear_y`, `shear_z`,
        `force_y` and `force_z` besides.
        """
        import xarray as xr

        one, e = self.deformation_of(body)
        at, columns = one.strain(e, x)
        return xr.Dataset(
            {
                name: (("time", "x"), values, {"units": unit, "long_name": words})
                for name, (values, unit, words) in columns.items()
            },
            coords={"time": self.time, "x": ("x", at, {"units": one.station_unit})},
            attrs={"body": body},
        )

    def tension(self, body: str, x: ArrayLike | None = None) -> xr.DataArray:
        """Force along a `Cable` or `NodalBeam`, that of its damping included, (time, x) [N]; x as in `deflection`."""
        import xarray as xr

        one, e = self.deformation_of(body)
        at, values = one.tension(e, self._internal(one, self.record.v, self.model.names.v), x)
        return xr.DataArray(
            values,
            dims=("time", "x"),
            coords={"time": self.time, "x": ("x", at, {"units": one.station_unit})},
            name=f"{body}.tension",
            attrs={"units": "N", "long_name": f"tension of {body}"},
        )

    def field(self, body: str, what: str = "von_mises") -> xr.DataArray:
        """A field on the nodes of a `Solid`, (time, node) or (time, node, component).

        what    "displacement" [m], "strain", "stress" [Pa] (xx, yy, zz, xy, yz, zx), all in body axes; or "von_mises"

        Stresses are averaged at the nodes. The places of the nodes in body axes are coordinates `x`, `y`, `z`.
        """
        import xarray as xr

        one, e = self.deformation_of(body)
        values, unit, words, components = one.field(e, what)
        places = {axis: ("node", one.volume_mesh()[0][:, i], {"units": "m"}) for i, axis in enumerate("xyz")}
        return xr.DataArray(
            values,
            dims=("time", "node", "component")[: values.ndim],
            coords={"time": self.time, **places} | ({"component": list(components)} if components else {}),
            name=f"{body}.{what}",
            attrs={"units": unit, "long_name": words, "axes": body},
        )

    def to_vtu(self, path: str | Path, bodies: Sequence[str] | None = None, every: int = 1) -> list[Path]:
        """Write solids and their fields for ParaView: a .pvd file a body, which lists a .vtu file a sample.

        path      begins the names of the files: "out/pad" gives out/pad_NAME.pvd and out/pad_NAME/0000.vtu, ...
        bodies    names; None for all that have a mesh
        every     so many samples apart

        Nodes are where they are in the world. Returns the .pvd files.
        """
        return above("results.vtu:write")(self, path, bodies, every)

    def deformation_of(self, body: str) -> tuple[Body, np.ndarray]:
        """A body, and its internal coordinates over time (nt, n)."""
        from ..model.bodies import body_of

        known = [item["body"]["name"] for item in self.model.description["bodies"]]
        if body not in known:
            raise unknown("body", body, known, f"{self.model.name!r} has no bodies")
        one = body_of(self.model, body)
        if one is None:
            raise JourdainError(f'body "{body}" is of a kind of your own, which a description cannot make again')
        return one, self._internal(one, self.record.q, self.model.names.q)

    @staticmethod
    def _internal(body: Body, record: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Internal coordinates of a body, or their rates, over time (nt, n): they are behind each other."""
        if not body.internal:
            return record[:, :0]
        first = names.index(body.coordinate_names()[0])
        return record[:, first : first + len(body.internal)]

    def state(self, i: int = -1) -> State:
        """The state at sample `i`, the last by default: to start another simulation from."""
        nt = len(self)
        if not -nt <= i < nt:
            raise JourdainError(f"sample {i} asked for; the run of {self.model.name!r} has samples 0 to {nt - 1}")
        from ..model.state import State

        r = self.record
        return State(float(r.time[i]), r.q[i].copy(), r.v[i].copy(), r.z[i].copy())

    @cached_property
    def phases(self) -> list[tuple[int, Model]]:
        """Where events changed connections: the first sample of each phase, and the model as it then was."""
        from .topology_phases import phases

        return phases(self)

    def model_at(self, i: int = -1) -> Model:
        """The model as it was at sample `i`, with the connections that events had closed: to go on from `state(i)`."""
        first = range(len(self))[i]
        return [model for begin, model in self.phases if begin <= first][-1]

    @property
    def states(self) -> States:
        """All samples as many states, for the model functions: `model.energy(run.states).kinetic`."""
        from ..model.batch import States

        r = self.record
        return States(r.time.copy(), r.q.copy(), r.v.copy(), r.z.copy())

    def to_xarray(self, frames: Iterable[str] = ()) -> xr.Dataset:
        """Everything in one Dataset; `frames` adds the motion of the frames at these addresses."""
        import xarray as xr

        from ..basics.storage import plain, to_json
        from .metadata import metadata

        data = {str(one.name): xr.DataArray(one) for one in (self.q, self.v, self.z, self.effort, self.energy)}
        for address in frames:
            frame = self.frame(address)
            for array in (frame.position, frame.quaternion, frame.velocity, frame.angular_velocity):
                data[str(array.name)] = array
        texts = {"model_description": self.model.description, "options": plain(self.options)}
        data |= {name: xr.DataArray(to_json(value, name)) for name, value in texts.items()}
        return xr.Dataset(data, attrs=metadata(self))

    def to_dataset(self, quantities: Iterable[str] | None = None) -> xr.Dataset:
        """A variable for each quantity over time, `run.to_dataset(["elbow", "payload.origin.x"])`; None: coordinates,
        velocities, efforts, energies and contact forces."""
        return above("results.data_frames:to_dataset")(self, quantities)

    def to_csv(self, path: str | Path, quantities: Iterable[str] | None = None) -> Path:
        """Write a text file with commas: a column for each quantity, its unit in the head, all digits."""
        return above("results.data_frames:to_csv")(self, path, quantities)

    def to_parquet(self, path: str | Path, quantities: Iterable[str] | None = None) -> Path:
        """Write an Apache Parquet file with the columns of `to_csv`; takes pyarrow, `jourdain[tables]`."""
        return above("results.data_frames:to_parquet")(self, path, quantities)

    def to_mcap(self, path: str | Path, quantities: Iterable[str] | None = None) -> Path:
        """Write an MCAP file, quantities, joints and frames, for Foxglove; takes mcap, `jourdain[logs]`."""
        return above("results.mcap_file:to_mcap")(self, path, quantities)

    def save(self, path: str | Path) -> Path:
        """Write a NetCDF file that `jourdain.load` reads back as this run; it replaces an old one whole."""
        return above("results.run_file:save")(self, path)

    def plot(self, *names: str | Sequence[str]) -> Figure:
        """A figure with one panel a name over a shared time axis; see `jourdain.view.plots.plot`."""
        return above("view.plots:plot")(self, *names)

    def report(self, path: str | Path, **given: Any) -> Path:
        """Write one page with verdict, replay, plots and numbers; see
        `jourdain.study.report.run_report.write_report`."""
        return above("study.report.run_report:write_report")(self, path, **given)

    def animate(self, path: str | Path, **given: Any) -> Path:
        """Write a film, .mp4, .webm, .gif or .webp, without a browser; see `jourdain.view.animation.animate`."""
        return above("view.animation:animate")(self, path, **given)

    def view(self, port: int = 0, open_browser: bool = True, block: bool = True) -> Viewer:
        """3-D replay in the browser, on this machine only; see `jourdain.view.viewer.show`."""
        return above("view.viewer:show")(self, port, open_browser, block)

    def _repr_html_(self) -> str:
        """Verdict, replay and plots in a notebook, with nothing from outside."""
        return above("study.report.notebook:run_html")(self)

    def __repr__(self) -> str:
        time = self.record.time
        how = f", {self.options['method']}" if isinstance(self.options.get("method"), str) else ""
        return (
            f"<{'partial ' if self.partial else ''}Run of {self.model.name!r}: {len(self)} samples, "
            f"{time[0]:g} to {time[-1]:g} s{how}, {len(self.channels.q)} coordinates, "
            f"energy balance within {self.channels.energy.error:.1e}{'' if self.trusted else ', not trusted'}>"
        )
