//! The lines that a program sends.

use std::time::Duration;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Nothing, or something that needs no answer.
    Nothing,
    /// Say who you are, and your options.
    Uci,
    /// Answer once all is done.
    IsReady,
    /// Another game begins.
    NewGame,
    /// Set an option; a button has no value.
    SetOption {
        /// Its name.
        name: String,
        /// Its value.
        value: Option<String>,
    },
    /// The position to think about.
    Position {
        /// Where the game begins; `None`: as in classical chess.
        fen: Option<String>,
        /// The moves made since.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Count the leaves so many moves below the position.
    Perft(u32),
    /// Answer now.
    Stop,
    /// Show the position.
    Show,
    /// End.
    Quit,
}

/// How to think.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// Only about these moves, where there are any.
    pub searchmoves: Vec<String>,
    /// What the clocks of White and Black have left.
    pub time: [Option<Duration>; 2],
    /// What each move adds to the clocks of White and Black.
    pub increment: [Duration; 2],
    /// The moves to the next time control.
    pub movestogo: Option<u32>,
    /// The greatest depth, in plies.
    pub depth: Option<i32>,
    /// The nodes to search.
    pub nodes: Option<u64>,
    /// The time to think about this move.
    pub movetime: Option<Duration>,
    /// Until `stop`, whatever the limits.
    waits: bool,
}

impl Go {
    /// Does the answer have to wait for `stop`?
    pub fn is_infinite(&self) -> bool {
        let Go { time, depth, nodes, movetime, .. } = self;
        let is_unlimited = depth.is_none() && nodes.is_none() && movetime.is_none();
        self.waits || is_unlimited && *time == [None, None]
    }
}

/// The deepest count of leaves.
const MAX_PERFT: u32 = 12;
/// Words of `go` that are no moves.
const GO_WORDS: [&str; 14] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
    "go",
];

/// Reads a line; the error says what is wrong with it.
pub fn parse(line: &str) -> Result<Command, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((&first, rest)) = words.split_first() else { return Ok(Command::Nothing) };
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => return set_option(rest),
        "position" => return position(rest),
        "go" => return go(rest),
        // Who ponders against the protocol's rules gets an answer.
        "stop" | "ponderhit" => Command::Stop,
        "quit" | "exit" => Command::Quit,
        "d" => Command::Show,
        "debug" | "register" => Command::Nothing,
        _ => return Err(format!("unknown command {:?}", cut(line))),
    })
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let Some((&"name", rest)) = words.split_first() else {
        return Err("expected setoption name NAME value VALUE".to_string());
    };
    let at = rest.iter().position(|word| *word == "value");
    let name = rest[..at.unwrap_or(rest.len())].join(" ");
    if name.is_empty() {
        return Err("expected setoption name NAME value VALUE".to_string());
    }
    Ok(Command::SetOption { name, value: at.map(|at| rest[at + 1..].join(" ")) })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let at = words.iter().position(|word| *word == "moves");
    let (first, moves) = words.split_at(at.unwrap_or(words.len()));
    let fen = match first {
        ["startpos"] => None,
        ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => return Err("expected position startpos or position fen FEN, then moves".to_string()),
    };
    let moves = moves.iter().skip(1).map(|mv| mv.to_string()).collect();
    Ok(Command::Position { fen, moves })
}

fn go(words: &[&str]) -> Result<Command, String> {
    let mut go = Go::default();
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word {
            "infinite" | "ponder" => {
                go.waits = true;
                continue;
            }
            "searchmoves" => {
                while let Some(text) = rest.next_if(|text| !GO_WORDS.contains(text)) {
                    go.searchmoves.push(text.to_string());
                }
                continue;
            }
            _ if !GO_WORDS.contains(&word) => return Err(format!("go has no {:?}", cut(word))),
            _ => {}
        }
        let value = rest.next().unwrap_or_default();
        let number = value.parse::<i64>();
        let number =
            number.map_err(|_| format!("go {word} {:?}: expected a number", cut(value)))?;
        // A clock may be below zero.
        let time = Duration::from_millis(number.clamp(0, MAX_MILLISECONDS) as u64);
        let positive = || match number {
            1.. => Ok(number as u64),
            _ => Err(format!("go {word} {number}: expected a number above 0")),
        };
        match word {
            "wtime" => go.time[0] = Some(time),
            "btime" => go.time[1] = Some(time),
            "winc" => go.increment[0] = time,
            "binc" => go.increment[1] = time,
            // Some programs say 0 where there is no next time control.
            "movestogo" => go.movestogo = u32::try_from(number).ok().filter(|&moves| moves > 0),
            "depth" => go.depth = Some(positive()?.min(i32::MAX as u64) as i32),
            // A mate in N is seen that many plies deep.
            "mate" => go.depth = Some((positive()?.min(1000) * 2) as i32),
            "nodes" => go.nodes = Some(positive()?),
            "movetime" => go.movetime = Some(time),
            "perft" if positive()? <= u64::from(MAX_PERFT) => {
                return Ok(Command::Perft(number as u32));
            }
            _ => return Err(format!("go {word} {number}: expected at most {MAX_PERFT}")),
        }
    }
    Ok(Command::Go(go))
}

/// No clock shows more: a year.
const MAX_MILLISECONDS: i64 = 365 * 86_400_000;
