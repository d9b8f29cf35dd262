"""Random branchings that every plant file can hold."""

from collections.abc import Callable

__all__ = ["branching"]


def branching(
    count: int, choose: Callable[[list[int]], int], goes_on: Callable[[], bool]
) -> tuple[list[int], list[int]]:
    """Parents and orders that every format can hold: the root bears one trunk, an axis goes on after its side branches.

    choose   picks the parent of the next node
    goes_on  whether that node continues its parent's axis
    """
    parent, order, path, closed = [-1, 0], [0, 0], [0, 1], {0}
    for node in range(2, count):
        above, straight = choose([place for place in path if place not in closed]), goes_on()
        parent.append(above)
        order.append(order[above] + (not straight))
        closed |= {above} if straight else set()
        path = [*path[: path.index(above) + 1], node]
    return parent, order
