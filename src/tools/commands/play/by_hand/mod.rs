//! Play by hand at a terminal. The board is written to the screen (stderr) after every move; moves are
//! written to stdout, as for a judge. Mistakes are explained and never fatal.

mod files;
mod help;
mod menu;
mod suggestions;
mod terminal;
#[cfg(test)]
mod tests;

use crate::engine::clock::{Clock, Stopwatch, TimeControl};
use crate::tools::contracts::by_hand::{ByHand, TerminalBoard};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::settings::{self, Settings};
use crate::tools::labs::registry;
use crate::tools::support::progress_bar::thinking;
use crate::tools::support::style::{self, folded, painted};
use crate::tools::support::text::sanitize;
use anyhow::Result;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;
use suggestions::nearest_command;

pub use help::HELP;
pub use menu::{choose_game, Start};
pub use terminal::{Lines, Terminal};

/// Maximum width of lines on the screen.
const SCREEN_WIDTH: usize = 80;
/// Smaller scores are shown as 0.
const NO_TIME: Duration = Duration::from_millis(50);
/// Argument of `nodes` that returns to the clock.
const OFF: &str = "off";
/// Moves taken back by an undo: a move and its answer.
const PLIES_UNDONE: usize = 2;

/// A game between a user and a player.
struct Session<'a> {
    game: &'static Entry,
    hand: &'static ByHand,
    settings: Settings,
    player: Box<dyn TerminalBoard>,
    /// Holds the time control.
    control: Clock,
    /// Start position, if one was given.
    start: Option<String>,
    /// All moves in the contest's notation.
    texts: Vec<String>,
    /// Time charged to the player before the first move and after each move.
    spent: Vec<Duration>,
    /// The file written by this session, which it may overwrite.
    saved: Option<PathBuf>,
    /// The moves that are in a file.
    kept: Vec<String>,
    /// The game to play next.
    next_game: Option<&'static Entry>,
    output: &'a mut dyn Write,
    screen: &'a mut dyn Write,
}

