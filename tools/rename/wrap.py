"""Breaks lines of docstrings and comments that are longer than 120 at a space."""

import collections
import re
import subprocess

out = subprocess.run(
    [".venv/bin/ruff", "check", ".", "--output-format", "concise"], capture_output=True, text=True
).stdout
for _ in range(3):
    todo = collections.defaultdict(list)
    out = subprocess.run(
        [".venv/bin/ruff", "check", ".", "--output-format", "concise"], capture_output=True, text=True
    ).stdout
    for m in re.finditer(r"^(\S+?):(\d+):\d+: E501", out, re.M):
        todo[m[1]].append(int(m[2]))
    if not todo:
        break
    for f, ls in todo.items():
        lines = open(f).read().split("\n")
        for l in sorted(set(ls), reverse=True):
            s = lines[l - 1]
            ind = re.match(r"\s*", s)[0]
            k = s.rfind(" ", 0, 121)
            while k > 0 and s[k - 1] == " ":
                k -= 1
            if k <= len(ind):
                continue
            head, tail = s[:k].rstrip(), s[k:].lstrip()
            if re.match(r"\s*#", s):
                tail = "# " + tail
            col = re.match(r"(\s*\w[\w, ]*?\s{2,})\S", s)
            if col and not re.match(r"\s*#", s) and '"' not in s[: len(ind) + 3] and len(col[1]) > len(ind) + 3:
                ind = " " * len(col[1])
            lines[l - 1 : l] = [head, ind + tail]
        open(f, "w").write("\n".join(lines))
