"""What is kept of a tree: the part below the move that was made, and of a full one the part that was visited most.

A simulation through a node that lost its children gives it new ones. Most of a tree is nodes visited once or twice and
their children, which say little; Pentobi drops them in the same way. Here what is kept moves together in its place, so
that no second tree is needed.
"""

from typing import Any

import numpy as np

from montego.kernels import borrowing, index
from montego.search.records import CHOSEN_FROM, MORE, ROOT, Tree

LEVELS = 32  # of visits: powers of two

# The children of a node: where they begin, and whose they are.
BLOCK = np.dtype((np.record, [("first", np.int32), ("parent", np.int32)]))


@borrowing
def copy_node(tree, number, to):
    """Copy a node to another place, with all that is kept beside it."""
    tree.nodes[index(to)] = tree.nodes[index(number)]
    if len(tree.moments) > 1:
        tree.moments[index(to)] = tree.moments[index(number)]
    if len(tree.starts) > 1:
        tree.starts[index(to)] = tree.starts[index(number)]


@borrowing
def drop_children(tree, number):
    """Make a node a leaf again, with all that is known of itself."""
    node = tree.nodes[index(number)]
    node.first_child = 0
    node.children = 0
    node.status &= np.uint16(0xFFFF ^ (CHOSEN_FROM | MORE))
    if len(tree.starts) > 1:
        tree.starts[index(number)].opened = 0


@borrowing
def level_of(visits):
    """Return the power of two in a number of visits."""
    level = 0
    while visits > 1:
        visits >>= 1
        level += 1
    return level


@borrowing
def count_below(nodes, root, rests, sizes):
    """Count the nodes below a root, and their parents, by the level of the parent's visits; its own as the highest.

    ``rests`` has room for the unseen siblings at each depth: the next one, and their end.
    """
    sizes[LEVELS - 1, 0] += nodes[index(root)].children
    sizes[LEVELS - 1, 1] += 1
    rests[0, 0] = nodes[index(root)].first_child
    rests[0, 1] = rests[0, 0] + nodes[index(root)].children
    depth = 0
    while depth >= 0:
        number = rests[index(depth), 0]
        if number == rests[index(depth), 1]:
            depth -= 1
            continue
        rests[index(depth), 0] += 1
        node = nodes[index(number)]
        if node.first_child > 0:
            level = level_of(np.int64(node.visits))
            sizes[index(level), 0] += node.children
            sizes[index(level), 1] += 1
            depth += 1
            rests[index(depth), 0] = node.first_child
            rests[index(depth), 1] = node.first_child + np.int64(node.children)


@borrowing
def list_blocks(tree, least, blocks):
    """List what is kept, breadth first, without children of nodes with fewer visits; return how many blocks it is."""
    nodes = tree.nodes
    blocks[0].first = nodes[ROOT].first_child
    blocks[0].parent = ROOT
    count = 1
    at = 0
    while at < count:
        first = np.int64(blocks[index(at)].first)
        children = np.int64(nodes[index(blocks[index(at)].parent)].children)
        for number in range(first, first + children):
            node = nodes[index(number)]
            if node.first_child > 0 and node.visits >= least:
                blocks[index(count)].first = node.first_child
                blocks[index(count)].parent = number
                count += 1
            elif node.first_child > 0:
                drop_children(tree, number)
        at += 1
    return count


@borrowing
def move_blocks(tree, blocks, counts):
    """Move blocks together, in the order of their places, and return how many nodes there are then."""
    nodes = tree.nodes
    used = ROOT + 1
    for i in range(len(blocks)):  # links first, as long as parents are where the blocks say
        parent = nodes[index(blocks[index(i)].parent)]
        counts[index(i)] = parent.children
        parent.first_child = used
        used += parent.children
    to = ROOT + 1
    for i in range(len(blocks)):
        first = np.int64(blocks[index(i)].first)
        for number in range(first, first + counts[index(i)]):
            copy_node(tree, number, to)
            to += 1
    return used


def keep_most(tree: Tree, root: int, room: int, depth: int) -> int:
    """Make what is below a node the tree, or as much of it as there is room for, by visits; return how many nodes.

    Nothing changes, and 0 is returned, if there is not even room for the children of the root. ``depth`` is the
    greatest depth of the tree.
    """
    sizes = np.zeros((LEVELS, 2), np.int64)
    count_below(tree.nodes, root, np.zeros((depth + 2, 2), np.int64), sizes)
    from_level_on = np.cumsum(sizes[::-1], axis=0)[::-1]
    fitting = np.flatnonzero(from_level_on[:, 0] < room)
    if len(fitting) == 0:
        return 0
    level = int(fitting[0])
    if root != ROOT:
        copy_node(tree, root, ROOT)
    blocks: Any = np.zeros(from_level_on[level, 1], BLOCK)
    blocks = blocks[: list_blocks(tree, 1 << level, blocks)]
    blocks = blocks[np.argsort(blocks["first"])]
    return int(move_blocks(tree, blocks, np.zeros(len(blocks), np.int64)))
