//! Play by hand: the dialogue for a person at a terminal. The board goes to the screen (stderr) after
//! every move; the moves for a judge go to stdout as ever. Mistakes are explained, not fatal.

mod files;
mod help;
mod suggestions;
mod terminal;
#[cfg(test)]
mod tests;

use crate::engine::clock::{Clock, Stopwatch, TimeControl};
use crate::tools::contracts::by_hand::TerminalBoard;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::settings::Settings;
use crate::tools::support::progress_bar::thinking;
use crate::tools::support::style::{self, folded, painted};
use crate::tools::support::text::tame;
use anyhow::Result;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;
use suggestions::nearest_command;

pub use help::HELP;
pub use terminal::{Lines, Terminal};

/// Lines on the screen are broken where they are wider.
const SCREEN_WIDTH: usize = 80;
/// Less is shown as none.
const NO_TIME: Duration = Duration::from_millis(50);
/// What takes the search back to the clock.
const OFF: &str = "off";
/// An undo takes back a move and the answer to it.
const PLIES_UNDONE: usize = 2;

/// A game between a person and a player.
struct Session<'a> {
    game: &'static Entry,
    make: fn(Settings) -> Box<dyn TerminalBoard>,
    settings: Settings,
    player: Box<dyn TerminalBoard>,
    /// Carries the time control alone.
    control: Clock,
    /// Where the game begins, if a position was named.
    start: Option<String>,
    /// The moves so far, as the contest writes them.
    texts: Vec<String>,
    /// What the answers of the game have cost the player, before the first move and after each.
    spent: Vec<Duration>,
    /// The file that this session has written, which it may write again.
    saved: Option<PathBuf>,
    output: &'a mut dyn Write,
    screen: &'a mut dyn Write,
}

/// Why a line is not obeyed: for the person, who may try again.
type Refusal = String;

/// What a line leads to. An error of the terminal ends the session, a refusal does not.
type Obeyed = Result<Result<(), Refusal>>;

/// Plays a game until `quit` or the end of the input, cupbot by the time control of `clock`. An error
/// where the game has no board.
pub fn run(
    game: &'static Entry,
    settings: Settings,
    clock: Clock,
    input: &mut dyn Lines,
    output: &mut dyn Write,
    screen: &mut dyn Write,
) -> Result<()> {
    let make = *game.require(&game.by_hand, "board for play by hand")?;
    let mut session = Session {
        game,
        make,
        settings,
        player: make(settings),
        control: clock,
        start: None,
        texts: Vec::new(),
        spent: vec![Duration::ZERO],
        saved: None,
        output,
        screen,
    };
    session.greet()?;
    while let Some(line) = input.next_line(session.screen)? {
        if !session.obey(line.trim())? {
            break;
        }
    }
    Ok(())
}

