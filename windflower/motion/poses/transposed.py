"""A block of a matrix transposed in registers, for compiled loops: LLVM makes shuffles of it, whatever is their width.

Written as a loop, compilers read or write such a block number by number, three times as slowly.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

__all__ = ["BLOCK", "transpose_block"]

BLOCK = 16  # rows and columns, a power of two
_VECTOR = ir.VectorType(ir.FloatType(), BLOCK)
_PLACE = ir.IntType(64)


@intrinsic
def transpose_block(context, source, first, apart, target, to, beyond):  # type: ignore[no-untyped-def] # noqa: ARG001
    """Write columns of `source` as rows of `target`: BLOCK of each; both are flat, contiguous arrays of float32.

    first, apart  where the first row begins in `source`, and how far it is from row to row
    to, beyond    the same in `target`
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        def vectors(of: int) -> list[Any]:
            """Pointers to the BLOCK rows of the array that is this argument; its place and step follow it."""
            base = context.make_array(signature.args[of])(context, builder, values[of]).data
            places = (builder.add(values[of + 1], builder.mul(values[of + 2], _PLACE(row))) for row in range(BLOCK))
            return [builder.bitcast(builder.gep(base, [place]), _VECTOR.as_pointer()) for place in places]

        rows = [builder.load(row, align=4) for row in vectors(0)]
        for row, to_row in zip(_transposed(builder, rows), vectors(3), strict=True):
            builder.store(row, to_row, align=4)
        return context.get_dummy_value()

    return types.void(source, types.int64, types.int64, target, types.int64, types.int64), generate


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Swap the halves that lie crosswise, then the quarters within, and so on."""
    size = BLOCK // 2
    while size:
        for row in range(BLOCK):
            if not row & size:
                upper, lower = rows[row], rows[row + size]
                left = [k + BLOCK - size if k & size else k for k in range(BLOCK)]
                right = [k + BLOCK if k & size else k + size for k in range(BLOCK)]
                rows[row] = _shuffled(builder, upper, lower, left)
                rows[row + size] = _shuffled(builder, upper, lower, right)
        size //= 2
    return rows


def _shuffled(builder: Any, one: Any, other: Any, which: list[int]) -> Any:
    return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), which))
