"""What is kept of a tree: the part below the move that was made, and of a full one the part that was visited most.

A simulation through a node that lost its children gives it new ones. Most of a tree is nodes visited once or twice and
their children, which say little; Pentobi drops them in the same way.
"""

import numpy as np

from montego.kernels import borrowing, index
from montego.search.records import CHOSEN_FROM, MORE, ROOT


@borrowing
def copy_node(tree, number, new_tree, new_number):
    """Copy a node into another tree, with all that is kept beside it."""
    new_tree.nodes[index(new_number)] = tree.nodes[index(number)]
    if len(tree.moments) > 1:
        new_tree.moments[index(new_number)] = tree.moments[index(number)]
    if len(tree.starts) > 1:
        new_tree.starts[index(new_number)] = tree.starts[index(number)]


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
def transplant(tree, new_tree, root, least, room):
    """Copy what is below a node into a new tree, breadth first, but no children of nodes with fewer visits.

    The root keeps its children in any case. Return how many nodes the new tree has, or 0 if the room is too small.
    """
    nodes = new_tree.nodes
    copy_node(tree, root, new_tree, ROOT)
    count = 1
    at = 0
    while at < count:
        node = nodes[index(at)]
        first, children = np.int64(node.first_child), np.int64(node.children)
        if at != ROOT and node.visits < least:
            drop_children(new_tree, at)
        elif first > 0:
            if count + children > room:
                return 0
            for i in range(children):
                copy_node(tree, first + i, new_tree, count + i)
            node.first_child = count
            count += children
        at += 1
    return count


@borrowing
def keep_most(tree, new_tree, root, room):
    """Copy as much of the tree below a node as there is room for, by visits; return the nodes, or 0: not even a ply."""
    least = 1
    while True:
        used = transplant(tree, new_tree, root, least, room)
        if used > 0 or least > tree.nodes[index(root)].visits:
            return used
        least *= 2
