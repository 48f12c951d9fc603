"""The sections of a run: what each measures, its text, how many rounds it makes, and how long it may take.

A section imports what it needs when it runs, so that a peer that is missing or breaks ends that section alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from results import COMPARED, LIMITED, Curve, Limit, Row, table


@dataclass(frozen=True)
class Found:
    """What a section measured, and its tables in the order in which its text has them."""

    rows: list[Row]
    limits: list[Limit]
    curves: list[Curve]
    tables: list[str]


@dataclass(frozen=True)
class Section:
    """One section.

    rounds    of each comparison: full and quick
    budget    time on the wall after which a comparison makes no more rounds [s]
    limit     time on the wall after which the section is ended [s]; all of them together are at most an hour
    """

    name: str
    title: str
    run: Callable[[int, bool], Found]
    rounds: tuple[int, int]
    budget: float
    limit: float
    text: str

    def page(self, found: Found) -> str:
        """The text with its tables."""
        return self.text.format(*found.tables)


def compared(rows: list[Row]) -> str:
    """Table of comparisons."""
    return table(COMPARED, [row.cells() for row in rows])


def limited(limits: list[Limit]) -> str:
    """Table of numbers of ours."""
    return table(LIMITED, [limit.cells() for limit in limits])


def _startup(rounds: int, quick: bool) -> Found:
    import startup

    limits = startup.measure(rounds)
    return Found([], limits, [], [limited(limits)])


def _functions(rounds: int, quick: bool) -> Found:
    import dynamics

    compiled, python = dynamics.measure(rounds)
    return Found([*compiled, *python], [], [], [compared(compiled), compared(python)])


def _sizes(rounds: int, quick: bool) -> Found:
    import scaling

    rows, flat, curve = scaling.measure(rounds)
    return Found([], [flat], [curve], [table(scaling.SCALED, rows), limited([flat])])


def _orbit(rounds: int, quick: bool) -> Found:
    import units

    rows, straight, curve = units.measure(rounds)
    return Found([], [straight], [curve], [table(units.COUNTED, rows), limited([straight])])


def _derivatives(rounds: int, quick: bool) -> Found:
    import derivatives

    rows = derivatives.measure(rounds)
    return Found(rows, [], [], [compared(rows)])


def _simulations(rounds: int, quick: bool) -> Found:
    import simulations

    rows = simulations.measure(rounds, quick)
    return Found(rows, [], [], [compared(rows)])


def _studies(rounds: int, quick: bool) -> Found:
    import studies

    rows = studies.measure(rounds, quick)
    return Found(rows, [], [], [compared(rows)])


def _trajectories(rounds: int, quick: bool) -> Found:
    import trajectories

    rows = trajectories.measure(rounds, graph=not quick)
    return Found(rows, [], [], [compared(rows)])


def _flexible(rounds: int, quick: bool) -> Found:
    import flexible

    rows, limits = flexible.measure(rounds)
    return Found(rows, limits, [], [limited(limits), compared(rows)])


def _solids(rounds: int, quick: bool) -> Found:
    import solids
    import solids_peers

    sparse, grown, curve = solids.measure(quick)
    rows, settled = solids_peers.measure(quick)
    pressed = solids_peers.oracle()
    shown = table(solids_peers.ORACLE, pressed) if pressed else "FElupe is not installed."
    tables = [
        table(solids.COSTS, sparse),
        limited([grown]),
        compared(rows),
        table(solids_peers.SETTLEMENT, settled),
        shown,
    ]
    return Found(rows, [grown], [curve], tables)


def _cables(rounds: int, quick: bool) -> Found:
    import cables

    rows, lines, limits, curves = cables.measure(quick)
    return Found(rows, limits, curves, [compared(rows), table(cables.COSTS, lines), limited(limits)])


def _loops(rounds: int, quick: bool) -> Found:
    import closed_chains

    rows, limits, curve = closed_chains.measure(rounds)
    return Found(rows, limits, [curve], [compared(rows), limited(limits)])


def _contact(rounds: int, quick: bool) -> Found:
    import contact
    import contact_holding
    import quadruped

    piles, limits, rows, curves = contact.measure(rounds, quick)
    dropped = quadruped.measure(max(3, rounds // 10))
    held, still = contact_holding.measure()
    tables = [
        compared(rows),
        compared(dropped),
        table(contact.PILE, piles),
        limited(limits),
        table(contact_holding.HELD, held),
    ]
    return Found([*rows, *dropped], [*limits, *still], curves, tables)


def _threads(rounds: int, quick: bool) -> Found:
    import threads

    rows, limits = threads.measure(rounds, quick)
    return Found([], limits, [], [table(threads.SHARED, rows), limited(limits)])


def _volumetric(rounds: int, quick: bool) -> Found:
    import volumetric

    rows, limits = volumetric.measure(rounds)
    return Found(rows, limits, [], [compared(rows), limited(limits)])


def _controllers(rounds: int, quick: bool) -> Found:
    import controllers

    limits = controllers.limits(quick)
    return Found([], limits, [], [limited(limits)])


def _export(rounds: int, quick: bool) -> Found:
    import exporting

    limits = exporting.limits(quick)
    return Found([], limits, [], [limited(limits)])


STARTUP = """
Each in a fresh interpreter, in a cache of kernels of its own.

