"""Moves modules by the table modules.txt: files, imports, names of modules in strings, paths in texts."""

import ast
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = Path.cwd()
SRC = ROOT / "src/jourdain"
table = {}
for l in open(str(HERE / "modules.txt")):
    l = l.split("#")[0].strip()
    if l:
        a, b = (x.strip() for x in l.split("="))
        table[a] = b


def modname(path):
    m = path.relative_to(SRC).with_suffix("").as_posix().replace("/", ".")
    return m[:-9] if m.endswith(".__init__") else ("" if m == "__init__" else m)


files = sorted(SRC.rglob("*.py"))
mods = {modname(p): p for p in files}


def mapped(m):
    if m in table:
        return table[m]
    parts = m.split(".")
    for k in range(len(parts) - 1, 0, -1):
        pre = ".".join(parts[:k])
        if pre in table and mods.get(pre, Path("x.py")).name == "__init__.py":
            return table[pre] + "." + ".".join(parts[k:])
    return m


newname = {m: mapped(m) for m in mods}
assert len(set(newname.values())) == len(newname), [v for v in newname.values() if list(newname.values()).count(v) > 1]
ispkg = {m for m, p in mods.items() if p.name == "__init__.py"}
changed = {m: n for m, n in newname.items() if m != n}


def relative(frm_pkg, target):
    """from-clause of a relative import in package frm_pkg (tuple) of the target module path"""
    t = target.split(".") if target else []
    k = 0
    while k < len(frm_pkg) and k < len(t) and frm_pkg[k] == t[k]:
        k += 1
    return "." * (len(frm_pkg) - k + 1) + ".".join(t[k:])


def split_strings(s):
    return s


warn = []
PACKAGES = {
    "kernels/integrate/partitioned": "Implicit steps of sparse bodies: the partitioned (Schur-complement) solver of the Newton corrections.",
    "kernels/contact/laws": "Contact laws: normal forces, friction, rolling contact, and their derivatives.",
    "kernels/contact/narrow_phase": "Narrow phase: where a pair of shapes touches, by pair of kinds.",
    "kernels/contact/volumetric": "Volumetric contact: overlap parts of pairs of solids as contact patches, and their forces.",
    "kernels/contact/memory": "Contact memory: latched values, states of bristles, and the events that change them.",
    "describe/bodies/floating_frame": "Bodies in a floating frame of reference (FFR): beams, reduced parts, deployable beams.",
    "describe/bodies/appearance": "What a body looks like: surfaces bound to bones.",
    "describe/bodies/finite_element": "Finite-element solids: options, places of nodes, sparse factors.",
    "describe/bodies/nodal_coordinates": "Bodies in absolute nodal coordinates (ANCF) and arbitrary Lagrangian-Eulerian (ALE) ones: cables, beams, shells.",
}


