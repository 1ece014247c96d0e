"""MCTS-Solver: what the end of a game proves is handed up the tree (Winands, Björnsson and Saito 2008).

Proofs are for the player who moved into a node. Draws are proven too, which the paper leaves out. Moves that a game's
``search_moves`` leaves out (Go: filling an own eye) do not stand in the way of a proof.
"""

import numpy as np

from montego.kernels import borrowing, index
from montego.search.records import BARRED, DRAWN, LOST, MORE, PROOF, UNPROVEN, WON


@borrowing
def proof_of(node):
    """Return what is proven of a node."""
    return np.int64(node.status) & PROOF


@borrowing
def note_proof(nodes, number, proof):
    """Store what is proven of a node."""
    nodes[index(number)].status |= np.uint16(proof)


@borrowing
def proof_of_score(score, mover):
    """Return what the final score (player 0's) proves for the player who moved last."""
    if score == 0:
        return DRAWN
    return WON if (score > 0) == (mover == 0) else LOST


@borrowing
def proof_by_children(nodes, number):
    """Return what the children prove of a node: lost if one of them wins, else known if all of them are."""
    node = nodes[index(number)]
    best = UNPROVEN
    all_proven = not node.status & MORE
    for i in range(node.first_child, node.first_child + node.children):
        if nodes[index(i)].status & BARRED:
            continue
        proof = proof_of(nodes[index(i)])
        if proof == WON:
            return LOST
        all_proven &= proof != UNPROVEN
        best = max(best, proof)
    return LOST + WON - best if all_proven and best != UNPROVEN else UNPROVEN


@borrowing
def prove_path(nodes, path, depth):
    """Hand the proof of the last node of a path up as far as it goes."""
    for level in range(depth - 1, -1, -1):
        number = path[index(level)].node
        proof = proof_by_children(nodes, number)
        if proof == UNPROVEN:
            return
        note_proof(nodes, number, proof)


@borrowing
def proven_result(tree, step):
    """Return the reward and the points, player 0's, of a simulation that ends at a proven node before the game does.

    The reward is what was proven, as only win-or-lose is (``settings.set_reward``); the points are the average so far.
    """
    nodes, moments = tree.nodes, tree.moments
    node = nodes[index(step.node)]
    worth = 0.5 * (proof_of(node) - LOST)
    points = 0.0
    if len(moments) > 1:
        points = moments[index(step.node)].score / max(float(node.visits - step.loss), 1.0)
    if step.mover != 0:
        return 1.0 - worth, -points
    return worth, points
