"""The lowest natural frequencies of a plant and their shapes: K φ = ω² M φ (Diener et al. 2009, eq. 5).

The largest eigenvalues θ = 1/ω² of K⁻¹ M are the modes wanted. The factors of a tree's K have no more entries than K,
so a step of Lanczos' iteration takes linear time; three or four steps are needed for each mode. The result is
certified: the factors of K - σ M have as many negative pivots as there are modes below σ (Sylvester), so a mode that
one start vector cannot see, the second of a pair of equal frequency, say, is noticed and looked for.

Lanczos' iteration runs on K⁻¹ M in the inner product of M. Rounding makes new vectors lose their orthogonality to old
ones. How much is estimated from the recurrence itself (Simon 1984, "The Lanczos algorithm with partial
reorthogonalization"), and restored only where it comes near the square root of the machine's precision: to that much,
orthogonality leaves θ as exact as if it were complete. That saves most of the memory traffic, which would otherwise be
most of the time on a large plant.
"""

from typing import Protocol

import numpy as np
from scipy.linalg import LinAlgError, eigh, eigh_tridiagonal
from scipy.sparse import bsr_array

from windflower.core.arrays import FloatArray
from windflower.errors import MechanicsError

__all__ = ["lowest_modes"]

DENSE = 600  # up to so many degrees of freedom, a dense solver is quicker
SLOWEST = 1e-6  # modes a thousand times faster than the first are not sway: their share of θ is rounding
GAP = 1e-5  # relative, between frequencies squared: what rounding surely does not close
TOLERANCE = 1e-8  # of ‖φ - ω² K⁻¹ M φ‖ in the mass norm
NOISE = 1e-13  # what rounding adds in a step, relative to the largest θ: some of it comes from solving with K
SEMI = 1e-8  # how much orthogonality may be lost
WORST = 1e-5  # what is no mode: it misses by more than this, in the same norm
ROUNDS = 30  # searches for modes that were missed; one or two do
COARSER = "Its lengths, radii or masses lie too far apart to be reckoned together: join or thin out the smallest parts."
BREAKDOWN = 1e-10  # a new vector this small, relative to the largest θ, is noise


class Stiffness(Protocol):
    """The factors of K."""

    def solve(self, load: FloatArray, /) -> FloatArray:
        """Solve K u = load."""

    def root(self) -> FloatArray:
        """A dense R with R Rᵀ = K⁻¹."""

    def below(self, mass: bsr_array, square: float, /) -> int:
        """Number of modes with ω² below this."""


@np.errstate(all="ignore")  # what is not finite is refused
def lowest_modes(mass: bsr_array, stiffness: Stiffness, count: int) -> tuple[FloatArray, FloatArray]:
    """ω² (count,) ascending and φ (freedoms, count) with φᵀMφ = 1; fewer if the plant has no more modes of sway."""
    freedoms = mass.shape[0]
    is_small = freedoms <= DENSE or 6 * count > freedoms
    squares, shape = (_dense if is_small else _sparse)(mass, stiffness, count)
    _check(mass, stiffness, squares, shape)
    return squares, shape


def _sparse(mass: bsr_array, stiffness: Stiffness, count: int) -> tuple[FloatArray, FloatArray]:
    theta, shape = _largest(mass, stiffness, np.zeros((0, mass.shape[0])), count)
    for _ in range(ROUNDS):
        missed = _missed(mass, stiffness, 1 / theta[:count])
        if not missed:
            return 1 / theta[:count], shape[:count].T
        more_theta, more_shape = _largest(mass, stiffness, shape, min(missed, count))
        every = np.concatenate([theta, more_theta])
        descending = np.argsort(-every, kind="stable")
        theta, shape = every[descending], np.concatenate([shape, more_shape])[descending]
    raise MechanicsError(f"modes are counted and found; {missed} stay missing after {ROUNDS} searches. {COARSER}")


def _dense(mass: bsr_array, stiffness: Stiffness, count: int) -> tuple[FloatArray, FloatArray]:
    """The modes as eigenvectors of Rᵀ M R: the other way round, rounding would be relative to the highest mode."""
    root = stiffness.root()
    swing = root.T @ (mass @ root)
    if not np.isfinite(swing).all() or not swing.any():
        raise MechanicsError(f"frequencies must be finite; those of this plant are not. {COARSER}")
    theta, mixing = _largest_of(swing, min(count, len(swing)))
    sways = theta > SLOWEST * theta[0]
    return 1 / theta[sways], root @ (mixing[:, sways] / np.sqrt(theta[sways]))


