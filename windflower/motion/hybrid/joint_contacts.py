"""Contact of branches with a figure: as many points as touch it, each pushed along its normal and never pulled.

At the end of a step each point of contact is outside, or its force is zero, but no force is negative:

    w = g + W λ ≥ 0          λ ≥ 0          λ · w = 0

with g the gaps as they would be without contact, and W how unit forces at the points move them within the step. W is
symmetric and positive, W = L Lᵀ, so λ is the least-squares solution of Lᵀ λ = − L⁻¹ g that is not negative.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from windflower.core.arrays import FloatArray
from windflower.core.components import cross
from windflower.motion.hybrid.joint_hands import Held, PhysicalPaths
from windflower.motion.hybrid.joint_poses import Posed
from windflower.motion.hybrid.pushing import Contacts, yields
from windflower.motion.places import Places

__all__ = ["JointContacts", "contact_forces"]

SOFT = 1e-3  # share of the points' own give that is added to it: points that cannot all be outside share the rest
OUT = 2.5  # m/s with which a branch that is found deep inside is led out at most
STRONG = 5000.0  # N at most, where points cannot all be outside


@dataclass(frozen=True, eq=False)
class JointContacts:
    """What contacts can do to n physical branches in one step, in the plant's own frame.

    contacts               in the world
    torque    (2n, c)      on each angle, by 1 N along the normal of each; N·m. Turned round, how the points move
    gap       (c,)         m, negative inside
    aside     (3,)         m by which the figure is off its way, in the world
    """

    contacts: Contacts
    torque: FloatArray
    gap: FloatArray
    scale: FloatArray
    aside: FloatArray

    @classmethod
    def of(
        cls, contacts: Contacts, paths: PhysicalPaths, posed: Posed, places: Places, aside: FloatArray
    ) -> "JointContacts":
        """Contacts with branches as they are posed."""
        rank, scale = posed.chain.rank[paths.joint], places.scale[contacts.instance]
        own = rank[paths.first]
        base = posed.base(own)
        point = base + contacts.along * (posed.tip[:, own] - base)
        normal = np.einsum("cji,cj->ci", places.turn[contacts.instance], contacts.normal)
        arm = point[:, paths.hand] - posed.base(rank)
        across = cross(arm, normal[paths.hand].T)  # (a × arm) · n = a · (arm × n)
        table = np.zeros((paths.branches, 2, len(contacts)))
        table[paths.entry, :, paths.hand] = np.einsum("akn,kn->na", posed.axes(rank), across)
        return cls(contacts, table.reshape(2 * paths.branches, -1), contacts.gap / scale, scale, aside)

    def force(self, reach: FloatArray, free: FloatArray, dt: float) -> FloatArray:
        """(c,) the force of each through a step of dt, N.

        reach  (c, c)  how unit forces all through the step move the points along their normals by its end, m/N
        free   (c,)    how they would move without contact, m
        """
        wider, back = yields(self.contacts.normal, self.aside, dt)
        ahead = self.gap + free + back / self.scale - np.minimum(self.gap + OUT * dt, 0.0)
        return contact_forces(reach + wider * self.scale**2 / self.scale[:, None], ahead)

    def held(self, places: Places, force: FloatArray) -> Held:
        """What pushed with forces (c,), in the world."""
        contacts, pushed = self.contacts, force > 0
        world = contacts.normal * (force * places.scale[contacts.instance] ** 2)[:, None]
        return Held(instance=contacts.instance[pushed], node=contacts.node[pushed], force=world[pushed])


def contact_forces(reach: FloatArray, gap: FloatArray) -> FloatArray:
    """(c,) λ for W = `reach` (c, c) and g = `gap` (c,), at most `STRONG`."""
    if not len(gap) or (gap >= 0).all():
        return np.zeros(len(gap))
    even = (reach + reach.T) / 2
    even[np.diag_indices(len(gap))] *= 1 + SOFT
    even[np.diag_indices(len(gap))] += 1e-12 + SOFT * even.diagonal().mean()
    lower = np.linalg.cholesky(even)
    found, _ = nnls(lower.T, np.linalg.solve(lower, -gap))
    return np.minimum(found, STRONG)
