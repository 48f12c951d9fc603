"""Surfaces of solids that touch by multipliers: which ones can, what is told when they cannot, words of files."""

from __future__ import annotations

import numpy as np
import pytest
from surface_contact_solids import RUBBER, two_blocks

import jourdain as jd
from jourdain.basics.errors import ModelError, SimulationError
from jourdain.compile.surface_contact_tables import beside_each_other, ends_there
from jourdain.contact import CoulombFriction, MultiplierContact
from jourdain.describe.contact.multipliers import Touching
from jourdain.files.problems import ScenarioError
from jourdain.kernels.surface_contact.closest_point import GONE, SIDES
from jourdain.model.surface_contact import gaps_of, surfaces_of
from jourdain.results.surface_contacts import consistent_areas, consistent_rings
from jourdain.run.surface_contact import why_surfaces

G = 9.81
FLOOR = jd.Plane((0, 1, 0)).at("world")


def plate(name="pad", cells=(4, 2), sides=(0.2, 0.1), start=(0.0, 0.0), **given):
    """A plane solid with surfaces below and above."""
    low, high = start[1] + 1e-9, start[1] + sides[1] - 1e-9
    return jd.Solid(name, jd.mesh.rectangle(sides, cells, start=start), RUBBER, "stress", thickness=0.1,
                    element="linear", surfaces={"sole": lambda x: x[1] < low, "top": lambda x: x[1] > high},
                    **({"damping": 0.1} | given))  # fmt: skip


def test_a_solid_rests_on_the_tip_of_a_flexible_arm():
    """A block on a shape at the tip of a beam: both sag, and the beam's tip bears the block's weight."""
    system = jd.System("arm", gravity=(0.0, -G, 0.0))
    beam = jd.Beam("beam", 1.0, mass_per_length=1.0, EA=1e6, EI=500.0, GJ=100.0, damping=0.5,
                   modes=jd.Modes(bending_y=1, bending_z=0, torsion=0))  # fmt: skip
    system.add(beam, joint=jd.Weld("root"))
    tray = jd.Box((0.4, 0.02, 0.4)).at("beam.tip", position=(0.0, -0.01, 0.0))
    pad = plate(start=(-0.1, 0.0))
    system.add(pad, joint=jd.Planar("move"), position=(1.0, 1e-6, 0.0))
    system.contact("grasp", pad.surface("sole"), tray, MultiplierContact(), CoulombFriction(kinetic=0.5))
    model = system.compile()
    run = jd.simulate(model, model.state(), until=1.5, step=2e-3, method="generalized-alpha")
    force = run.contact["grasp"].force.values[-200:].mean(axis=0)
    assert force[1] == pytest.approx(pad.mass * G, rel=0.02)
    assert float(run.contact["grasp"].gap.min()) > -1e-7


def horseshoe(first, second, until=0.5, step=5e-3, cells=8, **given):
    """A plane solid with a slot, whose upper arm comes to rest on the lower one under gravity."""
    mesh = jd.mesh.rectangle((0.4, 0.1), (cells, 5))
    points, middles = mesh.points.copy(), mesh.points[mesh.cells].mean(axis=1)
    points[:, 1] = np.interp(points[:, 1], [0.0, 0.04, 0.06, 0.1], [0.0, 0.045, 0.049, 0.094])
    used, quads = np.unique(mesh.cells[~((middles[:, 0] > 0.06) & (abs(middles[:, 1] - 0.05) < 0.01))],
                            return_inverse=True)  # fmt: skip
    sides = {"base": lambda x: x[1] < 1e-9, "low": lambda x: (x[0] > 0.04) & (abs(x[1] - 0.045) < 1e-6),
             "up": lambda x: (x[0] > 0.04) & (abs(x[1] - 0.049) < 1e-6), "skin": lambda x: x[0] > -1.0}  # fmt: skip
    soft = jd.Material(E=2e5, nu=0.3, density=1000.0)
    shoe = jd.Solid("shoe", (points[used], quads.reshape(-1, 4)), soft, "stress", thickness=0.1, element="linear",
                    reference="base", damping=0.3, surfaces=sides)  # fmt: skip
    system = jd.System("shoe", gravity=(0.0, -G, 0.0))
    system.add(shoe, joint=jd.Weld("mount"))
    system.contact("self", shoe.surface(first), shoe.surface(second), MultiplierContact(**given))
    model = system.compile()
    return jd.simulate(model, model.state(), until=until, step=step, method="generalized-alpha")


