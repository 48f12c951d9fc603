"""FMUs that were not made by Jourdain: `servo.c`, compiled here, with a description of version 2 or 3."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

from jourdain.cosimulation.archive import platforms

HERE = Path(__file__).parent
NAMES = {"angle": 1, "rate": 2, "torque": 3, "pd": 4, "i": 5, "der(i)": 6, "kp": 7, "kd": 8, "R": 9, "L": 10, "k": 11,
         "ref": 12, "level": 13}  # fmt: skip
START = {"kp": 10.0, "kd": 1.0, "R": 2.0, "L": 0.1, "k": 0.5, "ref": 1.0, "level": 1e9, "i": 0.0,
         "angle": 0.0, "rate": 0.0}  # fmt: skip


def causality(name: str) -> str:
    if name in ("angle", "rate"):
        return "input"
    return "output" if name in ("torque", "pd") else "local" if name in ("i", "der(i)") else "parameter"


def description2(events: bool) -> str:
    rows = []
    for name, number in NAMES.items():
        start = f' start="{START[name]}"' if name in START else ""
        slope = ' derivative="5"' if name == "der(i)" else ""
        how = ' variability="tunable"' if causality(name) == "parameter" else ""
        if name in ("torque", "pd", "der(i)"):
            how += ' initial="calculated"'
        elif name == "i":
            how += ' initial="exact"'
        rows.append(f'<ScalarVariable name="{name}" valueReference="{number}" causality="{causality(name)}"{how}>'
                    f"<Real{start}{slope}/></ScalarVariable>")  # fmt: skip
    rows.append('<ScalarVariable name="gear" valueReference="20" causality="parameter" variability="tunable">'
                '<Integer start="3"/></ScalarVariable>')  # fmt: skip
    rows.append('<ScalarVariable name="on" valueReference="21" causality="parameter" variability="tunable">'
                '<Boolean start="true"/></ScalarVariable>')  # fmt: skip
    unknowns = '<Unknown index="3"/><Unknown index="4"/>'
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="servo" guid="servo-token" numberOfEventIndicators="{int(events)}">
<ModelExchange modelIdentifier="servo" completedIntegratorStepNotNeeded="true" canGetAndSetFMUstate="true"/>
<CoSimulation modelIdentifier="servo" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true"/>
<ModelVariables>{"".join(rows)}</ModelVariables>
<ModelStructure><Outputs>{unknowns}</Outputs><Derivatives><Unknown index="6"/></Derivatives>
<InitialUnknowns>{unknowns}<Unknown index="6"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>"""


def description3(events: bool) -> str:
    rows = []
    for name, number in NAMES.items():
        start = f' start="{START[name]}"' if name in START else ""
        slope = ' derivative="5"' if name == "der(i)" else ""
        how = ' variability="tunable"' if causality(name) == "parameter" else ""
        head = f'<Float64 name="{name}" valueReference="{number}" causality="{causality(name)}"'
        rows.append(f"{head}{how}{start}{slope}/>")
    rows.append('<Int32 name="gear" valueReference="20" causality="parameter" variability="tunable" start="3"/>')
    rows.append('<Boolean name="on" valueReference="21" causality="parameter" variability="tunable" start="true"/>')
    rows.append('<Float64 name="jump" valueReference="30" causality="local" initial="calculated"/>' if events else "")
    indicator = '<EventIndicator valueReference="30"/>' if events else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="servo" instantiationToken="servo-token">
<ModelExchange modelIdentifier="servo" needsCompletedIntegratorStep="false" canGetAndSetFMUState="true"/>
<CoSimulation modelIdentifier="servo" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUState="true"/>
<ModelVariables>{"".join(rows)}</ModelVariables>
<ModelStructure><Output valueReference="3"/><Output valueReference="4"/><ContinuousStateDerivative valueReference="6"/>
{indicator}</ModelStructure></fmiModelDescription>"""


def servo(file: Path, version: int, events: bool = False, folder: str | None = None) -> Path:
    """The servo as an FMU; its library goes into the folder of this machine, or into another."""
    names, ending = platforms()
    library = file.with_suffix(ending)
    flags = ["-std=c99", "-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", f"-DFMI={version}"]
    subprocess.run(["cc", *flags, str(HERE / "servo.c"), "-o", str(library)], check=True)
    told = (description2 if version == 2 else description3)(events)
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("modelDescription.xml", told)
        packed.write(library, f"binaries/{folder or names[version - 2]}/servo{ending}")
    return file
