"""The examples and the scenarios that come with Jourdain: finding, running and copying them.

They are in the repository's `examples` folder; a built package carries a copy of it in `jourdain/_examples`, and the
scenarios in `jourdain/scenarios`.
"""

from __future__ import annotations

import ast
import difflib
import re
import runpy
import shutil
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from ..basics.errors import JourdainError
from ..basics.storage import WriteError, atomic_write, make_folder
from ..basics.warn import warn

PACKAGE = Path(__file__).resolve().parents[1]
SCENARIO_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True)
class Example:
    """One example.

    name      folder and file, such as "dynamics/two_link_arm" or "vehicles/critical_speed"
    path      the file
    summary   one line
    picture   a picture of it; None where there is none
    """

    name: str
    path: Path
    summary: str
    picture: Path | None

    @property
    def folder(self) -> str:
        """The group it is listed in."""
        return self.name.partition("/")[0]

    @property
    def short(self) -> str:
        """The last part of its name."""
        return self.name.rpartition("/")[2]

    @property
    def is_scenario(self) -> bool:
        """Whether it is a scenario file, not a program."""
        return self.path.suffix in SCENARIO_ENDINGS


def examples_folder() -> Path | None:
    """Where the examples are: in the package as it was built, or in the repository; None where neither is."""
    for folder in (PACKAGE / "_examples", PACKAGE.parents[1] / "examples"):
        if (folder / "GALLERY_HEADER.rst").is_file():
            return folder
    return None


def find_examples() -> list[Example]:
    """Every example and every scenario that comes with Jourdain: scenarios first, then by folder and name."""
    found = [_scenario(path, "scenarios") for path in _scenario_files(PACKAGE / "scenarios")]
    folder = examples_folder()
    for one in sorted(folder.iterdir()) if folder is not None else ():
        if one.is_dir():
            found += [_scenario(path, one.name) for path in _scenario_files(one)]
            found += [_program(path) for path in sorted(one.glob("*.py")) if _draws(path)]
    return found


def folder_title(name: str) -> str:
    """What a folder of examples is about, in a line."""
    folder = examples_folder()
    header = None if folder is None else folder / name / "GALLERY_HEADER.rst"
    if header is not None and header.is_file():
        return header.read_text(encoding="utf-8").partition("\n")[0]
    return "Scenarios: run, judged and reported by one command" if name == "scenarios" else name


def example(name: str) -> Example:
    """The example of that name; its folder may be left out. Of a former name, with a warning that says the new one."""
    found = find_examples()
    wanted = re.sub(r"\.(?:py|ya?ml)$", "", name)
    for match in (lambda one: one.name, lambda one: one.short):
        fits = [one for one in found if match(one) == wanted]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise JourdainError(f"{name!r} may be {' or '.join(one.name for one in fits)}; give the folder too")
    now = present_name(wanted)
    if now != wanted:
        return next(one for one in found if one.name == now)
    close = difflib.get_close_matches(wanted, [text for one in found for text in (one.name, one.short)], n=1)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    raise JourdainError(f"there is no example {name!r}; {hint}`jourdain examples` lists them all")


def present_name(wanted: str) -> str:
    """The name that an example has now, with a warning where a former one is given; the same name where none is.

    Of a former name the folder, and its number, may be left out where what is left is not the name of another one.
    """
    for short in (lambda old: old, lambda old: old.rpartition("/")[2], _without_number):
        fits = [new for old, new in FORMER.items() if short(old) == wanted]
        if len(fits) == 1:
            warn(f"the example {wanted} is now {fits[0]}")
            return fits[0]
    return wanted


def _without_number(former: str) -> str:
    return re.sub(r"^(?:ex|a|b)\d+_", "", former.rpartition("/")[2])


def run_program(one: Example, out: Path) -> list[Path]:
    """Run an example that is a program, without opening a window; its figures, saved in the folder `out`."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    make_folder(out)
    before = list(sys.path)
    sys.path.insert(0, str(one.path.parent))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*non-interactive.*")
            runpy.run_path(str(one.path), run_name="__main__")
    finally:
        sys.path[:] = before
    paths: list[Path] = []
    for number in plt.get_fignums():
        path = out / f"{one.short}{'' if not paths else f'-{len(paths) + 1}'}.png"
        with atomic_write(path) as temporary, open(temporary, "wb") as stream:
            plt.figure(number).savefig(stream, dpi=120, format="png")
        paths.append(path)
    plt.close("all")
    return paths


def copy_source(one: Example, to: Path) -> list[Path]:
    """Copy an example into a folder, with what it needs of its own folder; a file that is there already stays."""
    make_folder(to)
    needed = [one.path]
    if not one.is_scenario:
        needed += [path for path in one.path.parent.glob("*.py") if path.stem in _imports(one.path)]
    taken = [to / path.name for path in needed if (to / path.name).exists()]
    if taken:
        raise WriteError(taken[0], "it is there already; give another folder, or move it away")
    try:
        return [Path(shutil.copyfile(path, to / path.name)) for path in needed]
    except OSError as error:
        raise WriteError.because(to, error) from error


def _scenario_files(folder: Path) -> list[Path]:
    return sorted(path for ending in SCENARIO_ENDINGS for path in folder.glob(f"*{ending}"))


def _scenario(path: Path, folder: str) -> Example:
    import yaml

    stated = yaml.safe_load(path.read_text(encoding="utf-8"))
    summary = str(stated.get("name", path.stem)) if isinstance(stated, dict) else path.stem
    return Example(f"{folder}/{path.stem}", path, summary, _picture(path, path.stem))


def _program(path: Path) -> Example:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    name = f"{path.parent.name}/{path.stem}"
    return Example(name, path, text.partition("\n")[0], _picture(path, path.stem))


def _picture(path: Path, short: str) -> Path | None:
    places = (path.with_suffix(".png"), PACKAGE.parents[1] / "docs" / "images" / f"{short}.png")
    return next((place for place in places if place.is_file()), None)


def _draws(path: Path) -> bool:
    """Whether a file of the examples' folders is an example: it ends with a figure; others are what examples share."""
    return path.read_text(encoding="utf-8").rstrip().endswith("plt.show()")


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