def test_a_solid_touches_itself():
    """The arms of a horseshoe come to lie on each other, and do not go into each other; no energy is missing."""
    run = horseshoe("up", "low", until=0.2, step=6.25e-4)
    touch = run.contact["self"]
    assert run.trusted
    assert touch.sites.values[0] == 0 and touch.sites.values[-1] > 3 and float(touch.gap.min()) > -1e-8
    assert touch.normal_force.values[-1] > 5.0


@pytest.mark.slow
def test_nodes_and_integrals_press_alike():
    """The same by both forms, and with the whole skin against itself.

    Named surfaces in two passes have the conditions of the whole skin: 1e-6 apart. In one pass nothing but nodes of the
    upper arm is met: its tip, which slid 0.4 mm by the end of the lower arm, hangs beside it, where in the other pass
    the corner of the lower arm bears the last facet. That is 1.4e-3 of the force at 8 cells, and less by more than four
    at twice as many, as facets have half the size."""
    found, whole = [], []
    for form, passes in (("node", 1), ("node", 2), ("mortar", 1)):
        touch = horseshoe("up", "low", form=form, passes=passes).contact["self"]
        found.append(touch.normal_force.values[-1])
        assert touch.sites.values[0] == 0 and touch.sites.values[-1] > 3 and float(touch.gap.min()) > -1e-8
    for cells in (8, 16):
        touch = horseshoe("skin", "skin", cells=cells).contact["self"]
        whole.append(touch.normal_force.values[-1])
        assert float(touch.gap.min()) > -1e-8
    fine = horseshoe("up", "low", cells=16).contact["self"].normal_force.values[-1]
    assert found[1] == pytest.approx(whole[0], rel=1e-4) and found[2] == pytest.approx(whole[0], rel=0.03)
    apart = abs(found[0] / whole[0] - 1.0), abs(fine / whole[1] - 1.0)
    assert apart[0] < 2e-3 and apart[1] < 0.25 * apart[0]
    assert found[0] > 10.0


def test_nodes_that_meet_each_other_are_one():
    """Two passes of meshes that match: the second has nothing to add, and the pressure is even."""
    touch = two_blocks("node", passes=2, cells=(4, 4)).contact["touch"]
    pressure = touch.pressure.values[-1]
    assert pressure[:5] == pytest.approx(1e4, rel=1e-4) and not pressure[5:].any()
    assert touch.sites.values[-1] == 5 and touch.force.values[-1][1] == pytest.approx(1e4, rel=1e-4)


def test_a_node_beyond_a_facet_is_inside_of_the_next_one():
    """In a hollow of two facets that fall by 0.1 a length towards its middle: a node in the plane of the first, 1 % of
    its length beyond its end, is 2e-3 deep in the other."""
    wedge = np.array([[-1.0, 0.1], [0.0, 0.0], [1.0, 0.1], [1.0, -1.0], [0.0, -1.0], [-1.0, -1.0]])
    low = jd.Solid("low", (wedge, [[5, 4, 1, 0], [4, 3, 2, 1]]), RUBBER, "stress", thickness=1.0, element="linear",
                   surfaces={"top": lambda x: x[1] > -0.5})  # fmt: skip
    system = jd.System("hollow")
    system.add(low, joint=jd.Weld("base"))
    system.add(jd.RigidBody("pin", mass=1.0, inertia=(1, 1, 1)), joint=jd.Planar("move"))
    system.contact("touch", jd.shapes.Point().at("pin.origin"), low.surface("top"), MultiplierContact())
    model = system.compile()
    for x, y, gap in ((0.01, -0.001, -0.002), (0.01, 0.001, 0.0), (-0.01, 0.001, 0.0), (0.5, 0.06, 0.01)):
        state = model.state(q={"move.x": x, "move.y": y})
        found = gaps_of(model, state.q[None], state.v[None])[0, 0]
        assert found * np.sqrt(1.01) == pytest.approx(gap, abs=1e-12)


def test_a_gap_is_met_within_the_tolerance():
    for tolerance in (1e-5, 1e-9):
        run = two_blocks("node", law=MultiplierContact(tolerance=tolerance))
        gaps = run.contact["touch"].gaps.values[-1]
        assert np.abs(gaps).max() <= tolerance
    with pytest.raises(ModelError, match="tolerance is -1"):
        two_blocks("node", law=MultiplierContact(tolerance=-1.0))