{}
"""

FUNCTIONS = """
One call. Ours is called from a compiled loop, as compiled user code would; inputs change from call to call. From the
peers' times their Python overhead is taken off:

- Pinocchio (`aba`, `rnea`, `crba`): the same call on a model without joints, plus what handing out the larger result
  takes more. Its joints about x, y and z are used, and the faster of its two conventions.
- MuJoCo: as many calls of a function that has nothing to do. Forward dynamics is `mj_kinematics`, `mj_comPos`,
  `mj_makeM`, `mj_factorM`, `mj_fwdVelocity`, `mj_fwdAcceleration`; inverse dynamics `mj_kinematics`, `mj_comPos`,
  `mj_comVel`, `mj_rne`; the mass matrix `mj_kinematics`, `mj_comPos`, `mj_makeM`, `mj_fullM`.

The arm has 7 revolutes on a fixed base, the chain a free base and 39 revolutes, the humanoid a free base and 31
revolutes in five branches.

{}

From Python: one call as a Python user makes it, overhead and checks of arguments included.

{}
"""

SIZES = """
Free chains; forward dynamics, one call.

{}

{}
"""

ORBIT = """
An orbiting manipulator of so many units (a rotor and a flexible module on an elastic joint) on a flexible platform, as
in Chen's thesis, which has one to five: the right-hand side, one evaluation.

{}

{}
"""

DERIVATIVES = """
Derivatives of the accelerations by displacements, velocities and efforts, one call. Pinocchio's are
`computeABADerivatives`, its overhead taken off as above. The complex step is ours: a column at a time through the same
kernels of inverse dynamics, in a compiled loop, then the same inverse of the mass matrix; three links of 2 m with a
load, nine coordinates a link.

{}
"""

SIMULATIONS = """
RK4 at 1 ms in all codes, the whole call, output of the last state. MuJoCo makes all steps in one `mj_step`. Exudyn,
which has the chain as a kinematic tree with a base of six one-axis joints, makes a tenth of the steps and is scaled;
its default solver of the mass matrix is not its fastest, so both are given. MuJoCo's rollout always keeps every step.
Memory that is new to a process comes from the system page by page, which on a virtual machine can take as long as the
steps. So where every step is kept, both codes make their arrays in the call; *arrays given* is MuJoCo's rollout into
arrays that it has written before, which ours cannot be given.

{}
"""

STUDIES = """
`jd.sweep` of the 7-axis arm from other rates in every variant, one call with the coordinates at the end as criteria, on
all cores; and MuJoCo's rollout of the same states, a thousand runs at a time. Contact runs with another friction
each, so that no two share a model, in processes; their start counts.

{}
"""

TRAJECTORIES = """
A reach of the 7-axis arm within limits of torque and joints, solved to one cost (1e-6 relative) from one guess, on one
thread (`benchmarks/trajectories.py`). By dynamic programming without gravity, semi-implicit steps, beside Crocoddyl's
box-constrained FDDP. By collocation (Hermite-Simpson, exact Hessians, as many iterations from the same guess to the
same accuracy) beside the same equations of articulated bodies in CasADi with IPOPT and MUMPS, with the same rows: calls
of one function in a graph, where 94 % of the time are derivatives, and expanded into scalars, which takes CasADi longer
to build and is what it is fastest with. Ours stands there twice: with our own solver by stages (`solver="stage"`, the
algorithm and the constants of IPOPT with linear equations that are solved interval by interval), and with the same
IPOPT and MUMPS, where these take most of our time. CasADi has a solver by stages too, FATROP, which was not tried.
With accelerations as unknowns and inverse dynamics as rows, expanded, CasADi took 1.13 s on a loaded machine where ours
took 0.64 s, but ended in another local minimum (3094.6 after 66 iterations, 3101.1 after 72 here), so it is no row.

