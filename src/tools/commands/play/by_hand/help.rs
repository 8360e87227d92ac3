//! The help of play by hand.

/// Shown by `help`, below the rules of the game.
pub const HELP: &str = "  Start      cupbot moves for the side whose turn it is
  board      show the board; `moves` lists all moves, `rules` how to write them
  hint       a good move, its score and a reason; `undo` returns to your last move
  learn      lessons: small positions with a task; `learn N` begins at lesson N
  level NAME beginner, easy, medium, strong, expert, full; `nodes N` a move
  Time MS    play by the clock with MS milliseconds left, for the game or for
             each move as in the contest; Time alone shows the limit
  Opening .. play these moves without an answer
  record     show the game as a line that `cupbot analyse` reads
  save FILE  write that line to a file; `load FILE` or `load FILE ID` reads it
  analyse    mark the mistakes of the game
  new        begin again; `play GAME` changes the game; `games` lists them
  quit       end (also exit and Ctrl-D)
";
