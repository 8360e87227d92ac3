"""Drives `cupbot play chess960 --uci` by a UCI client that is not ours, the python package `chess`.

Usage: uci_client.py CUPBOT. Prints "ok NAME" for every part that went well; any failure is an exception.
"""

import sys
import time

import chess
import chess.engine

DEADLINE = 30


def started():
    return chess.engine.SimpleEngine.popen_uci([sys.argv[1], "play", "chess960", "--uci"], timeout=DEADLINE)


def options(engine):
    assert engine.id["name"].startswith("cupbot"), engine.id
    for name in ["Hash", "Clear Hash", "Threads", "Move Overhead", "UCI_Chess960"]:
        assert name in engine.options, name
    engine.configure({"Hash": 4, "Threads": 1, "Move Overhead": 5, "Clear Hash": None})
    engine.ping()


def limits(engine):
    board = chess.Board()
    for limit in [
        chess.engine.Limit(nodes=500),
        chess.engine.Limit(depth=4),
        chess.engine.Limit(time=0.03),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        chess.engine.Limit(white_clock=0.5, black_clock=0.5, remaining_moves=3),
        chess.engine.Limit(mate=1),
    ]:
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves, (limit, result)
    assert {"depth", "score", "nodes", "nps", "time", "pv"} <= set(result.info), result.info
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = engine.play(board, chess.engine.Limit(nodes=300), root_moves=only)
    assert result.move in only, result


def stop(engine):
    with engine.analysis(chess.Board(), chess.engine.Limit()) as analysis:
        time.sleep(0.1)
        analysis.stop()
        found = analysis.wait()
        assert found.move in chess.Board().legal_moves


def mates(engine):
    board = chess.Board("7k/6pp/8/8/8/8/8/K3R3 w - - 0 40")
    info = engine.analyse(board, chess.engine.Limit(depth=5))
    assert info["score"].white() == chess.engine.Mate(1), info
    assert info["pv"][0] == chess.Move.from_uci("e1e8"), info
    lost = chess.Board("k7/8/1K6/8/8/8/8/7R b - - 0 1")
    info = engine.analyse(lost, chess.engine.Limit(depth=5))
    assert info["score"].black() == chess.engine.Mate(-1), info


def castling(engine):
    # Classical chess in both notations.
    for fen, is_960 in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", False),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", True),
        ("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", True),
    ]:
        board = chess.Board(fen, chess960=is_960)
        wing = [move for move in board.legal_moves if board.is_castling(move)]
        assert wing, fen
        for move in wing:
            result = engine.play(board, chess.engine.Limit(nodes=50), root_moves=[move])
            assert result.move == move, (fen, move, result)
            after = board.copy()
            after.push(move)
            reply = engine.play(after, chess.engine.Limit(nodes=50))
            assert reply.move in after.legal_moves, (fen, move, reply)


def games(engine):
    for number in [0, 518, 959]:
        board = chess.Board.from_chess960_pos(number)
        for _ in range(60):
            if board.is_game_over():
                break
            result = engine.play(board, chess.engine.Limit(nodes=60), game=number, info=chess.engine.INFO_ALL)
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)


def over(engine):
    mated = chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    result = engine.play(mated, chess.engine.Limit(nodes=50))
    assert result.move is None, result


def main():
    engine = started()
    try:
        for part in [options, limits, stop, mates, castling, games, over]:
            part(engine)
            print("ok", part.__name__, flush=True)
        engine.ping()
    finally:
        engine.quit()
    print("ok quit", flush=True)


main()
