"""The first result that a new user sees: a two-link arm slews its payload on a base that floats freely."""

from __future__ import annotations

from pathlib import Path

from ..bodies import RigidBody
from ..joints import Free, Revolute, Weld
from ..motions import Cycloid
from ..run import Run
from ..shapes import Box, Cylinder, Sphere
from ..simulation import simulate
from ..system import System


def floating_arm() -> System:
    """A 400 kg platform, free in space, with a two-link arm and a 50 kg payload."""
    along_x = (0.7071067811865476, 0.0, 0.7071067811865476, 0.0)  # turns a cylinder's z axis to x
    tube = Cylinder(radius=0.05, length=1.5)
    system = System("two-link arm on a free-floating base")
    system.add(
        RigidBody.from_shape("platform", Box((1.2, 1.0, 1.0)), mass=400.0, frames={"port": (0.6, 0.0, 0.0)}),
        joint=Free("base"),
    )
    links = (("upper", "shoulder", "platform.port"), ("fore", "elbow", "upper.tip"))
    for name, joint, to in links:
        shape = tube.at("origin", position=(0.75, 0.0, 0.0), rotation=along_x)
        system.add(
            RigidBody.from_shape(name, shape, mass=12.0, frames={"tip": (1.5, 0.0, 0.0)}),
            joint=Revolute(joint, axis="z", damping=0.5),
            to=to,
        )
    system.add(RigidBody.from_shape("payload", Sphere(0.3), mass=50.0), joint=Weld("grapple"), to="fore.tip")
    return system


def demo_run(path: Path | None = None) -> Run:
    """Shoulder and elbow slew by 90 and -120 degrees in 20 s, as cycloids; the platform turns under them."""
    model = floating_arm().compile()
    state = model.state(q={"shoulder": 0.3, "elbow": 0.4})
    motions = {"shoulder": Cycloid(to=1.8708, duration=20.0), "elbow": Cycloid(to=-1.6944, duration=20.0)}
    return simulate(model, state, until=25.0, step=1e-3, output=0.02, motions=motions, save=path)


def run_demo(out: Path) -> list[Path]:
    """The demo's run file, figures and report, written into the folder `out`."""
    from ..view.plots import plot_energy
    from .report import write_report

    out.mkdir(parents=True, exist_ok=True)
    target = out / "run.nc"
    run = demo_run(target)
    panels = (["shoulder", "elbow"], ["effort:shoulder", "effort:elbow"], "payload.origin", ["base.x", "base.y"])
    motion = run.plot(*panels)
    paths = [target]
    for name, figure in (("motion.png", motion), ("energy.png", plot_energy(run))):
        figure.savefig(out / name, dpi=120)
        paths.append(out / name)
    notes = [
        "Joint angles are prescribed as cycloids; the efforts are those that this takes.",
        "No external force acts: the centre of mass stays where it is, and the platform turns against the arm.",
    ]
    figures = {"What the arm does, and what it does to its base": motion}
    write_report(run, out / "report.html", figures=figures, notes=notes)
    return [*paths, out / "report.html"]
