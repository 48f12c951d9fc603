"""A soft block dropped on a floor, beside Drake's deformable bodies and MuJoCo's flex: the same mesh and the same step.

A cube of 0.1 m of foam, cut into tetrahedra, falls 1 mm and comes to rest under its weight with friction. Ours has
linear tetrahedra and contact by multipliers, Drake corotated elements and convex contact (SAP), MuJoCo its flex with
soft constraints. What is compared is processor time a step, and how far the cube's top sinks at rest.

And a contact problem at rest beside FElupe, on one mesh: half a cylinder, plane strain, pressed on a rigid plane; ours
by multipliers, FElupe's by a penalty of 1e9 N/mm.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import contact_drake
import mujoco
import numpy as np
from results import Row
from timing import in_rounds

import jourdain as jd

SIZE, YOUNG, POISSON, DENSITY, FRICTION, DROP = 0.1, 1e5, 0.3, 1100.0, 0.5, 1e-3
DAMPING, STEP, UNTIL = 0.01, 1e-3, 0.3
ROUNDS = 3
SETTLEMENT = ("coordinates", "code", "top below")


def mesh_of(cells: int) -> jd.mesh.SolidMesh:
    """The cube on the plane z = 0."""
    mesh = jd.mesh.block((SIZE, SIZE, SIZE), (cells, cells, cells), of="tet")
    return mesh.moved((0.0, 0.0, -float(mesh.points[:, 2].min())))


Once = Callable[[], tuple[float, float]]
"""One run: (processor time a step [s], height of the top at rest [m])."""


def ours(cells: int, rubs: bool = True) -> Once:
    """Our block, with or without friction."""
    mesh = mesh_of(cells)
    foam = jd.Material(E=YOUNG, nu=POISSON, density=DENSITY)
    top = {"top": lambda x: x[2] > SIZE - 1e-9, "sole": lambda x: x[2] < 1e-9}
    block = jd.Solid("block", mesh, foam, element="linear", reference="nodes", matrices="sparse", surfaces=top,
                     damping=jd.Rayleigh(0.0, DAMPING))  # fmt: skip
    system = jd.System("drop", gravity=(0.0, 0.0, -9.81))
    system.add(block, joint=jd.Free("flight"))
    friction = jd.CoulombFriction(static=FRICTION, kinetic=FRICTION) if rubs else None
    floor = jd.Plane((0, 0, 1)).at("world")
    system.contact("floor", block.surface("sole"), floor, normal=jd.contact.MultiplierContact(), friction=friction)
    model = system.compile()
    state = model.state(q={"flight": jd.Pose((0.0, 0.0, DROP))})

    def run() -> tuple[float, float]:
        begun = time.process_time()
        made = jd.simulate(
            model, state, until=UNTIL, step=STEP, method="generalized-alpha", output=0.05, rtol=1e-5, atol=1e-7
        )
        taken = (time.process_time() - begun) / round(UNTIL / STEP)
        found = made.options["statistics"]
        if found["steps"] != round(UNTIL / STEP) or found["unconverged"]:
            raise RuntimeError(f"{found['unconverged']} steps of {cells} cells were cut")
        return taken, float(made.frame("block.top").position[-1, 2])

    return run


def in_mujoco(cells: int) -> Once:
    """The same of MuJoCo."""
    mesh = mesh_of(cells)
    points = " ".join(f"{x:.9g}" for x in (mesh.points + [0.0, 0.0, DROP]).ravel())
    elements = " ".join(str(int(i)) for i in np.asarray(mesh.cells).ravel())
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco><option timestep="{STEP}" integrator="discrete" solver="CG" tolerance="1e-8"/><size memory="200M"/>
        <worldbody><geom type="plane" size="1 1 .1" friction="{FRICTION}"/>
        <flexcomp name="block" type="direct" dim="3" point="{points}" element="{elements}" mass="{DENSITY * SIZE**3}"
        radius="1e-5"><elasticity young="{YOUNG}" poisson="{POISSON}" damping="{DAMPING}"/>
        <contact selfcollide="none" condim="3" friction="{FRICTION}"/></flexcomp></worldbody></mujoco>""")
    steps, above = round(UNTIL / STEP), mesh.points[:, 2] > SIZE - 1e-9

    def run() -> tuple[float, float]:
        data = mujoco.MjData(model)
        begun = time.process_time()
        mujoco.mj_step(model, data, nstep=steps)
        taken = (time.process_time() - begun) / steps
        return taken, float(np.mean(data.flexvert_xpos[above, 2]))

    return run


