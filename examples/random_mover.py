"""A bot for Zero Point One that plays random moves, explained in docs/first-bot.md."""
import random
import sys

SETUPS = ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"]
SQUARES = [row + column for row in "abcdefgh" for column in "12345678"]
LEAPS = {"w": [0, 1], "f": [1, 1], "d": [0, 2], "a": [2, 2], "n": [1, 2]}
TARGETS = {  # the squares to which a kind of piece leaps from a square
    kind + square: [target for target in SQUARES if leap == sorted(
        abs(ord(one) - ord(other)) for one, other in zip(square, target))]
    for kind, leap in LEAPS.items() for square in SQUARES
}
moves = []  # all moves so far, the setups first
board = {}  # the piece on each square that is not empty, upper case for Red
hands = ["", ""]  # the pieces in hand of Red and of Blue, in lower case


def legal_moves(side):
    own = [square for square in board if board[square].islower() == (side == 1)]
    for square in own:
        for target in TARGETS[board[square].lower() + square]:
            if target not in own:
                yield square + target
    for piece in sorted(set(hands[side])):
        for target in SQUARES:
            if target not in board:
                yield (piece if side == 1 else piece.upper()) + target


def play(move):
    side = len(moves) % 2
    if len(move) == 16:  # a setup
        board.update(zip(SQUARES[side * 48:], move))
    elif len(move) == 3:  # a drop
        hands[side] = hands[side].replace(move[0].lower(), "", 1)
        board[move[1:]] = move[0]
    else:
        hands[side] += board.get(move[2:], "").lower()
        board[move[2:]] = board.pop(move[:2])
    moves.append(move)


def choose(side):
    return random.choice(list(legal_moves(side)))


def answer():
    side = len(moves) % 2
    move = choose(side) if len(moves) > 1 else SETUPS[side]
    play(move)
    print(move, flush=True)


def main():
    for line in map(str.strip, sys.stdin):
        if line == "Quit":
            return
        if line != "Start":
            play(line)
        answer()


if __name__ == "__main__":
    main()