def test_a_step_that_cannot_be_made_names_contact_nodes_and_time():
    """States that are never found, as a set that goes round in circles would be."""
    from jourdain.kernels.surface_contact import surface_layout

    model = two_blocks("node", steps=2).model
    surfaces = surfaces_of(model, 1)
    surfaces.state.columns.region[:3] = surface_layout.STICK
    for fault, told in (
        (surface_layout.NO_STATES, "no set of states"),
        (surface_layout.UNSETTLED, "open and close in turn"),
    ):
        surfaces.fault.reason, surfaces.fault.node = fault, 1
        why, remedy, named = why_surfaces(model, surfaces)
        assert told in why and "touch[" in why and "step" in remedy and named.startswith("touch[")
    surfaces.fault.reason, surfaces.fault.node = surface_layout.CAPACITY_EXCEEDED, 1
    assert "1000 nodes" in why_surfaces(model, surfaces)[0]
    surfaces.fault.reason, surfaces.fault.node = surface_layout.UNSETTLED, -1
    assert why_surfaces(model, surfaces) is None


@pytest.mark.parametrize("scheme", ["impulse", "acceleration"])
def test_a_step_whose_nodes_do_not_settle_is_never_taken(scheme):
    """Gaps that no correction meets, as those of nodes that open and close in turn: steps are cut, and the run ends
    with what touched and when, at the first step that has a node to meet."""
    with pytest.raises(SimulationError, match=r"however short the step \(touching are touch\[") as stopped:
        two_blocks("node", law=MultiplierContact(tolerance=1e-25, scheme=scheme))
    assert stopped.value.culprit.startswith("touch[") and stopped.value.time < 0.2


def test_both_passes_are_felt_as_one_contact():
    """Rows of what sensors feel are contacts, not passes: a row too many would be written beside the table."""
    from jourdain.kernels.surface_contact.surface_layout import SurfacePair

    pairs = two_blocks("node", passes=2, steps=2).model.touching["pairs"]
    columns = SurfacePair.columns
    assert pairs[:, columns.wrench].tolist() == [0, 0] and pairs[:, columns.sign].tolist() == [1, -1]


def test_explicit_and_adaptive_methods_are_refused_with_the_remedy():
    pad = plate()
    system = jd.System("drop", gravity=(0.0, -G, 0.0))
    system.add(pad, joint=jd.Planar("move"))
    system.contact("floor", pad.surface("sole"), FLOOR, MultiplierContact())
    model = system.compile()
    for method in ("rk4", "radau", "bdf"):
        with pytest.raises(ModelError, match=r'give method="newmark" or "generalized-alpha" with step='):
            jd.simulate(model, model.state(), until=0.1, step=1e-3 if method == "rk4" else None, method=method)
    with pytest.raises(ModelError, match="give step="):
        jd.simulate(model, model.state(), until=0.1, method="newmark")
    with pytest.raises(ModelError, match=r"floor\[\d+\].*starts 0.01 m inside"):
        jd.simulate(model, model.state(q={"move.y": -0.01}), until=0.1, step=1e-3, method="newmark")


def test_solids_that_cannot_be_are_refused():
    with pytest.raises(ModelError, match="has no surface 'face'"):
        plate().surface("face")
    system = jd.System("one")
    system.add(plate(modes=2), joint=jd.Planar("move"))
    other = plate("other")
    system.contact("pair", plate(modes=2).surface("top"), other.surface("sole"), MultiplierContact())
    with pytest.raises(ModelError, match="other"):
        system.compile()
    with pytest.raises(ModelError, match="cannot hold"):
        pad = jd.Solid("pad", jd.mesh.rectangle((1, 1), (2, 2)), RUBBER, "stress", thickness=0.1, reference="pin",
                       surfaces={"pin": lambda x: (x[0] < 1e-9) & (x[1] < 1e-9)})  # fmt: skip
        held = jd.System("held")
        held.add(pad, joint=jd.Weld("mount"))
        held.compile()
    flat = plate("flat")
    block = jd.Solid("cube", jd.mesh.block((1, 1, 1), (1, 1, 1)), RUBBER, element="linear",
                     surfaces={"top": lambda x: x[2] > 0.999})  # fmt: skip
    mixed = jd.System("mixed")
    mixed.add(flat, joint=jd.Planar("a"))
    mixed.add(block, joint=jd.Free("b"))
    mixed.contact("pair", flat.surface("top"), block.surface("top"), MultiplierContact(form="mortar"))
    with pytest.raises(ModelError, match="a plane solid, the other one"):
        mixed.compile()


