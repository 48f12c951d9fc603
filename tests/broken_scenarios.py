"""A sound scenario, and ways to break it: each change with the line that must be named and words of the remedy."""

from __future__ import annotations

SOUND = """\
jourdain: 1
name: A small arm
task: Reach out, touch the wall and hold.
system:
  gravity: [0, 0, -9.81]
  bodies:
    - kind: RigidBody
      name: base
      mass: 50
      inertia: [1, 1, 1]
      frames: {port: [0.1, 0, 0], cam: {position: [0, 0, 1], rotation: {axis: x, angle: 90 deg}}}
      shape: {kind: Box, lengths: [1, 1, 0.2]}
      joint: {kind: Weld, name: mount}
    - kind: Beam
      name: upper
      length: 1.5
      mass_per_length: 2.0
      EA: 1e6
      EI: [900.0, 900.0]
      GJ: 700.0
      modes: {bending_y: 1}
      basis: clamped-free
      damping: 0.01
      frames: {middle: 0.5}
      joint: {kind: Revolute, name: shoulder, axis: z, damping: 0.5, limits: [-170 deg, 170 deg]}
      to: base.port
    - kind: RigidBody
      name: fore
      mass: 3
      com: [0.5, 0, 0]
      inertia: [0.01, 0.3, 0.3]
      frames: {tip: [1, 0, 0]}
      joint: {kind: Revolute, name: elbow, axis: z}
      to: upper.tip
      rotation: [1, 0, 0, 0]
    - kind: RigidBody
      name: ball
      mass: 1
      inertia: [1, 1, 1]
      joint: {kind: Free, name: float}
      position: [5, 0, 0]
  forces:
    - {name: push, at: fore.tip, force: [0, 0, 1], axes: world}
  contacts:
    - name: touch
      first: {kind: Sphere, radius: 0.05, at: fore.tip}
      second: {kind: Plane, normal: [-1, 0, 0], offset: -3, at: world}
      normal: {kind: HertzContact, stiffness: 1e6, restitution: 0.5}
      friction: {kind: CoulombFriction, kinetic: 0.3}
models:
  arm: {without: ball, set: {bodies.fore.mass: 2.5}}
state:
  q: {shoulder: 20 deg, elbow: 0.4, float: {position: [0, 1, 0]}}
  v: {elbow: 0}
controller:
  - kind: PD
    joints: [shoulder]
    kp: 100
    kd: 20
    reference: {shoulder: {kind: Cycloid, to: 60 deg, duration: 2}}
  - kind: Impedance
    model: arm
    at: fore.tip
    mass: 10
    damping: 20
    stiffness: 30
    directions: xy
    contact: touch
    frame: base.origin
    reference: {kind: Line, start: [2, 0, 0], to: [2.5, 0, 0], duration: 2}
motions:
  elbow: {kind: Cycloid, to: 90 deg, duration: 1}
events:
  - {at: 1.5, release: elbow, name: let go}
  - {when: elbow > 80 deg, lock: shoulder}
simulation: {until: 3, step: 1e-3, method: rk4, output: 0.01}
outputs:
  figures:
    Angles: [shoulder, elbow]
    Force: contact:touch.force
  frames: [fore.tip]
limits:
  - {name: peak force, quantity: contact:touch.force, at_most: 50}
  - {name: torque, quantity: effort:shoulder, within: 200, after: 0.5}
replay: {camera: base.cam, magnify: 10, ghost: soft}
export: {inputs: effort:elbow, outputs: [fore.tip.x, contact:touch.force], step: 1e-3}
variants:
  soft:
    system.bodies.upper.EI: 500
    controller[0].kp: 50
"""

