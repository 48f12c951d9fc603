"""Where the numbers of published cases come from, read from their source: an abstract interpreter of the examples.

Every expression has a set of marks. PACKAGE: something of the package computed it, or it was computed from that.
CLAMPED: it went through min or max with a constant. SOUGHT: a root finder or a minimiser looked for it. Nothing is run:
functions of the case, of modules beside it and of examples are followed with the marks of their arguments; of anything
else the result has the marks of what went in. A condition marks what it chooses.

What it cannot see: a difference of two numbers of the package against 0, and whether a formula is right.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PACKAGE, CLAMPED, SOUGHT = "package", "clamped", "sought"
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ROWS = {"paper": "printed", "rerun": "re-run", "theory": "theory"}
SEEKERS = {"brentq", "fsolve", "root", "root_scalar", "minimize", "minimize_scalar", "least_squares", "newton"}
DEPTH = 12


@dataclass
class Row:
    """A call that yields rows: its kind, its line, and the marks of theirs and of ours."""

    kind: str
    line: int
    text: str
    theirs: frozenset[str]
    ours: frozenset[str]


@dataclass
class Function:
    """A function of an example, and the names that it sees."""

    node: ast.FunctionDef | ast.Lambda
    scope: Scope


@dataclass
class Value:
    """Marks, and what is known of the structure: a function, a module, the parts of a tuple, what a loop over it has,
    which words it may be."""

    marks: frozenset[str] = frozenset()
    function: Function | None = None
    module: dict[str, Value] | None = None
    parts: list[Value] | None = None
    element: Value | None = None
    words: frozenset[str] = frozenset()
    root: bool = False  # the package itself, or a part of it


@dataclass
class Scope:
    """Names, the scope around them, and the file."""

    names: dict[str, Value] = field(default_factory=dict)
    outer: Scope | None = None
    path: Path | None = None

    def get(self, name: str) -> Value:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return Value()


NOTHING = Value()


def both(*values: Value) -> Value:
    """What has the marks of all, and the parts where all have as many."""
    marks = frozenset().union(*(one.marks for one in values))
    counts = {len(one.parts) if one.parts else 0 for one in values}
    if len(counts) == 1 and counts != {0}:
        return Value(marks, parts=[both(*column) for column in zip(*(one.parts for one in values), strict=True)])
    return Value(marks, words=frozenset().union(*(one.words for one in values)))


def entry(value: Value) -> Value:
    """What a loop over it has."""
    return value.element if value.element is not None else Value(value.marks)


def rows_of(path: Path, function: str) -> list[Row]:
    """The rows that a case yields; one from a loop is met once."""
    scope = globals_of(path)
    reader = Reader()
    case = scope.names[function].function
    reader.call_function(case, [NOTHING] * len(case.node.args.args), {}, 0)
    return reader.rows


@cache
def globals_of(path: Path) -> Scope:
    """Names of a module of the examples after it ran."""
    scope = Scope(path=path)
    Reader().block(ast.parse(path.read_text(encoding="utf-8")).body, scope, [], 0)
    return scope


class Reader:
    """Follows statements and expressions, and keeps the rows that it meets."""

    def __init__(self) -> None:
        self.rows: list[Row] = []

    # statements

    def block(self, body: list[ast.stmt], scope: Scope, returned: list[Value], depth: int) -> None:
        for node in body:
            self.statement(node, scope, returned, depth)

    def statement(self, node: ast.stmt, scope: Scope, returned: list[Value], depth: int) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self.imported(node, scope)
            case ast.FunctionDef():
                law = any(self.root_of(one, scope) for one in node.decorator_list)  # compiled by the package
                scope.names[node.name] = Value(root=True) if law else Value(function=Function(node, scope))
            case ast.ClassDef():
                inner = Scope(outer=scope, path=scope.path)
                self.block(node.body, inner, [], depth)
                found = both(*(self.through(one, depth) for one in inner.names.values()))
                called = "__call__" in inner.names  # a controller: what it remembers is of the run that called it
                scope.names[node.name] = Value(found.marks | ({PACKAGE} if called else frozenset()))
            case ast.Assign():
                value = self.value(node.value, scope, depth)
                for target in node.targets:
                    self.assign(target, value, scope, depth)
            case ast.AugAssign():
                value = both(self.value(node.target, scope, depth), self.value(node.value, scope, depth))
                self.assign(node.target, value, scope, depth)
            case ast.AnnAssign(value=ast.expr()):
                self.assign(node.target, self.value(node.value, scope, depth), scope, depth)
            case ast.Return(value=ast.expr()):
                returned.append(self.value(node.value, scope, depth))
            case ast.Expr():
                value = self.value(node.value, scope, depth)
                match node.value:  # what a method of a list is given goes into the list
                    case ast.Call(func=ast.Attribute(value=owner)):
                        self.assign(owner, value, scope, depth, add=True)
            case ast.For():
                self.assign(node.target, entry(self.value(node.iter, scope, depth)), scope, depth)
                self.block(node.body, scope, returned, depth)
            case ast.While():
                self.block(node.body, scope, returned, depth)
            case ast.If():
                for body in (node.body, node.orelse):
                    self.block(body, scope, returned, depth)
            case ast.With():
                for item in node.items:
                    value = self.value(item.context_expr, scope, depth)
                    if item.optional_vars is not None:
                        self.assign(item.optional_vars, value, scope, depth)
                self.block(node.body, scope, returned, depth)
            case ast.Try():
                self.block(node.body, scope, returned, depth)
                for handler in node.handlers:  # what was raised came from what was tried
                    if handler.name:
                        scope.names[handler.name] = Value(frozenset({PACKAGE}))
                    kept = {name: value for name, value in scope.names.items()}
                    self.block(handler.body, scope, returned, depth)
                    for name, value in kept.items():
                        if scope.names[name] is not value:
                            scope.names[name] = both(scope.names[name], value)
                self.block([*node.orelse, *node.finalbody], scope, returned, depth)

    def imported(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            name = (alias.asname or alias.name).partition(".")[0]
            module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
            beside = self.beside(module, scope)
            if module.partition(".")[0] == "jourdain":
                if alias.name not in (*ROWS, "example"):
                    scope.names[name] = Value(root=True)
            elif beside is not None and isinstance(node, ast.ImportFrom):
                scope.names[name] = beside.get(alias.name, NOTHING)
            elif beside is not None:
                scope.names[name] = Value(module=beside)

    def beside(self, module: str, scope: Scope) -> dict[str, Value] | None:
        """Names of a module beside a file; what examples share is found from everywhere."""
        places = [scope.path.parent / f"{module}.py", *sorted(EXAMPLES.glob(f"*/{module}.py"))] if module else []
        return next((globals_of(path).names for path in places if path.exists()), None)

    def assign(self, target: ast.expr, value: Value, scope: Scope, depth: int, add: bool = False) -> None:
        match target:
            case ast.Name():
                scope.names[target.id] = both(scope.get(target.id), value) if add else value
            case ast.Tuple() | ast.List():
                parts = value.parts if value.parts and len(value.parts) == len(target.elts) else None
                for i, one in enumerate(target.elts):
                    inner = one.value if isinstance(one, ast.Starred) else one
                    self.assign(inner, parts[i] if parts else Value(value.marks), scope, depth, add)
            case ast.Subscript() | ast.Attribute():  # into something that is there
                self.assign(target.value, both(value), scope, depth, add=True)
            case _:
                pass

    # expressions

    def value(self, node: ast.expr, scope: Scope, depth: int) -> Value:
        read = lambda one: self.value(one, scope, depth)  # noqa: E731
        match node:
            case ast.Name():
                return scope.get(node.id)
            case ast.Constant():
                return Value(words=frozenset({node.value})) if isinstance(node.value, str) else NOTHING
            case ast.Tuple() | ast.List():
                parts = [read(one) for one in node.elts]
                inner = both(*parts)
                return Value(inner.marks, parts=parts if isinstance(node, ast.Tuple) else None, element=inner)
            case ast.Dict():
                inner = both(*(read(one) for one in node.values))
                return Value(inner.marks, element=inner)
            case ast.BoolOp():
                parts = [read(one) for one in node.values]
                return next((one for one in parts if one.module is not None), both(*parts))
            case ast.Attribute():
                owner = read(node.value)
                if owner.module is not None:
                    return owner.module.get(node.attr, NOTHING)
                return Value(owner.marks, root=owner.root)
            case ast.Subscript():
                owner, index = read(node.value), read(node.slice)
                if owner.module is not None:
                    found = [owner.module.get(word, NOTHING) for word in sorted(index.words)]
                    return found[0] if len(found) == 1 else both(*found)
                inner = owner.element if owner.element is not None and not isinstance(node.slice, ast.Slice) else owner
                return Value(inner.marks, parts=inner.parts, element=inner.element, root=owner.root)
            case ast.Call():
                return self.call(node, scope, depth)
            case ast.Lambda():
                return Value(function=Function(node, scope))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                inner = Scope(outer=scope, path=scope.path)
                for one in node.generators:
                    self.assign(one.target, entry(self.value(one.iter, inner, depth)), inner, depth)
                made = self.value(node.value if isinstance(node, ast.DictComp) else node.elt, inner, depth)
                return Value(made.marks, element=made)
            case ast.Yield(value=ast.expr()) | ast.YieldFrom() | ast.Await():
                return read(node.value)
            case ast.NamedExpr():
                value = read(node.value)
                self.assign(node.target, value, scope, depth)
                return value
            case _:
                return both(*(read(one) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)))

    def root_of(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a name is the package's."""
        while isinstance(node, ast.Attribute | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and scope.get(node.id).root

    def call(self, node: ast.Call, scope: Scope, depth: int) -> Value:
        read = lambda one: self.value(one, scope, depth)  # noqa: E731
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        given = [read(one.value if isinstance(one, ast.Starred) else one) for one in node.args]
        named = {one.arg: read(one.value) for one in node.keywords}
        if name in ROWS and len(given) >= 4:
            self.row(name, node, given)
            return NOTHING
        if name == "example":
            return self.left_by(node)
        if name == "zip":
            return Value(both(*given).marks, element=Value(both(*given).marks, parts=[entry(one) for one in given]))
        if name == "enumerate":
            return Value(given[0].marks, element=Value(given[0].marks, parts=[NOTHING, entry(given[0])]))
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "values") and not node.args:
            owner = read(node.func.value)
            inner = entry(owner)
            pair = Value(owner.marks, parts=[NOTHING, inner])
            return Value(owner.marks, element=pair if node.func.attr == "items" else inner)
        if ast.unparse(node.func) == "runpy.run_path":
            return Value(root=True)  # of a file whose name is put together: what it has is taken for computed
        called = read(node.func)
        if called.function is not None and depth < DEPTH:
            found = self.call_function(called.function, given, named, depth + 1)
            return Value(found.marks | called.marks, found.function, found.module, found.parts)
        flows = frozenset().union(called.marks, *(one.marks for one in (*given, *named.values())))
        for one in (*given, *named.values()):  # a function that is handed over may be called
            flows |= self.through(one, depth).marks
        if called.root or self.root_of(node.func, scope):
            flows |= {PACKAGE}
        numbers = [one for one in node.args if isinstance(one, ast.Constant | ast.UnaryOp)]
        if name in ("min", "max") and numbers and len(node.args) > 1:
            flows |= {CLAMPED}
        if (name or getattr(node.func, "attr", "")) in SEEKERS:
            flows |= {SOUGHT}
        return Value(flows)

    def through(self, value: Value, depth: int) -> Value:
        """What a function gives when something else calls it."""
        if value.function is None or depth >= DEPTH:
            return value
        arguments = value.function.node.args
        found = self.call_function(value.function, [NOTHING] * len(arguments.args), {}, depth + 1)
        return Value(found.marks | value.marks)

    def call_function(
        self, function: Function, given: list[Value], named: dict[str | None, Value], depth: int
    ) -> Value:
        """What a function returns, or yields, for arguments with these marks."""
        node, scope = function.node, Scope(outer=function.scope, path=function.scope.path)
        names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        for one in (*names, *(one.arg for one in node.args.kwonlyargs)):
            scope.names[one] = named.get(one, NOTHING)
        for one, value in zip(names, given):
            scope.names[one] = value
        rest = both(*given[len(names) :], *named.values())
        for more in (node.args.vararg, node.args.kwarg):
            if more is not None:
                scope.names[more.arg] = rest
        if isinstance(node, ast.Lambda):
            return self.value(node.body, scope, depth)
        returned: list[Value] = []
        self.block(node.body, scope, returned, depth)
        if len(returned) == 1:
            return returned[0]
        return both(*returned)

    def left_by(self, node: ast.Call) -> Value:
        """The names that an example leaves behind."""
        return Value(module=globals_of(EXAMPLES / f"{ast.literal_eval(node.args[0])}.py").names)

    def row(self, name: str, node: ast.Call, given: list[Value]) -> None:
        text = ast.unparse(node.args[0])
        self.rows.append(Row(ROWS[name], node.lineno, text, given[2].marks, given[3].marks))
