"""A sound study, and ways to break it: each change with words of what must be said of it."""

from __future__ import annotations

SOUND = """\
jourdain: 1
name: Pendulums
task: How fast do they get?
scenario: pendulum.yaml
set: {simulation.until: 0.5}
parameters:
  mass: {at: system.bodies.link.mass, values: [1, 2, 3]}
  speed: {at: state.v.hinge, range: [-2, 2], count: 3}
  start: {at: state.q.hinge, values: [0.1, 10 deg]}
design: {method: grid}
criteria:
  end: {quantity: hinge, take: final, after: 0.1}
  fastest: {quantity: ["v:hinge", link.tip.speed], take: peak}
score:
  compare: [[1, 3], [1/3, 1]]
  parts:
    slow: {variable: fastest, best: 1, worst: 9}
    low: {variable: end, prefer: low}
report:
  maps: [[mass, speed]]
  show: [success, fastest]
  worst: fastest
"""

CHANGES: list[tuple[str, str, str]] = [
    ("jourdain: 1\n", "", "begin the file with jourdain: 1"),
    ("jourdain: 1", "jourdain: 2", "reads format 1"),
    ("jourdain: 1", "jourdain: !!python/name:os.system 1", "is refused"),
    ("name: Pendulums", "name: [a]", "give text"),
    ("name: Pendulums\n", "", "give the study a title"),
    ("task: How", "taks: How", 'unknown section "taks"'),
    ("scenario: pendulum.yaml\n", "", "name a scenario file"),
    ("scenario: pendulum.yaml", "scenario: none.yaml", "no such file"),
    ("scenario: pendulum.yaml", "scenario: ../pendulum.yaml", "leads out of the folder"),
    ("scenario: pendulum.yaml", "scenario: /etc/passwd", "not relative"),
    ("scenario: pendulum.yaml", "scenario: sub/link.yaml", "leads out of the folder"),
    ("scenario: pendulum.yaml", "scenario: study.yaml", "is a study itself"),
    ("scenario: pendulum.yaml", "scenario: pipe.yaml", "plain file"),
    ("scenario: pendulum.yaml", "scenario: sub", "is a folder"),
    ("scenario: pendulum.yaml", "scenario: 3", "give"),
    ("scenario: pendulum.yaml", "scenario: {name: x, simulation: {}}", 'no "system" there'),
    ("scenario: pendulum.yaml", "scenario: pendulum.yaml\nvariant: fast", 'no variant "fast"'),
    ("scenario: pendulum.yaml", "scenario: wrong.yaml", "give a number"),
    ("set: {simulation.until: 0.5}", "set: {simulaton.until: 0.5}", "did you mean"),
    ("set: {simulation.until: 0.5}", "set: {simulation.until: -1}", "is at 0 s already"),
    ("set: {simulation.until: 0.5}", "set: [1]", "give a mapping"),
    ("system.bodies.link.mass", "system.bodies.lnk.mass", "did you mean"),
    ("system.bodies.link.mass", "bodies.link.mass", "begins with no section"),
    ("system.bodies.link.mass", "system..mass", "is no address"),
    ("system.bodies.link.mass", '"system.bodies[7].mass"', "no item 7"),
    ("system.bodies.link.mass", "system.bodies.link.mas", "unknown key"),
    ("at: system.bodies.link.mass", "at: 3", "give"),
    ("at: state.v.hinge", "at: state.v.hing", 'did you mean "hinge"'),
    ("at: state.v.hinge", "at: system.bodies.link.mass", "is varied by"),
    ("values: [1, 2, 3]", "values: []", "give 1 at least"),
    ("values: [1, 2, 3]", "values: [1, 1, 3]", "comes twice"),
    ("values: [1, 2, 3]", "values: [-1, 2, 3]", "at least 0"),
    ("values: [1, 2, 3]", "values: [heavy]", "give a number"),
    ("values: [1, 2, 3]", "valeus: [1, 2, 3]", 'unknown key "valeus"'),
    ("values: [1, 2, 3]", "values: [1], range: [1, 2]", "give one of values, range and normal"),
    ("values: [1, 2, 3]", "normal: [1, 0]", "above zero"),
    ("values: [1, 2, 3]", "normal: [1, 0.1]", "takes values"),
    ("values: [1, 2, 3]", "range: [2, 1], count: 3", "lower end first"),
    ("values: [1, 2, 3]", "range: [0, 1], count: 3, scale: log", "begins above zero"),
    ("values: [1, 2, 3]", "range: [1, 2], count: 3, scale: lag", "log"),
    ("values: [1, 2, 3]", "range: [1, 2]", "takes count"),
    ("values: [1, 2, 3]", "range: [1, 2, 3], count: 3", "two numbers"),
    ("values: [1, 2, 3]", "range: [1, .inf], count: 3", "which is not finite"),
    ("values: [1, 2, 3]", "range: [1, 2], count: 100000", "at most 200000"),
    ("values: [1, 2, 3]", "range: [1, 2], count: 1", "whole number"),
    ("  mass: {at", "  success: {at", "taken"),
    ("  mass: {at", "  depth: {at", "taken"),
    ("design: {method: grid}", "design: {method: gird}", "grid"),
    ("design: {method: grid}", "design: {method: grid, samples: 5}", "leave samples out"),
    ("design: {method: grid}", "design: {method: sobol}", "say how many"),
    ("design: {method: grid}", "design: {method: sobol, samples: 10}", "takes 8 or 16"),
    ("design: {method: grid}", "design: listed", "as many values of each"),
    ("design: {method: grid}", "design: {method: random, samples: 1e9}", "whole number"),
    ("quantity: hinge", "quantity: hing", "did you mean"),
    ("quantity: hinge, ", "", "quantity"),
    ("take: final", "take: last", "overshoot, peak"),
    ("after: 0.1", "after: 0.3, before: 0.2", "exchange them"),
    ("take: final", "take: final, target: 3", "belongs to overshoot"),
    ("  end: {", "  margin: {", "taken"),
    ("[1/3, 1]]", "[1/2, 1]]", "inverts the other"),
    ("[1/3, 1]]", "[1/0, 1]]", "rows of numbers"),
    ("compare: [[1, 3], [1/3, 1]]", "compare: [[1]]", "there are 2 parts"),
    ("compare: [[1, 3], [1/3, 1]]", "wieghts: [1, 2]", "unknown key"),
    ("compare: [[1, 3], [1/3, 1]]", "weights: [1, -2]", "above zero"),
    ("variable: fastest", "variable: fast", 'no variable "fast"'),
    ("best: 1, worst: 9", "best: 1, worst: 1", "two different numbers"),
    ("prefer: low", "prefer: less", '"low" or "high"'),
    ("maps: [[mass, speed]]", "maps: [[mass, sped]]", 'no parameter "sped"'),
    ("maps: [[mass, speed]]", "maps: [[mass, mass]]", "a map has two parameters"),
    ("show: [success, fastest]", "show: [success, fast]", 'no variable "fast"'),
    ("worst: fastest", "worst: slowest", 'no variable "slowest"'),
    ("worst: fastest", "replays: all", "map"),
    ("design: {method: grid}", "design: {method: grid}\nsearch: {minimise: end}", "leave one out"),
    ("design: {method: grid}", "search: {}", "to minimise or to maximise"),
    ("design: {method: grid}", "search: {minimise: nothing}", 'no variable "nothing"'),
    ("design: {method: grid}", "search: {minimise: end, population: 4, elite: 4}", "give fewer"),
    ("design: {method: grid}", "search: {minimise: end, mutation: 2}", "from 0 to 1"),
    ("task: How fast", "system: {}\ntask: How fast", "`jourdain run` runs it"),
    ("  mass: {at", "  mass: &m {a: *m, at", "which has no end"),
    ("  mass: {at", "  <<: {a: 1}\n  mass: {at", "merge key"),
]
"""(what is replaced, by what, words of the mistake)"""
