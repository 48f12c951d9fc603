"""Renames top-level names of modules, and their uses, by symbols.txt (modules by their old names)."""

import ast
import collections
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = Path.cwd()
SRC = ROOT / "src/jourdain"
t = {}
for l in open(str(HERE / "modules.txt")):
    l = l.split("#")[0].strip()
    if l:
        a, b = [x.strip() for x in l.split("=")]
        t[a] = b


def mp(m):
    if m in t:
        return t[m]
    p = m.split(".")
    for k in range(len(p) - 1, 0, -1):
        if ".".join(p[:k]) in t:
            return t[".".join(p[:k])] + "." + ".".join(p[k:])
    return m


sym = collections.defaultdict(dict)
for l in open(sys.argv[1] if len(sys.argv) > 1 else str(HERE / "symbols.txt")):
    l = l.split("#")[0].strip()
    if not l:
        continue
    a, b = [x.strip() for x in l.split("=")]
    m, s = a.split(":")
    sym[mp(m)][s] = b
files = sorted(SRC.rglob("*.py"))


def modname(path):
    m = path.relative_to(SRC).with_suffix("").as_posix().replace("/", ".")
    return m[:-9] if m.endswith(".__init__") else ("" if m == "__init__" else m)


mods = {modname(p): p for p in files}
ispkg = {m for m, p in mods.items() if p.name == "__init__.py"}
pend = {}


# re-exports: module that imports a renamed symbol also offers it under the new name
def reexports():
    again = True
    while again:
        again = False
        for me, path in mods.items():
            tree = ast.parse(path.read_text(encoding="utf-8"))
            pkg = me.split(".") if me in ispkg and me else ([] if me == "" else me.split(".")[:-1])
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.level:
                    base = pkg[: len(pkg) - (node.level - 1)]
                    absm = ".".join(base + (node.module.split(".") if node.module else []))
                    for al in node.names:
                        new = sym.get(absm, {}).get(al.name)
                        if new and al.asname is None and al.name not in sym.get(me, {}):
                            sym[me][al.name] = new
                            again = True


def process(path):
    text = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    me = modname(path) if path.is_relative_to(SRC) else None
    pkg = [] if me is None else (me.split(".") if me in ispkg and me else ([] if me == "" else me.split(".")[:-1]))
    lines = text.splitlines(keepends=True)
    starts = [0]
    for l in lines:
        starts.append(starts[-1] + len(l))

    def pos(line, col):
        return starts[line - 1] + len(lines[line - 1].encode()[:col].decode())

    edits = []
    local = dict(sym.get(me, {})) if me is not None else {}
    aliases = {}
    exported = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if node.level and me is not None:
                base = pkg[: len(pkg) - (node.level - 1)]
                absm = ".".join(base + (node.module.split(".") if node.module else []))
            elif node.level == 0 and node.module and node.module.split(".")[0] == "jourdain":
                absm = node.module[9:]
            else:
                continue
            for al in node.names:
                sub = (absm + "." if absm else "") + al.name
                if sub in mods:
                    aliases[al.asname or al.name] = sub
                    continue
                new = sym.get(absm, {}).get(al.name)
                if new:
                    a = pos(al.lineno, al.col_offset)
                    edits.append((a, a + len(al.name), new))
                    if al.asname is None:
                        local[al.name] = new
                        exported[al.name] = new
        elif isinstance(node, ast.Import):
            for al in node.names:
                if al.asname and al.name.startswith("jourdain.") and al.name[9:] in mods:
                    aliases[al.asname] = al.name[9:]
    if local:
        args = {x.arg for x in ast.walk(tree) if isinstance(x, ast.arg)}
        newids = {x.id for x in ast.walk(tree) if isinstance(x, ast.Name)} | {
            x.name for x in ast.walk(tree) if isinstance(x, (ast.ClassDef, ast.FunctionDef))
        }
        for s, n in local.items():
            if s in args:
                print("argument too:", path, s)
            if n in newids:
                print("clash:", path, s, n)
    members = {
        id(t)
        for c in ast.walk(tree)
        if isinstance(c, ast.ClassDef)
        for x in c.body
        for t in (x.targets if isinstance(x, ast.Assign) else [x.target] if isinstance(x, ast.AnnAssign) else [])
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in local and id(node) not in members:
            a = pos(node.lineno, node.col_offset)
            edits.append((a, a + len(node.id), local[node.id]))
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in local and node in tree.body:
            a = pos(node.lineno, node.col_offset)
            k = re.search(r"\b(class|def)\s+" + node.name + r"\b", text[a:])
            edits.append((a + k.end() - len(node.name), a + k.end(), local[node.name]))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            new = sym.get(aliases[node.value.id], {}).get(node.attr)
            if new:
                b = pos(node.end_lineno, node.end_col_offset)
                edits.append((b - len(node.attr), b, new))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.lineno == node.end_lineno
            and local
            and re.match(r"^[\w.\[\], |]+$", node.value)
            and node.value in local
            and me is not None
        ):
            pass
    # string annotations and docstrings: `Name` in back ticks
    edits = sorted(set(edits))
    out = []
    last = 0
    for a, b, n in edits:
        if a < last:
            continue
        out += [text[last:a], n]
        last = b
    out.append(text[last:])
    new = "".join(out)
    for s, n in local.items():
        if s[0].isupper() or "_" in s:
            new = re.sub(r"`" + s + r"`", "`" + n + "`", new)
            new = (
                re.sub(r'"' + s + r'"(?=\s*[,)\]:|])', '"' + n + '"', new)
                if s[0].isupper() and me is not None and ("__all__" in new)
                else new
            )
    if new != text:
        path.write_text(new, encoding="utf-8")
    return exported


reexports()
got = subprocess.run(["git", "ls-files", "*.py"], capture_output=True, text=True).stdout.split("\n")
for g in got:
    if g and (ROOT / g).is_file():
        process(ROOT / g)
