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
    /// What could not be read.
    pub unread: Vec<String>,
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

/// The words that lines begin with.
const COMMANDS: [&str; 13] = [
    "uci",
    "isready",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "exit",
    "d",
    "debug",
    "register",
];

/// Reads a line; the error says what is wrong with it. Words before the command are skipped, as the protocol wants.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim_start_matches('\u{feff}');
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.is_empty() {
        return Ok(Command::Nothing);
    }
    let at = command_at(&words).ok_or_else(|| format!("unknown command {:?}", cut(line)))?;
    let rest = &words[at + 1..];
    Ok(match words[at].to_ascii_lowercase().as_str() {
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
        _ => Command::Nothing,
    })
}

/// The place of the first word that is a command.
fn command_at(words: &[&str]) -> Option<usize> {
    words.iter().position(|word| COMMANDS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Does a line tell a position, well or badly?
pub fn is_position(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    let words: Vec<&str> = line.split_whitespace().collect();
    command_at(&words).is_some_and(|at| is(words[at], "position"))
}

/// Is it this word, in letters of either case?
fn is(word: &str, wanted: &str) -> bool {
    word.eq_ignore_ascii_case(wanted)
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let rest = words.split_first().filter(|(first, _)| is(first, "name"));
    let Some((_, rest)) = rest else {
        return Err("expected setoption name NAME value VALUE".to_string());
    };
    let at = rest.iter().position(|word| is(word, "value"));
    let name = rest[..at.unwrap_or(rest.len())].join(" ");
    if name.is_empty() {
        return Err("expected setoption name NAME value VALUE".to_string());
    }
    Ok(Command::SetOption { name, value: at.map(|at| rest[at + 1..].join(" ")) })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let at = words.iter().position(|word| is(word, "moves"));
    let (first, moves) = words.split_at(at.unwrap_or(words.len()));
    // Some leave words out: fen, moves.
    let (fen, early) = match first {
        [word, moves @ ..] if is(word, "startpos") => (None, moves),
        [word, fields @ ..] if is(word, "fen") && !fields.is_empty() => (Some(fields), &[][..]),
        [board, ..] if board.contains('/') => (Some(first), &[][..]),
        _ => return Err("expected position startpos or position fen FEN, then moves".to_string()),
    };
    let moves = early.iter().chain(moves.iter().skip(1)).map(|mv| mv.to_string()).collect();
    Ok(Command::Position { fen: fen.map(|fields| fields.join(" ")), moves })
}

/// Reads how to think. Whatever is in the line, somebody waits for an answer: what can't be read is left out.
fn go(words: &[&str]) -> Result<Command, String> {
    let mut go = Go::default();
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        let name = word.to_ascii_lowercase();
        match name.as_str() {
            "infinite" | "ponder" => {
                go.waits = true;
                continue;
            }
            "searchmoves" => {
                let is_move = |text: &&str| !GO_WORDS.contains(&text.to_ascii_lowercase().as_str());
                while let Some(text) = rest.next_if(is_move) {
                    go.searchmoves.push(text.to_string());
                }
                continue;
            }
            _ => {}
        }
        let is_known = GO_WORDS.contains(&name.as_str());
        let number = rest.peek().filter(|_| is_known).and_then(|text| whole_number(text));
        let Some(number) = number else {
            if name == "perft" {
                return Err(format!("go perft: expected 1 to {MAX_PERFT}"));
            }
            go.unread.push(cut(word));
            continue;
        };
        rest.next();
        // A clock may be below zero.
        let time = Duration::from_millis(number.clamp(0, MAX_MILLISECONDS) as u64);
        let positive = number.max(1) as u64;
        match name.as_str() {
            "wtime" => go.time[0] = Some(time),
            "btime" => go.time[1] = Some(time),
            "winc" => go.increment[0] = time,
            "binc" => go.increment[1] = time,
            // Some programs say 0 where there is no next time control.
            "movestogo" => go.movestogo = u32::try_from(number).ok().filter(|&moves| moves > 0),
            "depth" => go.depth = Some(positive.min(i32::MAX as u64) as i32),
            // A mate in N is seen that many plies deep.
            "mate" => go.depth = Some((positive.min(1000) * 2) as i32),
            "nodes" => go.nodes = Some(positive),
            "movetime" => go.movetime = Some(time),
            "perft" if (1..=i64::from(MAX_PERFT)).contains(&number) => {
                return Ok(Command::Perft(number as u32));
            }
            "perft" => return Err(format!("go perft {number}: expected 1 to {MAX_PERFT}")),
            _ => go.unread.push(cut(word)),
        }
    }
    let is_limited = go.depth.is_some() || go.nodes.is_some() || go.movetime.is_some();
    let is_timed = go.increment != [Duration::ZERO; 2] || go.movestogo.is_some();
    let has_clock = go.time != [None, None];
    if !go.waits && !is_limited && !has_clock && (is_timed || !go.unread.is_empty()) {
        // The limit was among what can't be read.
        go.movetime = Some(UNREAD_MOVETIME);
    }
    // Of two clocks one may have been unreadable.
    let [white, black] = go.time;
    go.time = [white.or(black), black.or(white)];
    Ok(Command::Go(go))
}

/// The time for a move where the line has a limit that can't be read.
const UNREAD_MOVETIME: Duration = Duration::from_millis(100);

/// A number, cut to a whole one and to what fits.
fn whole_number(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().or_else(|| {
        let number = text.parse::<f64>().ok().filter(|number| !number.is_nan())?;
        // A cast keeps to the bounds.
        Some(number as i64)
    })
}

/// No clock shows more: a year.
const MAX_MILLISECONDS: i64 = 365 * 86_400_000;