def in_drake(cells: int) -> Once:
    """The same of Drake."""
    import pydrake.all as drake

    mesh = mesh_of(cells)
    points, tets = np.asarray(mesh.points), np.asarray(mesh.cells)
    lines = [
        "# vtk DataFile Version 3.0",
        "block",
        "ASCII",
        "DATASET UNSTRUCTURED_GRID",
        f"POINTS {len(points)} double",
    ]
    lines += [" ".join(f"{x:.9g}" for x in one) for one in points]
    lines += [f"CELLS {len(tets)} {5 * len(tets)}", *("4 " + " ".join(map(str, one)) for one in tets)]
    lines += [f"CELL_TYPES {len(tets)}", *["10"] * len(tets), ""]
    builder = drake.DiagramBuilder()
    config = drake.MultibodyPlantConfig(time_step=STEP, discrete_contact_approximation="sap")
    plant, _ = drake.AddMultibodyPlant(config, builder)

    def rubs() -> object:
        out = drake.ProximityProperties()
        drake.AddContactMaterial(None, None, drake.CoulombFriction(FRICTION, FRICTION), out)
        return out

    rigid = rubs()
    drake.AddRigidHydroelasticProperties(1.0, rigid)
    low = drake.RigidTransform([0.0, 0.0, -0.05])
    plant.RegisterCollisionGeometry(plant.world_body(), low, drake.Box(2, 2, 0.1), "floor", rigid)
    body = drake.DeformableBodyConfig_[float]()
    body.set_youngs_modulus(YOUNG)
    body.set_poissons_ratio(POISSON)
    body.set_mass_density(DENSITY)
    body.set_stiffness_damping_coefficient(DAMPING)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "block.vtk"
        path.write_text("\n".join(lines))
        shape = drake.GeometryInstance(drake.RigidTransform([0.0, 0.0, DROP]), drake.Mesh(str(path), 1.0), "block")
        shape.set_proximity_properties(rubs())
        number = plant.mutable_deformable_model().RegisterDeformableBody(shape, body, 1.0)
        plant.Finalize()
        diagram = builder.Build()

    def run() -> tuple[float, float]:
        context = diagram.CreateDefaultContext()
        simulator = drake.Simulator(diagram, context)
        simulator.Initialize()
        begun = time.process_time()
        simulator.AdvanceTo(UNTIL)
        taken = (time.process_time() - begun) / round(UNTIL / STEP)
        found = plant.deformable_model().GetPositions(plant.GetMyContextFromRoot(context), number)
        return taken, float(np.mean(found[2][points[:, 2] > SIZE - 1e-9]))

    return run


RADIUS, STEEL, NU, DOWN, PENALTY = 50.0, 2e4, 0.3, 0.4, 1e9
ORACLE = ("cylinder pressed on a plane, at rest", "Jourdain", "FElupe", "apart")