FORMER = dict(
    line.split()
    for line in """
chen/ex01_feedback_linearisation orbit/feedback_linearisation
chen/ex02_deployment orbit/arm_deployment
chen/ex03_parametric orbit/parametric_study
chen/ex04_two_units orbit/two_units
chen/ex05_optimal_trajectories optimal_control/least_base_torque
control/belda_gpc control/predictive_parallel_robot
control/chen_prototype control/slewing_deployable_arm
control/kim_contact control/flexible_arm_force_control
control/kostadinov_impedance control/joint_impedance
control/optimal_slew optimal_control/optimal_slew
control/shaping control/input_shaping
damaren_sharf/ex01_spin_up flexible/spin_up
damaren_sharf/ex02_shuttle_arm flexible/space_shuttle_arm
gonthier/ex01_restitution contact/restitution
gonthier/ex02_stick_slip contact/stick_slip_belt
gonthier/ex03_ball_in_a_cylinder contact/ball_in_a_cylinder
gonthier/ex04_touching_a_plate contact/touching_a_plate
gonthier/ex05_identification identification/contact_parameters
gonthier/ex06_ball_over_the_edge contact/ball_over_the_edge
gonthier/ex07_tippe_top contact/tippe_top
gonthier/ex08_peg_in_hole contact/peg_insertion
imports/ex01_imported_arm robots/imported_arm
imports/touch robots/touch
kim/ex01_two_link flexible/arm_on_spacecraft
kim/ex02_bar_impact contact/bar_impact
kim/ex03_stick_slip contact/block_stick_slip
kim/ex04_spheres contact/colliding_spheres
kim/ex05_arm_and_payload contact/flexible_arm_strikes_payload
kim/ex06_antennas contact/payload_with_antennas
kim/ex07_vertical_face contact/vertical_face
kim/ex08_capture contact/payload_capture
kim/ex09_controlled_slide contact/controlled_slide
kim/ex10_spinning_craft flexible/spinning_craft
looks/ex01_satellite flexible/satellite
looks/ex02_rover vehicles/rover
loops/ex01_four_bar loops/four_bar
loops/ex02_double_four_bar loops/double_four_bar
loops/ex03_forty_four_bars loops/forty_four_bars
loops/ex04_slider_crank loops/slider_crank
loops/ex05_spatial_slider_crank loops/spatial_slider_crank
loops/ex06_flexible_rod loops/flexible_rod
loops/ex07_bricard loops/bricard
loops/ex08_andrews_squeezer loops/andrews_squeezer
loops/ex09_flyball_governor loops/flyball_governor
loops/ex10_parallel_robot loops/parallel_robot
loops/ex11_hexapod loops/hexapod
loops/ex12_rolling_disk loops/rolling_disk
loops/ex13_ellipsograph loops/ellipsograph
loops/ex14_hinged_rods loops/hinged_rods
loops/ex15_branches loops/branches
nato/a02_redundant_control control/redundant_drives
nato/a03_muscles biomechanics/muscles
nato/a04_rusr loops/spatial_loop_from_table
nato/a05_error_ellipsoids loops/error_ellipsoids
nato/a06_logarithmic_norm dynamics/logarithmic_norm
nato/a08_trains_passing vehicles/trains_passing
nato/a11_crawling contact/crawling
nato/a13_assembly_cell control/assembly_cell
nato/a15_skeleton biomechanics/skeleton
nato/a16_vibrator control/electromagnetic_vibrator
nato/a18_design identification/suspension_design
nato/b07_isolation control/vibration_isolation
nato/b08_folding_truss flexible/folding_truss
nato/b09_redundant_robot loops/redundant_robot
nato/b11_particles loops/particles
nato/b13_virtual_axle vehicles/virtual_axle
nato/b14_vaulting_pole flexible/vaulting_pole
nato/b15_dummy biomechanics/seated_dummy
nato/b16_electrodynamic_tether orbit/electrodynamic_tether
nato/b16_spinning_tether orbit/spinning_tether
nato/b17_known_motion flexible/known_motion
nato/b18_support biomechanics/walker_support
nato/b18_walking biomechanics/walking
nato/b18_walking_in_space biomechanics/walking_in_space
nato/b18_wobbling_masses biomechanics/wobbling_masses
nato/b19_critical_speed vehicles/critical_speed
nato/b20_virtual_road vehicles/virtual_road
nato/b21_arrow flexible/arrow
nato/ex16_reeled_tether orbit/reeled_tether
spine/ex01_two_link_arm dynamics/two_link_arm
spine/ex02_planar_free_floater dynamics/free_floating_robot
spine/ex03_4r_chain dynamics/four_link_chain
spine/ex04_georgiev_ivanova dynamics/six_axis_arm
spine/ex05_triple_pendulum_momenta dynamics/canonical_momenta
spine/ex06_heavy_top dynamics/heavy_top
spine/ex07_dzhanibekov dynamics/dzhanibekov
""".strip().splitlines()
)
"""Names of now, folder and file, by former ones."""
