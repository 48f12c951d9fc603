"""The committed player is the one that its sums and its package file say."""

import hashlib
import json
from importlib.resources import files

HOME = files("jourdain.view").joinpath("player")


def test_checksums():
    lines = HOME.joinpath("SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert set(sums) == {"player.js", "player.css", "LICENSES.txt"}
    for name, digest in sums.items():
        assert hashlib.sha256(HOME.joinpath(name).read_bytes()).hexdigest() == digest, f"{name}: run npm run build"


def test_libraries_and_licences_are_those_that_are_pinned():
    pinned = json.loads(HOME.joinpath("package.json").read_text())["devDependencies"]
    assert all(version[0].isdigit() for version in pinned.values())
    script, licences = HOME.joinpath("player.js").read_text(), HOME.joinpath("LICENSES.txt").read_text()
    for name in ("three", "uplot"):
        assert f"{name} {pinned[name]} (MIT)" in script[:200]
        assert f"{name} {pinned[name]}, MIT" in licences
    assert licences.count("Permission is hereby granted") == 2


def test_size():
    assert len(HOME.joinpath("player.js").read_bytes()) < 700_000
