"""The paper's own step of physical branches: explicit Euler (Di Giacomo, Capo & Faure 2001, §4.2).

    m Ω̇ = − T + Σ T of the children + hands          T = (kθ + νθ̇) z_p + (kφ + νφ̇) y
    θ̈ = z_p · (Ω̇ − Ω̇_p)     φ̈ = y · (Ω̇ − Ω̇_p)     θ̇ ← θ̇ + θ̈ dt     θ ← θ + θ̇ dt

Both parts of a child's torque act back on its bearer with the same sign (the print has a minus before the second). Each
branch turns about all three axes here, and only the relative acceleration is projected: a bearer yields to torque about
the axis that its own joint has not, where in `articulated` the joint holds it. With all axes parallel, the two are the
same equations. It diverges for stiff branches or long steps.
"""

import numpy as np

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["accelerations", "euler_step"]


def accelerations(
    torque: FloatArray, outer: FloatArray, moment: FloatArray, axes: FloatArray, up: IntArray
) -> FloatArray:
    """(n, 2) θ̈ and φ̈ of physical branches, rad/s².

    torque  (n, 2)     what springs and dampers ask: kθ + νθ̇, kφ + νφ̇, N·m
    outer   (n, 3)     other torques on each branch: of hands, and of children that are not physical, N·m
    moment  (n,)       m, kg·m²
    axes    (2, 3, n)  of θ and φ as they are now
    up      (n,)       which of them bears each; -1 if none
    """
    joint = np.einsum("na,akn->nk", torque, axes)
    net = outer - joint
    np.add.at(net, up[up >= 0], joint[up >= 0])
    body = net / moment[:, None]
    relative = body - np.where((up >= 0)[:, None], body[up], 0.0)
    return np.einsum("akn,nk->na", axes, relative)


def euler_step(
    turn: FloatArray, rate: FloatArray, acceleration: FloatArray, dt: float
) -> tuple[FloatArray, FloatArray]:
    """Angles and rates one step later."""
    return turn + dt * rate, rate + dt * acceleration