FILE = """
jourdain: 1
name: pile
system:
  gravity: [0, -9.81, 0]
  bodies:
    - kind: Solid
      name: pad
      mesh: {kind: rectangle, lengths: [0.2, 0.1], cells: [2, 1]}
      material: {E: 10 MPa, nu: 0.3, density: 1000}
      plane: stress
      thickness: 0.1
      element: linear
      surfaces: {sole: [[-1, -1], [1, 1e-9]], top: [[-1, 0.0999], [1, 1]]}
      joint: {kind: Planar, name: move}
    - kind: Solid
      name: cap
      mesh: {kind: rectangle, lengths: [0.2, 0.1], cells: [3, 1]}
      material: {E: 10 MPa, nu: 0.3, density: 1000}
      plane: stress
      thickness: 0.1
      element: linear
      surfaces: {sole: [[-1, -1], [1, 1e-9]]}
      position: [0, 0.1, 0]
      joint: {kind: Planar, name: ride}
  contacts:
    - name: floor
      first: {surface: pad.sole}
      second: {kind: Plane, normal: [0, 1, 0], at: world}
      normal: {kind: MultiplierContact, passes: 1, tolerance: 1e-7}
      friction: {kind: CoulombFriction, static: 0.4, kinetic: 0.3}
    - name: pair
      first: {surface: cap.sole}
      second: {surface: pad.top}
      normal: {kind: MultiplierContact, form: mortar}
"""


def test_words_of_a_file(tmp_path):
    (tmp_path / "pile.yaml").write_text(FILE)
    system = jd.System.load(tmp_path / "pile.yaml")
    floor, pair = system.touching
    assert floor.normal == MultiplierContact(tolerance=1e-7) and floor.friction.static == 0.4
    assert pair.normal.form == "mortar" and len(pair.first.nodes) == 4 and len(pair.second.facets) == 2
    for one in system.touching:
        assert Touching.from_dict(one.to_dict(), "touching").to_dict() == one.to_dict()
    (tmp_path / "bad.yaml").write_text(FILE.replace("form: mortar", "form: glue"))
    with pytest.raises(ScenarioError, match="mortar, node"):
        jd.System.load(tmp_path / "bad.yaml")


def test_rigid_bodies_are_written_with_it(tmp_path):
    system = jd.System("ball", gravity=(0.0, 0.0, -G))
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)), joint=jd.Free("fly"))
    system.contact("floor", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"),
                   MultiplierContact(scheme="acceleration"), CoulombFriction(kinetic=0.2))  # fmt: skip
    read = jd.System.load(system.save(tmp_path / "ball.yaml"))
    assert [one.to_dict() for one in read.touching] == [one.to_dict() for one in system.touching]


def test_tractions_make_the_forces_of_nodes():
    """int N N^T dA of the digest (2.5): d / 6 (2, 1; 1, 2) of a segment, 0.622..., 0.1667 and 0.0447 of a square; rings
    have the area of a cone."""
    assert consistent_areas(np.array([[0, 0, 0], [3.0, 0, 0]]), 2.0) == pytest.approx(np.array([[2, 1], [1, 2.0]]))
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0.0]])
    row = np.array([0.62200847, 0.16666667, 0.0446582, 0.16666667])
    H = np.array([np.roll(row, k) for k in range(4)])
    assert consistent_areas(square, 1.0) == pytest.approx(H.T @ H, abs=1e-7)
    assert consistent_rings(np.array([[0.0, 0, 0], [3.0, 4.0, 0]])).sum() == pytest.approx(np.pi * 3.0 * 5.0)


def test_facets_side_by_side_are_groups():
    x = np.random.default_rng(2).uniform(size=(50, 3))
    order = beside_each_other(x, 8)
    assert sorted(order) == list(range(50))
    spread = [np.ptp(x[order[k : k + 8]], axis=0).max() for k in range(0, 48, 8)]
    assert np.mean(spread) < 0.8


def test_a_closed_skin_has_no_ends():
    """A surface ends where a side has a facet on one side only; at corners it turns away."""
    straight = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0.0]])
    assert ends_there(straight, ((0, 1), (1, 2), (2, 3))) == [GONE | 1, 0, GONE | 2]
    square = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 2, 0], [1, 2, 0], [0, 2, 0.0]])
    assert ends_there(square, ((0, 1), (1, 2), (2, 3))) == [GONE | 1, 2, GONE | 3]
    assert ends_there(square, tuple((k, (k + 1) % 6) for k in range(6))) == [1, 2, 3, 1, 2, 3]
    cube = jd.Solid("a", jd.mesh.block((1, 1, 1), (3, 3, 3)), RUBBER, element="linear",
                    surfaces={"skin": lambda x: x[0] > -1.0, "top": lambda x: x[2] > 0.999})  # fmt: skip
    for name, ends in (("skin", False), ("top", True)):
        found = np.array(ends_there(cube.nodes, cube.surface(name).facets))
        faces = len(found) // 9
        # of nine facets of a face four have two sides at its edges, four have one, and the middle has none
        sides = [bin(k & SIDES).count("1") for k in found]
        assert [sides.count(k) for k in range(3)] == [faces, 4 * faces, 4 * faces]
        assert np.array_equal(found >= GONE, ends & (np.array(sides) > 0))
