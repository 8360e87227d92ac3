"""Reads a PGN file by the python package `chess` and writes what is in it.

Usage: pgn_client.py FILE. A line a game: result, then the moves as king's and rook's squares; any error in the
file is an exception. With a second file the games are written there once more, with variations and comments.
"""

import sys

import chess.pgn

games = []
with open(sys.argv[1]) as file:
    while game := chess.pgn.read_game(file):
        assert not game.errors, game.errors
        games.append(game)
for game in games:
    print(game.headers["Result"], *[move.uci() for move in game.mainline_moves()])
if len(sys.argv) > 2:
    with open(sys.argv[2], "w") as file:
        for game in games:
            node = game
            while node.next():
                others = [move for move in node.board().legal_moves if move != node.next().move]
                for move in others[:2]:
                    node.add_variation(move, comment="a (strange) comment; of no ] meaning [", nags=[1, 14])
                node = node.next()
            print(game, file=file, end="\n\n")