{}
"""

FLEXIBLE = """
Three links of 2 m with a load, as beams and as rigid bodies; forward dynamics, one call:

{}

One step, from rest under a small gravity: the difference of two runs, by the number of steps. The arm has 7 joints,
two booms of 10 coordinates and a payload; the robot is that arm with 7 coordinates a boom, a torso and two arms of 7
joints, a beam of 7 coordinates in each. Exudyn has the beams as reduced-order floating-frame bodies with the same
masses, shapes and stiffness, and rigid bodies, held by joints. Its explicit methods allow no constraints, so for its
RK4 joints are stiff springs and rotations three angles; its generalized alpha, with modified Newton iterations, has
constraints and Euler parameters. Before, its tip and ours, without foreshortening, must agree to 1e-6 m after 1 s.

{}
"""

SOLIDS = """
A cube of soft rubber with all nodes as coordinates (HEX8, sparse matrices) lands on a floor with its whole lower face,
by multipliers; Newmark's method (1/2, 1) at 0.5 ms; processor time. The first four steps have the factorisation and the
columns of the surface, which are kept.

{}

{}

A soft block (linear tetrahedra, Young's modulus 1e5 Pa, Rayleigh's damping 10 ms) falls 1 mm and comes to rest with
friction, 300 steps of 1 ms; processor time a step. Ours has contact by multipliers, with friction
and, as a row of its own, without; Drake corotated elements and convex contact (SAP), MuJoCo flex bodies and soft
constraints. The last table has how far the top is below where it was made, at the end.

{}

{}

Half a cylinder of 50 mm (360 quadrangles, plane strain, 20 GPa) is pressed on a rigid plane by 0.4 mm, at rest: ours by
multipliers, FElupe's by a penalty of 1e9 N/mm, on one mesh.

{}
"""

CABLES = """
A cable of 1 m (0.78 kg/m, EA 1e4 N, EI 1 N m^2) is let go from the side and swings for 0.5 s; processor time of a whole
run, its start included. Exudyn's ANCF cable has the same elements, steps and method (generalized-alpha, spectral radius
0.9, modified Newton iterations); errors of the tip, ours first, are against a short explicit step. PyElastica's rod is
clamped and swings for 0.25 s, errors against a finer run of each code's own. Then time of an element in a step, the
element 5 cm long.

{}

{}

{}
"""

LOOPS = """
Both codes at the fewest of 16, 24, 32, 48 ... steps that keep a position at the end within 1e-5 m: order counts. The
processor time of those steps, the difference of two runs, and that of the whole call. Forty four-bars (IFToMM's problem
A02) fall for half a second, before they first lie flat, where Exudyn's constraints become dependent; their exact motion
is that of one angle. Ours is rk4 with projection; Exudyn has planar bodies in planar joints, generalized alpha and
modified Newton iterations. The slider-crank has a floating-frame rod of two bending functions, in ours without
foreshortening as in Exudyn's.

{}

{}
"""

CONTACT = """
Scenes: free bodies on a plane, from when they have settled on, with friction 0.5; processor time of 0.4 s, the whole
call. Balls fall in four layers onto each other, boxes stand on their own. Ours takes `rk3` steps, the longest round
ones at which the contacts are stable (they are soft: a ball sinks by some hundredths of its radius); MuJoCo takes the
same, and its default of 2 ms, with its default compliance and pyramids of friction, by its default solver and by the
one that is the fastest here, and with 2,000 balls by that one alone. Before they are timed, the codes must agree on
the mean height to a tenth of a radius.

{}

A quadruped (16 kg, 12 joints held by springs and dampers, balls as feet) dropped 0.1 m on a floor, processor time of
2 s, the whole call. Each code takes the longest step at which no foot is deeper than 2 mm, the trunk is within 1 mm of
its path at the shortest step and stands still in the end; ours only where the run is trusted. MuJoCo has the softest of
its time constants that does; with its defaults its feet are 10 mm deep.

