//! The help of play by hand.

/// Shown by `help`, below the rules of the game.
pub const HELP: &str = "  Start      cupbot moves for the side whose turn it is
  board      show the board again
  moves      list all moves
  hint       what cupbot would do, and what it thinks of it
  undo       take back your last move and cupbot's answer
  new        begin again
  level NAME set the strength: beginner, easy, medium, strong or full
  nodes N    limit cupbot to N nodes a move; `nodes off` goes back to the time
  Time MS    set cupbot's time, in ms, for the rest of the game or for each move
  Opening .. play these moves without an answer
  record     show the game as a line that `cupbot analyse` reads
  save FILE  write that line to a file
  load FILE  go on with the game of a file; of several with `load FILE ID`
  play GAME  play another game; `games` lists them
  quit       end (also exit or Ctrl-D)
";
