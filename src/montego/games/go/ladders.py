"""Ladders: whether a chain with one or two liberties is caught by a row of ataris.

The runner extends on its last liberty or captures a chain beside it that is in atari. It has escaped with three
liberties and is caught with one. With two, the chaser tries to give atari on either. The reading plays every line on
copies of the position, depth first. Lines longer than the room, and searches of too many moves, count as escapes, so
that "caught" is always proved (but for kos, where only an immediate retake is forbidden).

Meant for the nodes of a tree, where a few microseconds do not matter, not for every move of a playout.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from montego.games.go.board import BLACK, WHITE, friend, play_stone, stride_of
from montego.games.go.game import Go
from montego.games.go.previous_move import first_liberty, last_liberty, liberties_after
from montego.kernels import copy_record, index, kernel

LEVELS = 320  # the longest line, in moves
CHOICES = 8  # moves of the runner that are tried at one level: the extension and up to seven captures
MOST_MOVES = 4000  # of one reading

_ESCAPED, _CAUGHT, _OPEN = 0, 1, 2

_Array = np.ndarray[Any, Any]


class LadderRoom(NamedTuple):
    """Room for reading ladders: at each level the position and the moves to try. Even levels are the runner's."""

    states: _Array
    moves: _Array
    counts: _Array
    tried: _Array


def ladder_room(game: Go) -> LadderRoom:
    """Return room for reading ladders of a game, for one thread."""
    counts = np.zeros(LEVELS, np.int64)
    return LadderRoom(
        np.zeros(LEVELS, game.state_dtype()), np.zeros((LEVELS, CHOICES), np.int64), counts, counts.copy()
    )


@kernel
def is_caught(state, stone, room):
    """Whether the chain of a stone is in atari and cannot escape although its owner is to move."""
    return state.liberties[state.chain[index(stone)]] == 1 and read_ladder(state, stone, room, 0) == _CAUGHT


@kernel
def catching_move(state, stone, room):
    """Return the enemy's atari that catches the chain of a stone; 0 if there is none or it has not two liberties."""
    if state.liberties[state.chain[index(stone)]] == 2 and read_ladder(state, stone, room, 1) == _CAUGHT:
        return room.moves[1, room.tried[1] - 1]
    return 0


@kernel
def read_ladder(state, stone, room, top):
    """Return whether a chain escapes or is caught; the runner moves first at level ``top`` 0, the chaser at 1."""
    runner = np.int64(state.colour[index(stone)])
    copy_record(room.states[top], state)
    if state.turn != (runner if top == 0 else BLACK + WHITE - runner):
        room.states[top].ko = 0  # a ko binds only the player whose turn it really is
    list_moves(room, top, stone, runner)
    level = top
    for _ in range(MOST_MOVES):
        is_runner = level % 2 == 0
        if room.tried[level] < room.counts[level]:
            move = room.moves[level, room.tried[level]]
            room.tried[level] += 1
            verdict = _ESCAPED
            if level + 1 < len(room.states):
                after = room.states[level + 1]
                copy_record(after, room.states[level])
                play_stone(after, move, runner if is_runner else BLACK + WHITE - runner)
                verdict = judge(after, stone, is_runner)
            if verdict == _OPEN:
                level += 1
                list_moves(room, level, stone, runner)
                continue
        else:  # every move of the runner is caught, or no move of the chaser catches
            verdict = _CAUGHT if is_runner else _ESCAPED
            level -= 1
        # What one move leads to decides a level if it is what the player there wants.
        while level >= top and verdict == (_ESCAPED if level % 2 == 0 else _CAUGHT):
            if level == top:
                return verdict
            level -= 1
        if level < top:
            return verdict
    return _ESCAPED


@kernel
def judge(state, stone, runner_moved):
    """Return what the liberties of the chain say after a move."""
    liberties = np.int64(state.liberties[state.chain[index(stone)]])
    if not runner_moved:
        return _OPEN if liberties == 1 else _ESCAPED
    return _CAUGHT if liberties < 2 else _OPEN if liberties == 2 else _ESCAPED


@kernel
def list_moves(room, level, stone, runner):
    """Write the moves to try at a level: the runner's extension and captures, or the chaser's two ataris."""
    state = room.states[level]
    chain = index(state.chain[index(stone)])
    room.tried[level] = 0
    room.counts[level] = 0
    one = first_liberty(state, chain)
    if level % 2 == 0:
        add_counter_captures(room, level, chain, BLACK + WHITE - runner)
        if one != state.ko and liberties_after(state, one, runner, 0) > 1:
            add_move(room, level, one)
        return
    two = last_liberty(state, chain, one)
    # The atari that leaves the poorer escape is tried first: it is nearly always the one that works.
    if liberties_after(state, two, runner, one) > liberties_after(state, one, runner, two):
        one, two = two, one
    for point in (one, two):
        if point != state.ko and liberties_after(state, point, BLACK + WHITE - runner, 0) > 0:
            add_move(room, level, point)


@kernel
def add_move(room, level, move):
    """Write one more move to try, unless it is there already or there is no room."""
    for place in range(room.counts[level]):
        if room.moves[level, place] == move:
            return
    if room.counts[level] < CHOICES:
        room.moves[level, room.counts[level]] = move
        room.counts[level] += 1


@kernel
def add_counter_captures(room, level, chain, chaser):
    """Write the captures of chaser's chains in atari beside the runner."""
    state = room.states[level]
    stride = stride_of(state)
    first = np.int64(chain) + stride
    stone = first
    while True:
        for near in (stone - stride, stone - 1, stone + 1, stone + stride):
            beside = friend(state, near, chaser)
            if state.liberties[beside] == 1:
                point = first_liberty(state, beside)
                if point != state.ko:
                    add_move(room, level, point)
        stone = np.int64(state.next[index(stone)])
        if stone == first:
            return