/// Why a line is not executed.
enum Failure {
    /// A reason for the user, who may try again.
    Refused(String),
    /// An error of the terminal, which ends the session.
    Screen(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Screen(error)
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Failure {
        Failure::Refused(reason)
    }
}

type Obeyed = Result<(), Failure>;

/// Refuses a line.
fn refuse(reason: impl Into<String>) -> Obeyed {
    Err(Failure::Refused(reason.into()))
}

/// Plays a game until `quit`, the end of input or the choice of another game, which is returned. cupbot has the
/// time control of `clock`. Fails if the game has no board.
pub fn run(
    start: Start,
    settings: Settings,
    clock: Clock,
    input: &mut dyn Lines,
    output: &mut dyn Write,
    screen: &mut dyn Write,
) -> Result<Option<Start>> {
    let game = start.game;
    let hand = game.require(&game.by_hand, "board for play by hand")?;
    let mut session = Session {
        game,
        hand,
        settings,
        player: (hand.player)(settings),
        control: clock,
        start: None,
        texts: Vec::new(),
        spent: vec![Duration::ZERO],
        saved: None,
        kept: Vec::new(),
        next_game: None,
        output,
        screen,
    };
    session.show(hand.welcome)?;
    session.show(&session.board_text())?;
    if start.is_second {
        session.obey("start")?;
    }
    loop {
        let line = input.next_line(session.screen)?;
        let is_going_on = match line {
            Some(line) => session.obey(line.trim())?,
            None => false,
        };
        if !is_going_on && session.may_leave(input)? {
            return Ok(session.next_game.map(|game| Start { game, is_second: false }));
        }
    }
}

impl Session<'_> {
    /// Executes a line; returns false to leave the game.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        self.next_game = None;
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = command.to_ascii_lowercase();
        if ["quit", "exit"].contains(&command.as_str()) && argument.is_empty() {
            return Ok(false);
        }
        self.refusals(|session| session.command(&command, argument.trim(), line))?;
        Ok(self.next_game.is_none())
    }

    /// Asks a person whether to save an unfinished game. Returns false if the game goes on, because it could not be
    /// saved.
    fn may_leave(&mut self, input: &mut dyn Lines) -> io::Result<bool> {
        if !input.is_person() || self.player.is_over() || self.texts == self.kept {
            return Ok(true);
        }
        self.show(
            "Save the unfinished game? Type the name of a new file, or Enter not to save.\n",
        )?;
        match input.next_line(self.screen)?.as_deref().map(str::trim) {
            None | Some("") => Ok(true),
            Some(file) => self.refusals(|session| session.save(file)),
        }
    }

    /// Runs an action and shows why it is refused. Returns whether it was done.
    fn refusals(&mut self, action: impl FnOnce(&mut Self) -> Obeyed) -> io::Result<bool> {
        match action(self) {
            Ok(()) => Ok(true),
            Err(Failure::Screen(error)) => Err(error),
            Err(Failure::Refused(reason)) => {
                let reason = painted(reason, style::WARNING);
                self.show(&format!("{reason} Try again, or type help.\n"))?;
                Ok(false)
            }
        }
    }

    /// Executes a command (in lower case) with its argument. Other lines are moves.
    fn command(&mut self, command: &str, argument: &str, line: &str) -> Obeyed {
        match (command, argument) {
            ("", _) => self.play_usual_move(),
            ("rules", "") => self.say(self.hand.rules),
            ("games", "") => self.say(&menu::games_text()),
            ("help" | "?", "") => self.say(&format!("{}{HELP}", self.hand.rules)),
            ("board", "") => self.show_board(),
            ("moves", "") => self.say(&self.player.moves()),
            ("hint", "") => self.hint(),
            ("undo", "") => self.undo(),
            ("new", "") => self.begin_again(),
            ("position", "") => refuse("`position` needs a position."),
            ("position", start) => self.begin_at(start),
            ("start", "") => self.answer(),
            ("record", "") => self.show_record(),
            ("time" | "nodes", "") => self.say(&(self.limit_text() + "\n")),
            ("time", milliseconds) => self.set_time(milliseconds),
            ("nodes", count) => self.set_nodes(count),
            ("level", name) => self.set_level(name),
            ("play", name) => self.leave_for(name),
            (name, "") if registry::find_short(name).is_some() => self.leave_for(name),
            ("opening", moves) => self.play_opening(moves),
            ("save" | "load", "") => refuse(format!("`{command}` needs the name of a file.")),
            ("save", file) => self.save(file),
            ("load", file) => self.load(file),
            (command, _) if suggestions::is_command(command) => {
                refuse(format!("`{command}` takes no further words."))
            }
            _ => self.play(line),
        }
    }

    /// Shows a text with long lines wrapped.
    fn show(&mut self, text: &str) -> io::Result<()> {
        write!(self.screen, "{}", folded(text, SCREEN_WIDTH))
    }

    fn say(&mut self, text: &str) -> Obeyed {
        Ok(self.show(text)?)
    }

    /// Plays the move that an empty line stands for, if there is one.
    fn play_usual_move(&mut self) -> Obeyed {
        let clock = self.clock();
        match self.player.usual_move(&clock) {
            Some(text) => self.play(&text),
            None => Ok(()),
        }
    }

    /// Ends this game for another one.
    fn leave_for(&mut self, name: &str) -> Obeyed {
        self.next_game = registry::find_short(name);
        match self.next_game {
            Some(_) => Ok(()),
            None => refuse(format!("There is no game {name:?}.\n{}", menu::games_text())),
        }
    }

    /// Plays the user's move, in any case of letters, and the answer.
    fn play(&mut self, line: &str) -> Obeyed {
        if line.contains(char::is_whitespace) {
            return refuse(format!("One move at a time.{}", nearest_command(line)));
        }
        if let Err(reason) = self.advance(line) {
            let meant = nearest_command(line);
            match self.other_case(line) {
                Some(text) => self.advance(&text)?,
                None if suggestions::is_word(line) => {
                    let wanted = self.player.wanted();
                    return refuse(format!("I don't know {line:?}. Type {wanted}.{meant}"));
                }
                None => return refuse(format!("{reason}.{meant}")),
            }
        }
        self.show_board()?;
        if self.player.is_over() {
            return Ok(());
        }
        self.answer()
    }

    /// Plays a move of either side.
    fn advance(&mut self, text: &str) -> Result<(), String> {
        let written = self.player.contest_text(text);
        self.player.play(text)?;
        self.note(written, Duration::ZERO);
        Ok(())
    }

    fn begin_again(&mut self) -> Obeyed {
        self.start = None;
        self.go_back_to(0)?;
        self.show(self.hand.welcome)?;
        self.show_board()
    }

    /// Starts a game from a position.
    fn begin_at(&mut self, given: &str) -> Obeyed {
        match self.player.begin_at(given) {
            None => refuse(format!("{} always begins in the same way.", self.game.title)),
            Some(Err(reason)) => refuse(format!("{reason}.")),
            Some(Ok(start)) => {
                self.start = Some(start);
                self.texts.clear();
                self.spent = vec![Duration::ZERO];
                self.warn(&(self.game.start_remarks)(given))?;
                self.show_board()
            }
        }
    }

    /// Shows what was ignored in a position or a game.
    fn warn(&mut self, remarks: &[String]) -> io::Result<()> {
        for remark in remarks {
            writeln!(self.screen, "{}", painted(sanitize(remark), style::WARNING))?;
        }
        Ok(())
    }

    /// Records a move and the time charged to the player.
    fn note(&mut self, text: String, cost: Duration) {
        self.texts.push(text);
        self.spent.push(self.spent_so_far() + cost);
    }

    /// Returns the word in the case in which it is a move, if there is one.
    fn other_case(&self, word: &str) -> Option<String> {
        let is_move = |text: &String| {
            let played = self.player_after(self.start.as_deref(), &self.texts);
            played.and_then(|mut player| player.play(text)).is_ok()
        };
        suggestions::cases(word).into_iter().find(is_move)
    }

    fn play_opening(&mut self, moves: &str) -> Obeyed {
        let ply = self.texts.len();
        for (index, text) in moves.split_whitespace().enumerate() {
            if let Err(reason) = self.advance(text) {
                self.go_back_to(ply)?;
                return refuse(format!("move {} {text:?}: {reason}.", index + 1));
            }
        }
        self.show_board()
    }

    /// Takes back all moves after this number of moves.
    fn go_back_to(&mut self, ply: usize) -> Obeyed {
        self.texts.truncate(ply);
        self.spent.truncate(ply + 1);
        self.player = self.player_after(self.start.as_deref(), &self.texts)?;
        Ok(())
    }

    fn undo(&mut self) -> Obeyed {
        if self.texts.is_empty() {
            return refuse("Nothing has been played.");
        }
        self.go_back_to(self.texts.len().saturating_sub(PLIES_UNDONE))?;
        self.show_board()
    }

    /// Time charged to the player so far.
    fn spent_so_far(&self) -> Duration {
        self.spent.last().copied().unwrap_or_default()
    }

    /// Returns a clock for the next answer.
    fn clock(&self) -> Clock {
        Clock::for_one_move(self.control.control(), self.spent_so_far())
    }

    /// Lets cupbot move for the side to move.
    fn answer(&mut self) -> Obeyed {
        if self.player.is_over() {
            return self.show_end();
        }
        let clock = self.clock();
        let watch = Stopwatch::start();
        let sign = thinking();
        let answer = self.player.answer(&clock);
        sign.finish_and_clear();
        let Some(text) = answer else {
            return refuse("cupbot has no move.");
        };
        writeln!(self.output, "{text}")?;
        self.output.flush()?;
        let thought = self.player.thought().map_or(String::new(), |text| format!("{text}; "));
        self.note(text.clone(), watch.elapsed());
        self.show(&format!("cupbot plays {text} ({thought}{})\n", self.limit_text()))?;
        self.show_board()
    }

    fn hint(&mut self) -> Obeyed {
        if self.player.is_over() {
            return self.show_end();
        }
        let sign = thinking();
        let hint = self.player.hint(&self.clock());
        sign.finish_and_clear();
        match hint {
            Some(hint) => self.say(&(painted(hint, style::GOOD) + "\n")),
            None => refuse("cupbot has no move."),
        }
    }

    fn set_time(&mut self, milliseconds: &str) -> Obeyed {
        let number = milliseconds.parse::<u64>().ok().filter(|&number| number > 0);
        let Some(number) = number else {
            return refuse("expected `Time` and one number of milliseconds above 0.");
        };
        self.control.set_budget(Duration::from_millis(number));
        self.spent.fill(Duration::ZERO);
        if self.settings.nodes.is_some() {
            return self.set_nodes(OFF);
        }
        self.say(&(self.limit_text() + "\n"))
    }

    /// Sets the level of play.
    fn set_level(&mut self, name: &str) -> Obeyed {
        match settings::level(name) {
            Some(Some(nodes)) => self.set_nodes(&nodes.to_string()),
            Some(None) => self.set_nodes(OFF),
            None => {
                let names = settings::LEVELS.map(|(name, _)| name).join(", ");
                refuse(format!("Expected `level` and one of: {names}."))
            }
        }
    }

    /// Limits the search by nodes, or by the clock again.
    fn set_nodes(&mut self, count: &str) -> Obeyed {
        let nodes = match count.parse::<u64>() {
            Ok(count) if count > 0 => Some(count),
            _ if count.eq_ignore_ascii_case(OFF) => None,
            _ => return refuse("expected `nodes` and a number above 0, or `nodes off`."),
        };
        self.settings.nodes = nodes;
        self.go_back_to(self.texts.len())?;
        self.say(&(self.limit_text() + "\n"))
    }

    /// Creates a player that has been told these moves from a position.
    fn player_after(
        &self,
        start: Option<&str>,
        texts: &[String],
    ) -> Result<Box<dyn TerminalBoard>, String> {
        let mut player = (self.hand.player)(self.settings);
        if let Some(start) = start {
            let begun = player.begin_at(start);
            begun.unwrap_or_else(|| Err("this game has no start positions".to_string()))?;
        }
        texts.iter().try_for_each(|text| player.play(text))?;
        Ok(player)
    }

    /// Describes the limit of the search: nodes or the time left.
    fn limit_text(&self) -> String {
        if let Some(nodes) = self.settings.nodes {
            return format!("{nodes} nodes a move");
        }
        match self.control.control() {
            TimeControl::Game(budget) => match budget.saturating_sub(self.spent_so_far()) {
                left if left < NO_TIME => "no time left: cupbot answers at once".to_string(),
                left => format!("{:.1} s left", left.as_secs_f64()),
            },
            TimeControl::Move { later, .. } => format!("{:.1} s a move", later.as_secs_f64()),
        }
    }

    /// Returns the board with the last move in colour.
    fn board_text(&self) -> String {
        let mut board = self.player.board();
        // The game's own text may have the last move in another notation.
        if let Some((last, at)) =
            self.texts.last().and_then(|last| Some((last, board.rfind(last)?)))
        {
            board.replace_range(at..at + last.len(), &painted(last, style::LAST));
        }
        board
    }

    fn show_board(&mut self) -> Obeyed {
        self.show(&self.board_text())?;
        match self.player.end() {
            Some(_) => self.show_end(),
            None => Ok(()),
        }
    }

    fn show_end(&mut self) -> Obeyed {
        let how = painted(self.player.end().unwrap_or_default(), style::HEAD);
        let next = "Type new, undo, save FILE or quit; `cupbot analyse FILE` marks the mistakes";
        self.say(&format!("The game is over: {how}. {next}.\n"))
    }
}

/// Returns what a session with these lines writes to stdout and shows on the screen, without styles.
#[cfg(test)]
pub fn session(game: &'static Entry, input: &str) -> (String, String) {
    let (mut output, mut screen) = (Vec::new(), Vec::new());
    let settings = Settings { hash_mb: 1, nodes: None };
    let clock = Clock::start(game.contest.time);
    let start = Start { game, is_second: false };
    run(start, settings, clock, &mut input.as_bytes(), &mut output, &mut screen)
        .expect("a session");
    let text = |bytes| style::plain(&String::from_utf8(bytes).expect("text"));
    (text(output), text(screen))
}