impl Session<'_> {
    /// Does what a line says. False: it says to quit.
    fn obey(&mut self, line: &str) -> Result<bool> {
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let command = command.to_ascii_lowercase();
        if ["quit", "exit"].contains(&command.as_str()) && argument.is_empty() {
            return Ok(false);
        }
        if let Err(reason) = self.command(&command, argument.trim(), line)? {
            let reason = painted(reason, style::WARNING);
            self.show(&format!("{reason} Try again, or type help.\n"))?;
        }
        Ok(true)
    }

    /// Does what a command says, in lower case, with its argument. What is no command is a move.
    fn command(&mut self, command: &str, argument: &str, line: &str) -> Obeyed {
        match (command, argument) {
            ("", _) => Ok(Ok(())),
            ("help" | "?", "") => self.say(&format!("{}{HELP}", self.player.rules())),
            ("board", "") => self.show_board(),
            ("moves", "") => self.say(&self.player.moves()),
            ("hint", "") => self.hint(),
            ("undo", "") => self.undo(),
            ("new", "") => self.begin_again(),
            ("position", "") => Ok(Err("`position` needs a position.".to_string())),
            ("position", start) => self.begin_at(start),
            ("start", "") => self.answer(),
            ("record", "") => self.show_record(),
            ("time", "") => self.say(&(self.limit_text() + "\n")),
            ("time", milliseconds) => self.set_time(milliseconds),
            ("nodes", "") => self.say(&(self.limit_text() + "\n")),
            ("nodes", count) => self.set_nodes(count),
            ("opening", moves) => self.play_opening(moves),
            ("save" | "load", "") => Ok(Err(format!("`{command}` needs the name of a file."))),
            ("save", file) => self.save(file),
            ("load", file) => self.load(file),
            (command, _) if suggestions::is_command(command) => {
                Ok(Err(format!("`{command}` stands alone on its line.")))
            }
            _ => self.play(line),
        }
    }

    /// Shows a text, its lines broken between words where they are too wide.
    fn show(&mut self, text: &str) -> io::Result<()> {
        write!(self.screen, "{}", folded(text, SCREEN_WIDTH))
    }

    fn say(&mut self, text: &str) -> Obeyed {
        self.show(text)?;
        Ok(Ok(()))
    }

    /// What a game begins with.
    fn greet(&mut self) -> Result<()> {
        self.show(self.player.welcome())?;
        self.show_board().map(drop)
    }

    /// A move of the person, and the answer to it.
    fn play(&mut self, line: &str) -> Obeyed {
        if line.contains(char::is_whitespace) {
            let wanted = "expected a single move or a command";
            return Ok(Err(format!("more than one word, {wanted}.{}", nearest_command(line))));
        }
        if let Err(reason) = self.advance(line) {
            let meant = self.other_case(line).map(|text| suggestions::did_you_mean(&text));
            let meant = meant.unwrap_or_else(|| nearest_command(line));
            return Ok(Err(format!("{reason}.{meant}")));
        }
        let shown = self.show_board();
        if self.player.is_over() {
            return shown;
        }
        self.answer()
    }

    /// Plays a move of either side.
    fn advance(&mut self, text: &str) -> Result<(), Refusal> {
        let written = self.player.contest_text(text);
        self.player.play(text)?;
        self.note(written, Duration::ZERO);
        Ok(())
    }

    fn begin_again(&mut self) -> Obeyed {
        if self.start.take().is_some() {
            self.player = (self.make)(self.settings);
        }
        self.go_back_to(0);
        self.greet()?;
        Ok(Ok(()))
    }

    /// Begins a game from a position.
    fn begin_at(&mut self, given: &str) -> Obeyed {
        match self.player.begin_at(given) {
            None => Ok(Err(format!("{} always begins in the same way.", self.game.title))),
            Some(Err(reason)) => Ok(Err(format!("{reason}."))),
            Some(Ok(start)) => {
                self.start = Some(start);
                self.texts.clear();
                self.spent = vec![Duration::ZERO];
                self.warn(&(self.game.start_remarks)(given))?;
                self.show_board()
            }
        }
    }

    /// Says what of a position or a game is not used.
    fn warn(&mut self, remarks: &[String]) -> Result<()> {
        for remark in remarks {
            writeln!(self.screen, "{}", painted(tame(remark), style::WARNING))?;
        }
        Ok(())
    }

    /// Notes a move that was made, and what it has cost the player.
    fn note(&mut self, text: String, cost: Duration) {
        self.texts.push(text);
        self.spent.push(self.spent_so_far() + cost);
    }

    /// The same word in the case in which it is a move, if there is one.
    fn other_case(&mut self, word: &str) -> Option<String> {
        let ply = self.player.ply();
        suggestions::cases(word).into_iter().find(|text| {
            let is_move = self.player.play(text).is_ok();
            self.player.go_back_to(ply);
            is_move
        })
    }

    fn play_opening(&mut self, moves: &str) -> Obeyed {
        let ply = self.player.ply();
        for (index, text) in moves.split_whitespace().enumerate() {
            if let Err(reason) = self.advance(text) {
                self.go_back_to(ply);
                return Ok(Err(format!("move {} {text:?}: {reason}.", index + 1)));
            }
        }
        self.show_board()
    }

    fn go_back_to(&mut self, ply: usize) {
        self.player.go_back_to(ply);
        self.texts.truncate(ply);
        self.spent.truncate(ply + 1);
    }

    fn undo(&mut self) -> Obeyed {
        let ply = self.player.ply();
        if ply == 0 {
            return Ok(Err("Nothing has been played.".to_string()));
        }
        self.go_back_to(ply.saturating_sub(PLIES_UNDONE));
        self.show_board()
    }

    /// What the answers so far have cost.
    fn spent_so_far(&self) -> Duration {
        self.spent.last().copied().unwrap_or_default()
    }

    /// A clock for the next answer.
    fn clock(&self) -> Clock {
        Clock::for_one_move(self.control.control(), self.spent_so_far())
    }

    /// Cupbot moves for the side whose turn it is.
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
            return Ok(Err("cupbot has no move.".to_string()));
        };
        writeln!(self.output, "{text}")?;
        self.output.flush()?;
        let thought = self.player.thought().map_or(String::new(), |text| format!("{text}, "));
        self.note(text, watch.elapsed());
        self.show(&format!("Cupbot has moved: {thought}{}\n", self.limit_text()))?;
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
            None => Ok(Err("cupbot has no move.".to_string())),
        }
    }

    fn set_time(&mut self, milliseconds: &str) -> Obeyed {
        let number = milliseconds.parse::<u64>().ok().filter(|&number| number > 0);
        let Some(number) = number else {
            return Ok(Err("expected `Time` and one number of milliseconds above 0.".to_string()));
        };
        self.control.set_budget(Duration::from_millis(number));
        self.spent.fill(Duration::ZERO);
        if self.settings.nodes.is_some() {
            return self.set_nodes(OFF);
        }
        self.say(&(self.limit_text() + "\n"))
    }

    /// Limits the search by nodes, or by the clock again.
    fn set_nodes(&mut self, count: &str) -> Obeyed {
        let nodes = match count.parse::<u64>() {
            Ok(count) if count > 0 => Some(count),
            _ if count.eq_ignore_ascii_case(OFF) => None,
            _ => {
                return Ok(
                    Err("expected `nodes` and a number above 0, or `nodes off`.".to_string()),
                )
            }
        };
        self.settings.nodes = nodes;
        match self.player_after(self.start.as_deref(), &self.texts) {
            Ok(player) => self.player = player,
            Err(reason) => return Ok(Err(format!("{reason}."))),
        }
        self.say(&(self.limit_text() + "\n"))
    }

    /// A new player that knows these moves from a position on.
    fn player_after(
        &self,
        start: Option<&str>,
        texts: &[String],
    ) -> Result<Box<dyn TerminalBoard>, Refusal> {
        let mut player = (self.make)(self.settings);
        if let Some(start) = start {
            let begun = player.begin_at(start);
            begun.unwrap_or_else(|| Err("the game begins from a position".to_string()))?;
        }
        texts.iter().try_for_each(|text| player.play(text))?;
        Ok(player)
    }

    /// What limits the search: the nodes, or the time that is left.
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

    fn show_board(&mut self) -> Obeyed {
        let mut board = self.player.board();
        // The game's own text may name the last move in another form.
        if let Some((last, at)) =
            self.texts.last().and_then(|last| Some((last, board.rfind(last)?)))
        {
            board.replace_range(at..at + last.len(), &painted(last, style::LAST));
        }
        self.show(&board)?;
        match self.player.end() {
            Some(_) => self.show_end(),
            None => Ok(Ok(())),
        }
    }

    fn show_end(&mut self) -> Obeyed {
        let how = painted(self.player.end().unwrap_or_default(), style::HEAD);
        self.say(&format!("The game is over: {how}. Type new, undo, save FILE or quit.\n"))
    }
}

/// What a session of these lines says on stdout and shows on the screen, without styles.
#[cfg(test)]
pub fn session(game: &'static Entry, input: &str) -> (String, String) {
    let (mut output, mut screen) = (Vec::new(), Vec::new());
    let settings = Settings { hash_mb: 1, nodes: None };
    let clock = Clock::start(game.contest.time);
    run(game, settings, clock, &mut input.as_bytes(), &mut output, &mut screen).expect("a session");
    let text = |bytes| style::plain(&String::from_utf8(bytes).expect("text"));
    (text(output), text(screen))
}