# (what is replaced, what by, words of the message, the address that is named)
CHANGES: list[tuple[str, str, str, str]] = [
    # missing
    ("jourdain: 1\n", "", "begin the file with jourdain: 1", "jourdain"),
    ("name: A small arm\n", "", "give the scenario a title", "name"),
    ("      mass: 50\n", "", '"mass" is missing', "system.bodies.base"),
    ("      name: base\n", "", '"name" is missing', "system.bodies[0]"),
    ("      length: 1.5\n", "", '"length" is missing', "system.bodies.upper"),
    ("      joint: {kind: Weld, name: mount}\n", "", '"joint" is missing', "system.bodies.base"),
    ("{kind: Weld, name: mount}", "{kind: Weld}", '"name" is missing', "system.bodies.base.joint"),
    ("{kind: Weld, name: mount}", "{name: mount}", '"kind" is missing', "system.bodies.base.joint"),
    ("    - kind: Beam\n      name: upper", "    - name: upper", '"kind" is missing', "system.bodies.upper"),
    (", at: world}\n      normal", "}\n      normal", 'has no "at"', "system.contacts.touch.second"),
    ("      normal: {kind: HertzContact, stiffness: 1e6, restitution: 0.5}\n", "", '"normal" is missing', "touch"),
    ("    kp: 100\n", "", '"kp" is missing', "controller[0]"),
    ("    model: arm\n", "", '"model" is missing', "controller[1]"),
    ("until: 3, ", "", '"until" is missing', "simulation"),
    ("to: 60 deg, duration: 2", "to: 60 deg", '"duration" is missing', "controller[0].reference.shoulder"),
    (", at_most: 50", "", "give one of at_most, at_least, within", "limits.peak force"),
    ("{name: torque, quantity: effort:shoulder, ", "{name: torque, ", '"quantity" is missing', "limits.torque"),
    ("{at: 1.5, release: elbow, name: let go}", "{release: elbow}", "give either at=", "events[0]"),
    ("{at: 1.5, release: elbow, name: let go}", "{at: 1.5}", "it does nothing", "events[0]"),
    (", force: [0, 0, 1]", ", force: ", "", ""),
    ("{kind: CoulombFriction, kinetic: 0.3}", "{kind: CoulombFriction}", '"kinetic" is missing', "touch.friction"),
    ("{axis: x, angle: 90 deg}", "{axis: x}", "axis: z, angle: 30 deg", "base.frames.cam"),
    # misspelled
    ("jourdain: 1", "jordain: 1", 'did you mean "jourdain"', "jordain"),
    ("task:", "taks:", 'did you mean "task"', "taks"),
    ("system:\n", "sistem:\n", 'did you mean "system"', "sistem"),
    ("  gravity:", "  gravty:", 'did you mean "gravity"', "system.gravty"),
    ("  bodies:", "  bodys:", 'did you mean "bodies"', "system.bodys"),
    ("      mass: 50", "      mas: 50", 'did you mean "mass"', "system.bodies.base.mas"),
    ("mass_per_length:", "mass_per_lenght:", 'did you mean "mass_per_length"', "upper.mass_per_lenght"),
    ("kind: Beam", "kind: Beem", 'did you mean "Beam"', "system.bodies.upper.kind"),
    ("kind: Beam", "kind: beam", 'did you mean "Beam"', "system.bodies.upper.kind"),
    ("kind: Weld", "kind: Welt", 'did you mean "Weld"', "system.bodies.base.joint.kind"),
    ("kind: Box", "kind: Bocks", "is no kind of shape", "base.shape.kind"),
    ("basis: clamped-free", "basis: clamped", "allowed are", "system.bodies.upper.basis"),
    ("bending_y: 1", "bendig_y: 1", 'did you mean "bending_y"', "upper.modes.bendig_y"),
    ("to: base.port", "to: base.prt", 'did you mean "port"', "system.bodies.upper.to"),
    ("to: base.port", "to: bas.port", 'did you mean "base"', "system.bodies.upper.to"),
    ("to: base.port", "to: base", "base.origin", "system.bodies.upper.to"),
    ("at: fore.tip, force", "at: fore.tp, force", 'did you mean "tip"', "system.forces.push.at"),
    ("axes: world", "axes: wrld", 'did you mean "world"', "system.forces.push.axes"),
    ("radius: 0.05, at: fore.tip", "radius: 0.05, at: for.tip", "for.tip", "system.contacts.touch"),
    ("kind: HertzContact", "kind: HertzContac", 'did you mean "HertzContact"', "touch.normal.kind"),
    ("restitution:", "restituton:", 'did you mean "restitution"', "touch.normal.restituton"),
    ("without: ball", "without: bal", 'did you mean "ball"', "models.arm.without"),
    ("without: ball", "witout: ball", 'did you mean "without"', "models.arm.witout"),
    ("bodies.fore.mass: 2.5", "bodies.for.mass: 2.5", 'did you mean "fore"', "models.arm.set"),
    ("q: {shoulder:", "q: {sholder:", 'did you mean "shoulder"', "state.q.sholder"),
    ("  v: {elbow", "  v: {elbo", 'did you mean "elbow"', "state.v.elbo"),
    ("  v: {elbow", "  w: {elbow", 'unknown key "w"', "state.w"),
    ("kind: PD", "kind: PDD", 'did you mean "PD"', "controller[0].kind"),
    ("joints: [shoulder]", "joints: [sholder]", 'did you mean "shoulder"', "controller[0].joints[0]"),
    ("reference: {shoulder: {kind", "reference: {sholder: {kind", 'did you mean "shoulder"', "reference.sholder"),
    ("kind: Cycloid, to: 60", "kind: Cyclod, to: 60", 'did you mean "Cycloid"', "reference.shoulder.kind"),
    ("model: arm", "model: amr", 'did you mean "arm"', "controller[1].model"),
    ("    at: fore.tip\n", "    at: fore.top\n", 'did you mean "fore.tip"', "controller[1].at"),
    ("directions: xy", "directions: xw", "direction 'w'", "controller[1]"),
    ("contact: touch\n", "contact: tuch\n", 'did you mean "touch"', "controller[1].contact"),
    ("frame: base.origin", "frame: base.orgin", 'did you mean "base.origin"', "controller[1].frame"),
    ("kind: Line", "kind: Lin", 'did you mean "Line"', "controller[1].reference.kind"),
    ("    damping: 20\n", "    dampin: 20\n", 'did you mean "damping"', "controller[1].dampin"),
    ("motions:\n  elbow", "motions:\n  elbo", 'did you mean "elbow"', "motions.elbo"),
    ("release: elbow", "release: elbo", 'did you mean "elbow"', "events.let go.release"),
    ("lock: shoulder", "lock: sholder", 'did you mean "shoulder"', "events[1].lock"),
    ("when: elbow", "when: elbo", 'did you mean "elbow"', "events[1].when"),
    ("method: rk4", "method: rk44", 'did you mean "rk4"', "simulation.method"),
    ("step: 1e-3", "setp: 1e-3", 'did you mean "step"', "simulation.setp"),
    ("Angles: [shoulder, elbow]", "Angles: [shulder, elbow]", 'did you mean "shoulder"', "outputs.figures.Angles"),
    ("Force: contact:touch.force", "Force: contact:touch.forc", 'did you mean "force"', "outputs.figures.Force"),
    ("  frames: [fore.tip]", "  frames: [fore.tipp]", 'did you mean "fore.tip"', "outputs.frames[0]"),
    ("quantity: effort:shoulder", "quantity: efort:shoulder", 'did you mean "effort"', "limits.torque.quantity"),
    ("at_most: 50", "atmost: 50", 'did you mean "at_most"', "limits.peak force.atmost"),
    ("camera: base.cam", "camera: base.cma", 'did you mean "base.cam"', "replay.camera"),
    ("outputs: [fore.tip.x", "outputs: [fore.tpi.x", 'did you mean "fore.tip.x"', "export.outputs[0]"),
    ("export: {inputs", "export: {input", 'did you mean "inputs"', "export.input"),
    ("ghost: soft", "ghost: sfot", 'did you mean "soft"', "replay.ghost"),
    ("system.bodies.upper.EI: 500", "system.bodies.uper.EI: 500", 'did you mean "upper"', "variants.soft"),
    ("system.bodies.upper.EI: 500", "sytem.bodies.upper.EI: 500", 'did you mean "system"', "variants.soft"),
    ("system.bodies.upper.EI: 500", "system.bodies.upper.EJ: 500", 'unknown key "EJ"', "system.bodies.upper.EJ"),
    ("controller[0].kp: 50", "controller[7].kp: 50", "no item 7", "variants.soft"),
    ("controller[0].kp: 50", "controller[0]..kp: 50", "is no address", "variants.soft"),
    # wrong type
    ("name: A small arm", "name: [a, b]", "give text", "name"),
    ("name: A small arm", "name: 12", "in quotes", "name"),
    ("gravity: [0, 0, -9.81]", "gravity: -9.81", "a list of 3 numbers", "system.gravity"),
    ("gravity: [0, 0, -9.81]", "gravity: [0, -9.81]", "got 2 numbers", "system.gravity"),
    ("gravity: [0, 0, -9.81]", "gravity: [0, 0, down]", "give a number", "system.gravity[2]"),
    ("mass: 50", "mass: heavy", "give a number", "system.bodies.base.mass"),
    ("mass: 50", "mass: [50]", "give a number", "system.bodies.base.mass"),
    ("mass: 50", "mass: {kg: 50}", "give a number", "system.bodies.base.mass"),
    ("mass: 50", "mass: true", "give a number", "system.bodies.base.mass"),
    ("mass: 50", "mass: '50'", "which is text", "system.bodies.base.mass"),
    ("mass: 50", "mass: 050", "leading zeros", "system.bodies.base.mass"),
    ("mass: 50", "mass: 0x32", "give a number", "system.bodies.base.mass"),
    ("mass: 50", "mass: 2026-11-15", "give a number", "system.bodies.base.mass"),
    ("mass: 50", "mass: 1_000", "which is text", "system.bodies.base.mass"),
    ("mass: 50", "mass: .nan", "not finite", "system.bodies.base.mass"),
    ("mass: 50", "mass: .inf", "not finite", "system.bodies.base.mass"),
    ("mass: 50", "mass: 1e999", "not finite", "system.bodies.base.mass"),
    ("mass: 50", "mass: 30 deg", "give it in kg", "system.bodies.base.mass"),
    ("name: base", "name: 7", "in quotes", "system.bodies"),
    ("inertia: [1, 1, 1]\n      frames: {port", "inertia: [1, 1]\n      frames: {port", "inertia", "base.inertia"),
    ("inertia: [1, 1, 1]\n      frames: {port", "inertia: [[1, 0], [0]]\n      frames: {port", "different", "inertia"),
    ("frames: {middle: 0.5}", "frames: [middle]", "a mapping from names", "upper.frames"),
    ("frames: {middle: 0.5}", "frames: {middle: half}", "give a number", "upper.frames.middle"),
    ("joint: {kind: Weld, name: mount}", "joint: Weld", "a mapping with kind:", "base.joint"),
    ("axis: z, damping: 0.5", "axis: w, damping: 0.5", "x, y, z or three numbers", "upper.joint.axis"),
    ("axis: z, damping: 0.5", "axis: [1, 0], damping: 0.5", "got 2 numbers", "upper.joint.axis"),
    ("rotation: [1, 0, 0, 0]", "rotation: [1, 0]", "quaternion", "fore.rotation"),
    ("rotation: [1, 0, 0, 0]", "rotation: 90 deg", "quaternion", "fore.rotation"),
    ("rotation: [1, 0, 0, 0]", "rotation: {axis: z, angle: right}", "30 deg", "fore.rotation.angle"),
    ("modes: {bending_y: 1}", "modes: 1", "a mapping of", "upper.modes"),
    ("modes: {bending_y: 1}", "modes: {bending_y: 1.5}", "a whole number", "upper.modes.bending_y"),
    ("  bodies:\n    - kind: RigidBody\n", "  bodies: none\n  x:\n    - kind: RigidBody\n", "a list", "system.bodies"),
    ("{shoulder: 20 deg, elbow: 0.4,", "{shoulder: lots, elbow: 0.4,", "30 deg", "state.q.shoulder"),
    ("{shoulder: 20 deg, elbow: 0.4,", "{shoulder: [1, 2], elbow: 0.4,", "give 1 numbers", "state.q.shoulder"),
    ("float: {position: [0, 1, 0]}", "float: {position: [0, 1]}", "got 2 numbers", "state.q.float.position"),
    ("kp: 100", "kp: high", "a number", "controller[0].kp"),
    ("method: rk4", "method: 4", "in quotes", "simulation.method"),
    ("until: 3", "until: soon", "give a number", "simulation.until"),
    ("{until: 3, step: 1e-3, method: rk4, output: 0.01}", "[3]", "a mapping of until", "simulation"),
    ("Angles: [shoulder, elbow]", "Angles: 5", "a list", "outputs.figures.Angles"),
    ("at_most: 50", "at_most: high", "30 deg", "limits.peak force.at_most"),
    ("magnify: 10", "magnify: lots", "give a number", "replay.magnify"),
    ("{camera: base.cam", "{earth: yes, camera: base.cam", "true or false", "replay.earth"),
    ("when: elbow > 80 deg", "when: elbow = 80", "elbow > 90 deg", "events[1].when"),
    ("when: elbow > 80 deg", "when: elbow > high", "30 deg", "events[1].when"),
    ("without: ball", "without: {a: 1}", "a list", "models.arm.without"),
    ("  soft:\n    system.bodies.upper.EI: 500\n    controller[0].kp: 50", "  soft: 3", "addresses and values", "soft"),
    ("variants:\n  soft:\n    system.bodies.upper.EI: 500\n    controller[0].kp: 50", "variants: 3", "give names", ""),
    # out of range
    ("jourdain: 1", "jourdain: 2", "reads format 1", "jourdain"),
    ("jourdain: 1", "jourdain: true", "reads format 1", "jourdain"),
    ("mass: 50", "mass: -50", "mass", "system.bodies.base.mass"),
    ("length: 1.5", "length: 0", "greater than 0", "system.bodies.upper.length"),
    ("EA: 1e6", "EA: -1", "above zero", "system.bodies.upper.EA"),
    ("bending_y: 1", "bending_y: 99", "gives 0 to", "system.bodies.upper.modes"),
    ("bending_y: 1", "bending_y: 1000000000", "from 0 to 100", "upper.modes.bending_y"),
    ("middle: 0.5", "middle: 1.5", "give 0 to 1", "system.bodies.upper"),
    ("damping: 0.01", "damping: -0.01", "none negative", "system.bodies.upper.damping"),
    ("limits: [-170 deg, 170 deg]", "limits: [170 deg, -170 deg]", "low one must come first", "upper.joint"),
    ("rotation: [1, 0, 0, 0]", "rotation: [1, 1, 0, 0]", "length", "fore.rotation"),
    ("axis: z, damping: 0.5", "axis: [0, 0, 0], damping: 0.5", "zero length", "upper.joint.axis"),
    ("inertia: [0.01, 0.3, 0.3]", "inertia: [1, 0.1, 0.1]", "triangle inequality", "fore.inertia"),
    ("radius: 0.05", "radius: -0.05", "greater than 0", "system.contacts.touch"),
    ("restitution: 0.5", "restitution: 1.5", "at most 1", "system.contacts.touch"),
    ("kinetic: 0.3", "kinetic: 0", "greater than 0", "system.contacts.touch"),
    ("stiffness: 30", "stiffness: -30", "positive semidefinite", "controller[1].stiffness"),
    ("to: [2.5, 0, 0], duration: 2", "to: [2.5, 0, 0], duration: -2", "more than zero", "controller[1].reference"),
    ("until: 3", "until: -3", "already", "simulation.until"),
    ("step: 1e-3", "step: 0", "above zero", "simulation.step"),
    ("step: 1e-3", "step: 0.7", "whole number of steps", "simulation.step"),
    ("output: 0.01", "output: 0.0015", "whole number of steps", "simulation.output"),
    ("method: rk4", "method: dop853", "chooses its steps", "simulation.step"),
    ("{at: 1.5, release", "{at: 9, release", "give a time within it", "events.let go"),
    ("{at: 1.5, release", "{at: 1.50005, release", "within a step", "events.let go"),
    ("at_most: 50", "at_most: 50, at_least: 3", "got at_most and at_least", "limits.peak force"),
    ("duration: 1}", "duration: 0}", "more than zero", "motions.elbow"),
    (
        "elbow: {kind: Cycloid, to: 90 deg, duration: 1}",
        "elbow: {kind: Sine, amplitude: 1, frequency: 1}",
        "",
        "motions",
    ),
    # who is who
    ("name: fore\n", "name: upper\n", "used 2 times", "system.bodies.upper"),
    ("name: elbow, axis", "name: shoulder, axis", "used 2 times", "system.bodies"),
    ("to: upper.tip", "to: fore.tip", "cycle", "system.bodies.fore"),
    ("to: base.port", "to: fore.tip", "cycle", "system.bodies"),
    ("at: world}\n      normal", "at: fore.tip}\n      normal", "does not touch itself", "system.contacts.touch"),
    ("{without: ball, set", "{from: arm, set", "copies of each other", "models.arm.from"),
    ("  arm: {without", "  plant: {without", "choose another name", "models.plant"),
    ("name: ball", "name: wo.rld", "has a dot", "system.bodies.wo.rld"),
    ("name: ball", "name: world", "taken by the world", "system.bodies.world"),
    ("kind: Sphere, radius: 0.05", "kind: RigidBody, radius: 0.05", "that is a body", "touch.first.kind"),
    ("kind: Impedance", "kind: LQR", "unknown key", "controller[1]"),
    # form
    ("name: A small arm", "name: A small arm\nname: Another", "there already, in line 2", "name"),
    ("      mass: 50", "      mass: 50\n      mass: 51", "there already", "mass"),
    ("name: A small arm", "name: !!python/object/apply:os.system ['true']", "no code", ""),
    ("mass: 50", "mass: !!float 50", "leave it out", ""),
    ("mass: 50", "mass: !include other.yaml", "leave it out", ""),
    ("      mass: 50", "      <<: {mass: 50}", "merge key", ""),
    ("      mass: 50", "\t  mass: 50", "indent with spaces", ""),
    ("name: A small arm", "name: 'A small arm", "not YAML", ""),
    ("name: A small arm", "name: a: b", "not YAML", ""),
    ("gravity: [0, 0, -9.81]", "gravity: [0, 0, -9.81", "not YAML", ""),
    ("      mass: 50", "     mass: 50", "not YAML", ""),
    ("mass: 50", "mass: *heavy", "names nothing above it", ""),
    ("gravity: [0, 0, -9.81]", "gravity: &g [0, 0, *g]", "has no end", ""),
    ("name: A small arm", "? [a, b]\n: A small arm", "a key is a name", ""),
    ("task: Reach", "---\ntask: Reach", "one document", ""),
    # markup
    ("name: base\n", "name: <script>alert(1)</script>\n", "", "system.bodies"),
    ("to: base.port", 'to: "base.<img src=x onerror=alert(1)>"', "has no frame", "system.bodies.upper.to"),
    ("kind: Beam", 'kind: "<b>Beam</b>"', "is no kind of body", "system.bodies.upper.kind"),
    ("method: rk4", 'method: "rk4\\n\\e[31mred"', "does not exist", "simulation.method"),
    # places
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: /etc/passwd", "not relative", "base.shape.path"),
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: ../../x.stl", "leads out", "base.shape.path"),
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: none.stl", "no such file", "base.shape.path"),
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: .", "is a folder", "base.shape.path"),
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: 'a\\b.stl'", "write it with /", "base.shape.path"),
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: ~/x.stl", "not relative", "base.shape.path"),
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: 'file:x.stl'", "not relative", "base.shape.path"),
    ("kind: Box, lengths: [1, 1, 0.2]", "kind: Mesh.from_file, path: 3", "name of a file", "base.shape.path"),
]
