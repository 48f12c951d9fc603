"""Builds two wheels into dist/: the plain one, and one for this platform that carries the compiled kernels.

The second is the first with the units of `jourdain warmup --all` added, compiled for a named processor, and with tags
that say for which Python and platform they are. Where it is installed beside other versions of Numba, llvmlite or
NumPy, or on an older processor, its units are left aside and kernels are compiled as from the plain wheel.
"""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LARGEST = 100e6
"""What a wheel may weigh [bytes]."""


def tag() -> str:
    """Python and platform of the compiled kernels."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def compiled(cache: Path) -> dict[str, bytes]:
    """All units, by their path in the package."""
    sys.path.insert(0, str(ROOT / "src"))
    from jourdain.kernels.compiling.object_code import BASELINE

    environment = os.environ | {
        "JOURDAIN_CACHE_DIR": str(cache),
        "JOURDAIN_CPU": BASELINE,
        "PYTHONPATH": str(ROOT / "src"),
    }
    subprocess.run([sys.executable, "-P", "-m", "jourdain", "warmup", "--all"], env=environment, check=True)
    (folder,) = (one for one in cache.iterdir() if one.is_dir())
    return {f"jourdain/kernels/shipped/{folder.name}/{path.name}": path.read_bytes() for path in folder.glob("*.unit")}


def recorded(path: str, data: bytes) -> str:
    """A line of RECORD (PEP 376, binary distribution format)."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}"


def with_units(plain: Path, units: dict[str, bytes]) -> Path:
    """The platform's wheel, beside the plain one."""
    name, version = plain.name.split("-")[:2]
    info = f"{name}-{version}.dist-info"
    path = plain.with_name(f"{name}-{version}-{tag()}.whl")
    lines = []
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        files = {one: old.read(one) for one in old.namelist() if one != f"{info}/RECORD"} | units
        head = files[f"{info}/WHEEL"].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
        kept = [line for line in head.splitlines() if line and not line.startswith("Tag:")]
        files[f"{info}/WHEEL"] = "\n".join([*kept, f"Tag: {tag()}", ""]).encode()
        for one, data in files.items():
            new.writestr(one, data)
            lines.append(recorded(one, data))
        new.writestr(f"{info}/RECORD", "\n".join([*lines, f"{info}/RECORD,,", ""]))
    return path


def main() -> None:
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "--no-deps", "-w", folder]
        subprocess.run([*command, str(ROOT)], check=True)
        (built,) = Path(folder).glob("jourdain-*.whl")
        plain = built.replace(dist / built.name)
        units = compiled(Path(folder) / "cache")
    own = with_units(plain, units)
    for path in (plain, own):
        size = path.stat().st_size
        print(f"{path.relative_to(ROOT)}  {size / 1e6:.1f} MB")
        if size > LARGEST:
            raise SystemExit(f"{path.name} is larger than {LARGEST / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