def _largest_of(matrix: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """The `count` largest eigenvalues of a symmetric matrix, descending, and their vectors as columns."""
    try:
        theta, vectors = eigh(matrix, subset_by_index=[len(matrix) - count, len(matrix) - 1])
    except LinAlgError:  # some of many tiny ones are too much for the quick way
        theta, vectors = eigh(matrix, driver="evd")
    return theta[: -count - 1 : -1], vectors[:, : -count - 1 : -1]


def _check(mass: bsr_array, stiffness: Stiffness, squares: FloatArray, shape: FloatArray) -> None:
    """Refuse what does not solve K φ = ω² M φ."""
    rest = shape - stiffness.solve(mass @ shape) * squares
    error = np.sqrt(np.maximum((rest * (mass @ rest)).sum(axis=0), 0.0))
    if not (error < WORST).all():
        worst = int(np.argmax(np.where(np.isfinite(error), error, np.inf)))
        raise MechanicsError(
            f"a mode must balance elastic and inertial forces; mode {worst + 1} misses by {error[worst]:.1g}. {COARSER}"
        )


def _missed(mass: bsr_array, stiffness: Stiffness, squares: FloatArray) -> int:
    """Number of modes below the highest clear gap in ω² that were not found; a cluster may be cut off above it."""
    gaps = np.flatnonzero(np.diff(squares) > GAP * squares[1:])
    below = int(gaps[-1]) + 1 if len(gaps) else 0
    under = squares[below - 1] if below else (1 - GAP) * squares[0]
    return max(stiffness.below(mass, (under + squares[below]) / 2) - below, 0)


def _largest(mass: bsr_array, factor: Stiffness, known: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """The `count` largest θ, descending, and their φ (count, freedoms), M-orthogonal to the `known` shapes."""
    run = _Run(mass, factor, known, 4 * count + 40)
    while True:
        run.step()
        if not np.isfinite(run.across[-1]) or run.steps > 2 * mass.shape[0]:
            raise MechanicsError(
                f"frequencies must be finite; the search for them ends after {run.steps} steps. {COARSER}"
            )
        if run.steps >= 2 * count and run.steps % 5 == 0:
            theta, mixing = run.ritz(count)
            if (run.across[-1] * np.abs(mixing[-1]) < TOLERANCE * theta).all():
                return theta, mixing.T @ run.basis[len(known) : len(known) + run.steps]


class _Run:
    """One run: the basis (known shapes first), and the tridiagonal matrix `along`, `across` of K⁻¹ M in it."""

    def __init__(self, mass: bsr_array, factor: Stiffness, known: FloatArray, room: int) -> None:
        self.mass, self.factor, self.known = mass, factor, len(known)
        self.basis = np.empty((len(known) + room, mass.shape[0]))
        self.basis[: len(known)] = known
        self.along: list[float] = []
        self.across: list[float] = []
        self.random = np.random.default_rng(len(known))
        self._lost, self._lost_before = np.zeros(0), np.zeros(0)
        self._restore_next = False
        self._vector, self._weighed = self._random_start()

    @property
    def steps(self) -> int:
        return len(self.along)

    def step(self) -> None:
        """Add the waiting vector to the basis, and make the next one from its image."""
        filled = self._add_vector()
        image = self.factor.solve(self._weighed)
        if self.across:
            image -= self.across[-1] * self.basis[filled - 2]
        self.along.append(float(image @ self._weighed))
        image -= self.along[-1] * self._vector
        weighed = self.mass @ image
        norm = _norm(image, weighed)
        lost = self._loss(norm)
        if self._restore_next or self.known or lost.max() > SEMI:
            image, weighed = self._orthogonal(image, weighed)
            norm = _norm(image, weighed)
            lost = np.full(self.steps, NOISE)
            self._restore_next = not self._restore_next  # the vector after it inherits the loss: two in a row
        if norm > BREAKDOWN * max(self.along):
            self._vector, self._weighed = image / norm, weighed / norm
        else:
            (self._vector, self._weighed), norm, self._restore_next = self._random_start(), 0.0, True
        self._lost_before, self._lost = self._lost, lost
        self.across.append(norm)

    def ritz(self, count: int) -> tuple[FloatArray, FloatArray]:
        """θ (count,) descending and the mixing of basis vectors (steps, count) that gives their shapes."""
        window = (self.steps - count, self.steps - 1)
        theta, mixing = eigh_tridiagonal(self.along, self.across[:-1], select="i", select_range=window)
        return np.asarray(theta[::-1], np.float64), np.asarray(mixing[:, ::-1], np.float64)

    def _add_vector(self) -> int:
        filled = self.known + self.steps + 1
        if filled > len(self.basis):
            self.basis = np.concatenate([self.basis, np.empty_like(self.basis)])
        self.basis[filled - 1] = self._vector
        return filled

    def _loss(self, norm: float) -> FloatArray:
        """(steps,) about how far the next vector is from orthogonal to each so far (Simon's recurrence)."""
        noise = NOISE * max(self.along) / max(norm, 1e-300)
        a, b = np.array(self.along), np.array(self.across)
        now, before = np.append(self._lost, 1.0), np.append(self._lost_before, 1.0)
        grown = b * now[1:] + (a[:-1] - a[-1]) * now[:-1]
        if len(b):
            grown[1:] += b[:-1] * now[:-2]
            grown -= b[-1] * before
        return np.append(np.abs(grown) / max(norm, 1e-300) + noise, noise)

    def _orthogonal(self, image: FloatArray, weighed: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The part of an image that is M-orthogonal to the whole basis, and M times it."""
        basis = self.basis[: self.known + self.steps]
        image = image - (basis @ weighed) @ basis
        return image, self.mass @ image

    def _random_start(self) -> tuple[FloatArray, FloatArray]:
        """A random vector of unit norm, M-orthogonal to the basis, and M times it: to begin, or to begin again."""
        image = self.factor.solve(self.mass @ self.random.standard_normal(self.mass.shape[0]))
        weighed = self.mass @ image
        for _ in range(2):
            image, weighed = self._orthogonal(image, weighed)
        norm = _norm(image, weighed)
        return image / norm, weighed / norm


def _norm(vector: FloatArray, weighed: FloatArray) -> float:
    return float(np.sqrt(np.maximum(vector @ weighed, 0.0)))