{}

Piles: such balls, 1 ms steps of three evaluations, from their description on.

{}

{}

Held bodies: 1 kg on a plane of 10 degrees, and 45 g pinched between two pads, friction 0.7; the speed between 2 and
3 s. Ours with two sets of bristles, each at its step; peers at 1 ms. MuJoCo has its default compliance for the box, and
the stiffest contact that the step allows for the capsule, which would sink in by millimetres. Drake's bodies are
compliant (1e7 Pa), the ground and the pads rigid.

{}
"""

THREADS = """
One large model on two threads against one, `jd.simulate(..., workers=2)`: piles of balls and arms side by side by
explicit steps, a soft block with all its nodes as coordinates by implicit ones. Times on the wall. The control is work
in registers that is shared out: what the machine gives.

{}

{}
"""

VOLUMETRIC = """
What a patch adds to an evaluation of the right-hand side, called from a compiled loop; the battery
box of Gonthier 2007, four cells in a frame of nine, while it rattles in; and a box of 1 kg dropped from 20 mm on a
floor, processor time of one second, each code at the longest step at which the box sinks 0.5 mm at most. MuJoCo has
its default compliance, Drake hydroelastic contact with its SAP solver.

The peg has 20 mm and 1 kg, the hole 0.05 mm more and a chamfer, the wrist pushes two degrees askew with friction 0.05;
each code takes the longest of 1, 0.5, 0.25 and 0.1 ms at which the peg goes in and is never more than 10 um deep, by
its pose. Ours has generalized-alpha with a spectral radius of 0 (rk4, which bears 0.25 ms, takes three times as long),
MuJoCo its implicit steps and Drake its SAP solver. Drake has a mesh of 72 facets, as few as are round to 10 um. MuJoCo
has no round hole: it has 16 flats, whose corners are 0.2 mm out, and the best of the time constants tried; with 24
pieces or more the peg wedges on their seams or is too deep, at every step.

{}

{}
"""

CONTROLLERS = """
The 7-axis arm, RK4 at 10 kHz, whole runs in processor time; a law that does nothing, so that only what calling it costs
is left, at every stage and sampled; a plain Python function of NumPy arrays, the time that it takes by itself off; and
a law that looks up 49 entries by computed indices, with the checks that users' laws have and without.

{}
"""

EXPORT = """
What an exported model takes from C beside the compiled loop of a simulation, and the operations of its C source.

{}
"""

SECTIONS = (
    Section("startup", "Start-up", _startup, (5, 2), 30.0, 180.0, STARTUP),
    Section("functions", "Model functions", _functions, (100, 20), 15.0, 150.0, FUNCTIONS),
    Section("sizes", "Cost against size", _sizes, (100, 20), 30.0, 60.0, SIZES),
    Section("orbit", "Orbit", _orbit, (100, 20), 30.0, 60.0, ORBIT),
    Section("derivatives", "Derivatives", _derivatives, (100, 20), 20.0, 150.0, DERIVATIVES),
    Section("simulations", "Simulations", _simulations, (10, 3), 60.0, 220.0, SIMULATIONS),
    Section("studies", "Studies", _studies, (10, 3), 150.0, 340.0, STUDIES),
    Section("trajectories", "Trajectories", _trajectories, (5, 1), 60.0, 240.0, TRAJECTORIES),
    Section("flexible", "Flexible arms", _flexible, (100, 20), 30.0, 150.0, FLEXIBLE),
    Section("solids", "Solids", _solids, (3, 3), 60.0, 440.0, SOLIDS),
    Section("cables", "Cables", _cables, (5, 2), 20.0, 240.0, CABLES),
    Section("loops", "Closed chains", _loops, (30, 10), 40.0, 180.0, LOOPS),
    Section("contact", "Contact", _contact, (100, 20), 90.0, 560.0, CONTACT),
    Section("threads", "Several threads", _threads, (4, 3), 30.0, 240.0, THREADS),
    Section("volumetric", "Volumetric contact", _volumetric, (100, 20), 40.0, 240.0, VOLUMETRIC),
    Section("controllers", "Controllers", _controllers, (20, 5), 30.0, 60.0, CONTROLLERS),
    Section("export", "Export", _export, (30, 5), 30.0, 90.0, EXPORT),
)