def pressed_in_felupe(points: np.ndarray, quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(displacements of all nodes [mm], forces of the plane on them [N])."""
    import felupe

    mesh = felupe.Mesh(np.vstack([points, [[0.0, -RADIUS]]]), quads, "quad")
    field = felupe.FieldContainer([felupe.FieldPlaneStrain(felupe.RegionQuad(mesh), dim=2)])
    numbers = np.arange(mesh.npoints)
    top = np.isin(numbers, np.flatnonzero(points[:, 1] > -1e-9 * RADIUS))
    bounds = {
        "across": felupe.Boundary(field[0], mask=top, skip=(0, 1)),
        "down": felupe.Boundary(field[0], mask=top, skip=(1, 0), value=-DOWN),
        "floor": felupe.Boundary(field[0], mask=numbers == len(points)),
    }
    rim = np.flatnonzero(np.hypot(*points.T) > RADIUS * (1.0 - 1e-6))
    floor = felupe.ContactRigidPlane(field, rim, len(points), np.array([0.0, 1.0]), multiplier=PENALTY)
    solid = felupe.SolidBody(felupe.LinearElastic(E=STEEL, nu=NU), field)
    free, held = felupe.dof.partition(field, bounds)[::-1]
    felupe.newtonrhapson(
        items=[solid, floor], dof0=held, dof1=free, ext0=felupe.dof.apply(field, bounds, held), verbose=0
    )
    moved = np.asarray(field[0].values)[:-1]
    force = np.zeros(len(points))
    force[rim] = PENALTY * np.maximum(-(points[rim, 1] + moved[rim, 1] + RADIUS), 0.0)
    return moved, force


def oracle(cells: int = 12) -> list[tuple[str, ...]]:
    """Forces and displacements of both codes; no row where FElupe is not there."""
    from importlib.util import find_spec

    if find_spec("felupe") is None:
        return []
    from surface_contact_solids import pressed_round, section

    touch, part = pressed_round("strain", cells, 0.8, DOWN, 10.0)
    moved = touch._run.field("part", "displacement").values[-1][:, :2] - [0.0, DOWN]
    ours = np.zeros(len(moved))
    ours[touch.nodes] = touch.forces.sel(axis="y").values[-1]
    theirs, force = pressed_in_felupe(*section(RADIUS, cells, cells, 0.8, both=True))
    apart = f"{np.max(np.abs(moved - theirs)) / DOWN:.1e} of the way, all nodes"
    shared = f"{np.max(np.abs(ours - force)) / force.sum():.1e} of all, all nodes"
    widest, other = float(np.max(moved[:, 0])), float(np.max(theirs[:, 0]))
    return [
        ("force", f"{ours.sum():.3f} N", f"{force.sum():.3f} N", f"{abs(ours.sum() / force.sum() - 1.0):.1e}"),
        ("largest force of a node", f"{ours.max():.3f} N", f"{force.max():.3f} N", shared),
        ("largest displacement sideways", f"{widest:.6f} mm", f"{other:.6f} mm", apart),
    ]


def measure(quick: bool) -> tuple[list[Row], list[tuple[str, ...]]]:
    """Rows against each peer, and a table of how far the top sinks."""
    rows, settled = [], []
    for cells in (4,) if quick else (4, 6, 8):
        unknowns = 3 * (cells + 1) ** 3
        runs = {"ours": ours(cells), "ours without friction": ours(cells, rubs=False), "MuJoCo flex": in_mujoco(cells)}
        if not contact_drake.missing():
            runs["Drake, SAP"] = in_drake(cells)
        heights = {name: run()[1] for name, run in runs.items()}  # the first run may compile
        best = in_rounds({name: lambda run=run: run()[0] for name, run in runs.items()}, ROUNDS)
        what = f"a step of a soft block on a floor, {unknowns} coordinates"
        rows += [Row(what, peer, best["ours"], best[peer]) for peer in runs if peer != "ours"]
        settled += [(f"{unknowns}", name, f"{1e3 * (SIZE - one):.4f} mm") for name, one in heights.items()]
    return rows, settled


if __name__ == "__main__":
    import sys

    found, heights = measure("--quick" in sys.argv)
    for one in found:
        print(one.cells())
    for line in heights + oracle():
        print(line)
