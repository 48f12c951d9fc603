import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
t = {}
for l in open(str(HERE / "modules.txt")):
    l = l.split("#")[0].strip()
    if l:
        a, b = [x.strip() for x in l.split("=")]
        t[a] = b
crel = {m[16:]: t[m][16:] for m in t if m.startswith("kernels.control.")}
p = Path("src/jourdain/kernels/entries.py")
s = p.read_text()
i = s.index("CONTROL_LAWS: dict")
j = s.index("GATES = (") if "GATES = (" in s else len(s)
seg = re.sub(r'"(\w+)\.(\w+)"', lambda m: f'"{crel.get(m[1], m[1])}.{m[2]}"', s[i:j])
s = s[:i] + seg + s[j:]
s = s.replace('f"contact.{name}", FINDER', 'f"contact.narrow_phase.{name}", FINDER').replace(
    'f"contact.{name}", PARTS', 'f"contact.volumetric.{name}", PARTS'
)
p.write_text(s)
words = {
    "round": "sphere_capsule",
    "points": "corners_plane",
    "meshes": "sphere_mesh",
    "caps": "sphere_plane",
    "balls": "sphere_solid",
    "rolls": "cylinder_polyhedron",
    "flats": "polyhedron_polyhedron",
    "holes": "peg_hole",
    "mixed": "mixed_cells",
}
p = Path("src/jourdain/kernels/kind_registry.py")
s = p.read_text()
s = s.replace(
    'SITES = ("round", "points", "meshes", "pile")',
    'SITES = ("sphere_capsule", "corners_plane", "sphere_mesh", "pile")',
)
s = s.replace(
    'OVERLAPS = ("caps", "balls", "rolls", "flats", "holes", "mixed")',
    'OVERLAPS = ("sphere_plane", "sphere_solid", "cylinder_polyhedron", "polyhedron_polyhedron", "peg_hole", "mixed_cells")',
)
s = s.replace(
    "ROUND, POINTS, MESHES, PILE, CAPS, BALLS, ROLLS, FLATS, HOLES, MIXED = range(len(FINDERS))",
    "(\n    SPHERE_CAPSULE,\n    CORNERS_PLANE,\n    SPHERE_MESH,\n    PILE,\n    SPHERE_PLANE,\n    SPHERE_SOLID,\n    CYLINDER_POLYHEDRON,\n    POLYHEDRON_POLYHEDRON,\n    PEG_HOLE,\n    MIXED_CELLS,\n) = range(len(FINDERS))",
)
s = s.replace("`find_round` in contact/round.py", "`find_sphere_capsule` in contact/narrow_phase/sphere_capsule.py")
p.write_text(s)
consts = {
    "ROUND": "SPHERE_CAPSULE",
    "POINTS": "CORNERS_PLANE",
    "MESHES": "SPHERE_MESH",
    "CAPS": "SPHERE_PLANE",
    "BALLS": "SPHERE_SOLID",
    "ROLLS": "CYLINDER_POLYHEDRON",
    "FLATS": "POLYHEDRON_POLYHEDRON",
    "HOLES": "PEG_HOLE",
    "MIXED": "MIXED_CELLS",
}
got = subprocess.run(["git", "ls-files", "*.py"], capture_output=True, text=True).stdout.split()
got += [str(x) for x in Path("src").rglob("*.py")]
for g in sorted(set(got)):
    p = Path(g)
    if not p.is_file():
        continue
    s = o = p.read_text()
    s = re.sub(r"\bfind_(" + "|".join(words) + r")\b", lambda m: "find_" + words[m[1]], s)
    if re.search(r"from [\w.]*kind_registry import", s) or "kind_registry." in s:
        m = re.search(r"from [\w.]*kind_registry import (\([^)]*\)|[^\n]*)", s)
        names = re.findall(r"\w+", m[1]) if m else []
        for c, n in consts.items():
            if c in names:
                s = re.sub(r"(?<![\w.])" + c + r"\b", n, s)
            s = re.sub(r"\b(kind_registry)\." + c + r"\b", r"\1." + n, s)
    if s != o:
        p.write_text(s)
