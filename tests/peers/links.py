"""A model's description as links: each body with its joint, in depth-first order, as other codes want them."""

from __future__ import annotations

from dataclasses import dataclass

from jourdain import Model, Pose
from jourdain.describe.bodies.body import Body
from jourdain.describe.description import from_dict
from jourdain.describe.joints import Joint


@dataclass(frozen=True)
class Link:
    """A body and its inboard joint.

    parent     name of the body that carries the joint, or "world"
    carrier    pose of the joint's fixed side in the frame by which the parent is held
    held       the frame by which the joint holds the body, in body axes
    q, v       first entries of the joint in our q and v
    """

    body: Body
    joint: Joint
    parent: str
    carrier: Pose
    held: Pose
    q: int
    v: int

    @property
    def name(self) -> str:
        """Name of the body."""
        return self.body.name

    def frames(self) -> dict[str, Pose]:
        """Address and pose of each frame of the body, in the frame by which it is held."""
        inverse = self.held.inverse()
        return {f"{self.name}.{frame}": inverse @ self.body.frame(frame) for frame in self.body.frame_names()}


def links(model: Model) -> list[Link]:
    """The links of a model, every subtree in one piece."""
    system = from_dict(model.description, without_laws=True)
    items = {item.body.name: item for item in system.attachments}
    children: dict[str, list[str]] = {}
    for name in model.bodies:
        children.setdefault(items[name].parent, []).append(name)
    held = {name: item.body.frame(item.at) for name, item in items.items()}
    held["world"] = Pose()
    out = []
    stack = list(reversed(children.get("world", [])))
    while stack:
        name = stack.pop()
        item = items[name]
        frame = Pose() if item.parent == "world" else items[item.parent].body.frame(item.to.partition(".")[2])
        q_names, v_names = item.joint.q_names(), item.joint.v_names()
        out.append(
            Link(
                body=item.body,
                joint=item.joint,
                parent=item.parent,
                carrier=held[item.parent].inverse() @ frame @ item.pose,
                held=held[name],
                q=model.index.q[q_names[0]] if q_names else 0,
                v=model.index.v[v_names[0]] if v_names else 0,
            )
        )
        stack += reversed(children.get(name, []))
    return out
