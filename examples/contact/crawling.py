"""
Quasi-static crawling with two and three links
==============================================

Figurina (NATO ASI, part A, section 11) moves links on a rough plane so slowly that only friction counts. Two links
with three equal masses have no choice: while the angle between them grows the long link's end rests, then all three
points slide, then only the end of the short link. Of a star of three links the third rests while the two others open
symmetrically, up to the angle 2 asin((1 + mu) / 2), mu being the mass of the centre over that of an end; then the
centre is drawn along, and has gone sqrt((1 - c) / (1 + c)) links, c = (1 + mu) / 2, when they are in line. Closed
again one at a time, the links leave a heavy centre where it is; a light one gets farther and slips back. There is a
best mass.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

# %%
# Two links: which points move, by the angle between them.

changes = {}
for short in (0.8, 0.6, 0.4):
    two = jd.mechanism.Crawler((1.0, short), (1.0, 1.0, 1.0))
    way = two.crawl([[-np.pi + 0.01], [-np.pi + 2.0]], steps=200, heading=np.pi)
    count = way.moves.sum(axis=1)
    changes[short] = [np.degrees(way.angles[k, 0] + np.pi) for k in np.flatnonzero(np.diff(count)) + 1]
    if short == 0.8:
        crawl = way

# %%
# Three links: opened together, closed one at a time, in turn; how far two rounds carry the centre.

CLOSED, OPEN = 0.6, 0.5 * np.pi
gait = np.pi + np.array([[-CLOSED, CLOSED], [-OPEN, OPEN], [-CLOSED, OPEN], [-CLOSED, CLOSED]])
mirrored = np.pi + np.array([[-OPEN, OPEN], [-OPEN, CLOSED], [-CLOSED, CLOSED]])
masses = np.append(np.arange(0.45, 0.66, 0.05), (0.8, 0.95))
rounds = {}
for mu in masses:
    star = jd.mechanism.Crawler((1.0, 1.0, 1.0), (mu, 1.0, 1.0, 1.0))
    rounds[mu] = star.crawl(np.vstack([gait, mirrored]), steps=20, heading=np.pi)
advance = np.array([rounds[mu].points[-1, 0, 0] / 2 for mu in masses])
free = np.sqrt((1.0 - masses) / (3.0 + masses))  # sqrt((1 - c) / (1 + c))
best = masses[np.argmax(advance)]

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
for k in range(0, len(crawl.points), 25):
    left.plot(*crawl.points[k][[1, 0, 2]].T, "o-", color=plt.cm.viridis(k / len(crawl.points)), ms=3)
left.set(aspect="equal", xlabel="x [links]", ylabel="y [links]", title="two links, 1 and 0.8")
for k in (0, 20, 40, 60):
    middle.plot(*rounds[best].points[k][[1, 0, 2, 0, 3]].T, "o-", ms=3, label=f"station {k // 20}")
middle.set(aspect="equal", xlabel="x [links]", title=f"a round of the star, mu = {best:.2f}")
middle.legend(fontsize="small")
right.plot(masses, advance, "o-", label="a round")
right.plot(masses, free, "k:", label="opening alone")
right.set(xlabel="mass of the centre over an end", ylabel="advance [links]")
right.legend()
plt.show()