def rewrite(path, text, me=None):
    """imports of one python file; me: module name in package or None"""
    try:
        tree = ast.parse(text)
    except SyntaxError as e:
        warn.append((path, e))
        return text
    lines = text.splitlines(keepends=True)
    starts = [0]
    for l in lines:
        starts.append(starts[-1] + len(l))

    # ast columns are utf8 offsets
    def pos(line, col):
        return starts[line - 1] + len(lines[line - 1].encode()[:col].decode())

    edits = []
    renames = {}
    oldpkg = newpkg = None
    if me is not None:
        oldpkg = me.split(".") if me in ispkg and me else ([] if me == "" else me.split(".")[:-1])
        n = newname[me]
        newpkg = n.split(".") if me in ispkg and n else ([] if n == "" else n.split(".")[:-1])
    ids = (
        {x.id for x in ast.walk(tree) if isinstance(x, ast.Name)}
        | {x.arg for x in ast.walk(tree) if isinstance(x, ast.arg)}
        | {x.name for x in ast.walk(tree) if isinstance(x, (ast.FunctionDef, ast.ClassDef))}
        | {a.asname or a.name for x in ast.walk(tree) if isinstance(x, (ast.Import, ast.ImportFrom)) for a in x.names}
    )
    stored = {x.id for x in ast.walk(tree) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)} | {
        x.arg for x in ast.walk(tree) if isinstance(x, ast.arg)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if node.level and me is not None:
                base = oldpkg[: len(oldpkg) - (node.level - 1)]
                absm = ".".join(base + (node.module.split(".") if node.module else []))
                rel = True
            elif node.level == 0 and node.module and (node.module == "jourdain" or node.module.startswith("jourdain.")):
                absm = node.module[9:]
                rel = False
            else:
                continue
            groups = {}
            for al in node.names:
                sub = (absm + "." if absm else "") + al.name
                if sub in mods and absm in ispkg or (sub in mods):
                    nm = newname[sub]
                    home, _, last = nm.rpartition(".")
                    asn = al.asname
                    if last != al.name and asn is None:
                        if renames.get(al.name) == last:
                            pass
                        elif last in ids or last in renames.values() or al.name in stored:
                            asn = al.name
                            warn.append((path, f"kept alias {al.name} for {nm}"))
                        else:
                            renames[al.name] = last
                    groups.setdefault(home, []).append((last, asn if asn != last else None))
                else:
                    groups.setdefault(newname.get(absm, mapped(absm)), []).append((al.name, al.asname))
            ind = re.match(r"\s*", lines[node.lineno - 1]).group(0)
            outs = []
            for home, names in groups.items():
                frm = relative(newpkg, home) if rel else "jourdain" + ("." + home if home else "")
                outs.append(
                    "from "
                    + frm
                    + " import "
                    + ("(" if len(names) > 1 else "")
                    + ", ".join(a + (f" as {b}" if b else "") for a, b in names)
                    + (")" if len(names) > 1 else "")
                )
            new = ("\n" + ind).join(outs)
            a, b = pos(node.lineno, node.col_offset), pos(node.end_lineno, node.end_col_offset)
            same = (
                len(groups) == 1
                and not rel
                and list(groups)[0] == absm
                or rel
                and len(groups) == 1
                and relative(newpkg, list(groups)[0]) == "." * node.level + (node.module or "")
            ) and all((x, y) in [(al.name, al.asname) for al in node.names] for g in groups.values() for x, y in g)
            if not same:
                edits.append((a, b, new))
        elif isinstance(node, ast.Import):
            for al in node.names:
                if al.name.startswith("jourdain.") and newname.get(al.name[9:], al.name[9:]) != al.name[9:]:
                    seg = text[pos(node.lineno, node.col_offset) : pos(node.end_lineno, node.end_col_offset)]
                    edits.append(
                        (
                            pos(node.lineno, node.col_offset),
                            pos(node.end_lineno, node.end_col_offset),
                            seg.replace(al.name, "jourdain." + newname[al.name[9:]]),
                        )
                    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in renames:
            edits.append(
                (pos(node.lineno, node.col_offset), pos(node.end_lineno, node.end_col_offset), renames[node.id])
            )
        elif isinstance(node, ast.Attribute):
            # jourdain.a.b chains
            seg = text[pos(node.lineno, node.col_offset) : pos(node.end_lineno, node.end_col_offset)]
            if re.fullmatch(r"(jourdain|jd)(\.\w+)+", seg):
                head, _, m = seg.partition(".")
                if m in changed and "." in m:
                    edits.append(
                        (
                            pos(node.lineno, node.col_offset),
                            pos(node.end_lineno, node.end_col_offset),
                            head + "." + changed[m],
                        )
                    )
    edits.sort()
    out = []
    last = 0
    for a, b, n in edits:
        if a < last:
            warn.append((path, "overlap", text[a:b]))
            continue
        out += [text[last:a], n]
        last = b
    out.append(text[last:])
    return "".join(out)


dotted = sorted((m for m in changed if "." in m), key=len, reverse=True)
pat_full = re.compile(r"(?<![\w.])(jourdain\.)?(" + "|".join(re.escape(m) for m in dotted) + r")(?![\w])")
krel = {m[8:]: changed[m][8:] for m in changed if m.startswith("kernels.") and m.count(".") >= 2}
ktop = {m[8:]: changed[m][8:] for m in changed if m.startswith("kernels.") and m.count(".") == 1}
pat_krel = re.compile(
    r"(?<![\w.])(" + "|".join(re.escape(m) for m in sorted(krel, key=len, reverse=True)) + r")(?![\w])"
)
crel = {m[16:]: changed[m][16:] for m in changed if m.startswith("kernels.control.")}
paths = {m.replace(".", "/"): changed[m].replace(".", "/") for m in changed}
pat_path = re.compile(
    r"(?<![\w/])((?:src/)?(?:jourdain/)?)("
    + "|".join(re.escape(p) for p in sorted(paths, key=len, reverse=True))
    + r")(?=\.py|/|`)"
)


def in_string(s, path, call):
    t = pat_full.sub(lambda m: (m.group(1) or "") + changed[m.group(2)], s)
    if path.name in ("entries.py", "parallel_compilation.py", "batch.py") and "kernels" in str(path):
        t = pat_krel.sub(lambda m: krel[m.group(1)], t)
        t = re.sub(
            r"^(\w+)(?=$|:)",
            lambda m: ktop.get(m.group(1), m.group(1)) if (m.group(1) in ktop and call == "entry") else m.group(1),
            t,
        )
    if call == "ControlLaw":
        t = re.sub(r"^(\w+)\.", lambda m: crel.get(m.group(1), m.group(1)) + ".", t)
    return t


def strings(path, text):
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    starts = [0]
    for l in lines:
        starts.append(starts[-1] + len(l))

    def pos(line, col):
        return starts[line - 1] + len(lines[line - 1].encode()[:col].decode())

    calls = {}
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and isinstance(n.func, (ast.Name, ast.Attribute)):
            nm = n.func.id if isinstance(n.func, ast.Name) else n.func.attr
            for a in n.args:
                calls[id(a)] = nm
        if isinstance(n, ast.Tuple) and path.name == "entries.py":
            for a in n.elts:
                calls[id(a)] = "entry"
    edits = []
    for n in ast.walk(tree):
        if isinstance(n, ast.Constant) and isinstance(n.value, str):
            a, b = pos(n.lineno, n.col_offset), pos(n.end_lineno, n.end_col_offset)
            seg = text[a:b]
            q = re.match(r'[rbuf]*("""|\'\'\'|"|\')', seg)
            if not q:
                continue
            body = seg[q.end() : len(seg) - len(q.group(1))]
            nb = in_string(body, path, calls.get(id(n)))
            if nb != body:
                edits.append((a, b, seg[: q.end()] + nb + seg[len(seg) - len(q.group(1)) :]))
    edits.sort()
    out = []
    last = 0
    for a, b, nn in edits:
        if a < last:
            continue
        out += [text[last:a], nn]
        last = b
    out.append(text[last:])
    return "".join(out)


def all_texts():
    got = subprocess.run(["git", "ls-files"], capture_output=True, text=True).stdout.split("\n")
    for g in got:
        p = ROOT / g
        if g.endswith((".py", ".md", ".toml", ".rst", ".in", ".yaml", ".yml", ".txt", ".cff")) or g in ("Makefile",):
            if p.is_file() and "page/" not in g:
                yield p


for p in list(all_texts()):
    text = p.read_text(encoding="utf-8")
    new = text
    if p.suffix == ".py":
        me = modname(p) if p.is_relative_to(SRC) else None
        new = rewrite(p, new, me)
        new = strings(p, new)
    else:
        new = re.sub(
            r"(?<![\w.])(jourdain\.)(" + "|".join(re.escape(m) for m in dotted) + r")(?![\w])",
            lambda m: m.group(1) + changed[m.group(2)],
            new,
        )
    new = pat_path.sub(lambda m: m.group(1) + paths[m.group(2)], new)
    if new != text:
        p.write_text(new, encoding="utf-8")
order = sorted(changed, key=lambda m: -m.count("."))
tmp = {}
for m in [x for x in newname if newname[x] != x]:
    p = mods[m]
    rel = p.relative_to(SRC)
    tgt = SRC / (newname[m].replace(".", "/") + ("/__init__.py" if m in ispkg else ".py"))
    t = p.with_name(p.stem + ".moving")
    p.rename(t)
    tmp[t] = tgt
for t, tgt in tmp.items():
    tgt.parent.mkdir(parents=True, exist_ok=True)
    t.rename(tgt)
# non-python companions and empty folders
for d in sorted(SRC.rglob("*"), reverse=True):
    if d.is_dir() and d.name == "__pycache__":
        subprocess.run(["rm", "-rf", str(d)])
for d in sorted(SRC.rglob("*"), reverse=True):
    if d.is_dir() and not any(d.iterdir()):
        d.rmdir()
# packages need __init__
for d in SRC.rglob("*"):
    if d.is_dir() and any(x.suffix == ".py" for x in d.iterdir()) and not (d / "__init__.py").exists():
        (d / "__init__.py").write_text('"""' + PACKAGES[d.relative_to(SRC).as_posix()] + '"""\n')
for w in warn:
    print(w)
