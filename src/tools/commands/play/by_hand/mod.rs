//! Play by hand at a terminal. The board is written to the screen (stderr) after every move; moves are written to
//! stdout, as for a judge. Mistakes are explained and never fatal.

mod files;
mod help;
mod keys;
mod learn;
mod lobby;
mod review;
mod suggestions;
mod terminal;
#[cfg(test)]
mod tests;

use crate::engine::clock::{Clock, Stopwatch, TimeControl};
use crate::tools::contracts::analysis::{Hint, Options};
use crate::tools::contracts::by_hand::{ByHand, TerminalBoard};
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::levels::{self, Level, Style};
use crate::tools::contracts::opponent::MAX_HASH_MB;
use crate::tools::contracts::record::Record;
use crate::tools::contracts::{GameState, Settings, Side};
use crate::tools::support::progress_bar::thinking;
use crate::tools::support::style::{self, folded, painted};
use crate::tools::support::text::{count_of, error_text, sanitize};
use crate::tools::support::units::{integer, GivenTime};
use anyhow::Result;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use suggestions::nearest_command;

pub use help::HELP;
pub use terminal::{Lines, Terminal};

/// Remaining times below this are shown as "no time left".
const NO_TIME: Duration = Duration::from_millis(50);
/// Argument of `nodes` that returns to the clock.
const OFF: &str = "off";
/// Time for a hint without a node limit.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Level of a session that is started without a game, unless options or the user choose another.
const FIRST_LEVEL: &str = "medium";
/// Maximum length of a word that is taken for a misspelt command, not for a setup.
const MAX_COMMAND: usize = 10;
/// Prefix of the reasons why a legal-looking move is refused.
const ILLEGAL: &str = "illegal: ";

/// How to continue the game in progress, as a message after Ctrl-C.
static CONTINUATION: Mutex<String> = Mutex::new(String::new());

/// Returns how to continue the game in progress; empty before its first move.
pub fn continuation() -> String {
    CONTINUATION.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Options of a player.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct PlayerOptions {
    /// Maximum hash table size in MiB
    #[arg(long, value_name = "MB", value_parser = integer::<u64>(1..=MAX_HASH_MB as i128))]
    pub hash: Option<u64>,
    /// Nodes per move instead of the clock (reproducible)
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Level of play
    #[arg(long, value_name = "NAME", value_parser = levels::parser(), ignore_case = true,
          conflicts_with_all = ["nodes", "time"])]
    pub level: Option<&'static Level>,
    /// Seed of the level's moves, to repeat a game (default: random)
    #[arg(long, value_name = "N", value_parser = integer::<u64>(0..))]
    pub seed: Option<u64>,
    /// Time per game or per move, e.g. 10s or 50ms (default: the contest's)
    #[arg(long, value_name = "TIME")]
    pub time: Option<GivenTime>,
}

impl PlayerOptions {
    /// Returns the settings of a player of this game, including those of the level.
    pub fn settings(&self, game: &Entry) -> Settings {
        let hash_mb = self.hash.map_or(game.hash_mb, |mb| mb as usize);
        let strength = self.level.and_then(|level| game.strength(level));
        let nodes = self.nodes.or(strength.map(|strength| strength.nodes()));
        Settings { hash_mb, nodes }
    }

    /// Returns how the level plays in this game; `None` at full strength.
    pub fn style(&self, game: &Entry) -> Option<Style> {
        let strength = game.strength(self.level?)?;
        Some(Style { strength, seed: self.seed.unwrap_or_else(levels::new_seed) })
    }

    /// Returns the time control in this game.
    pub fn control(&self, game: &Entry) -> TimeControl {
        let control = game.contest.time;
        self.time.map_or(control, |given| control.with_budget(given.time))
    }
}

/// Next step of a session after a line.
enum Next {
    /// The next line.
    Line,
    /// The end of the session.
    Quit,
    /// A new session of a game.
    Play(&'static Entry),
}

/// A lesson, and the game that waits.
struct Learning {
    /// Number of the lesson, from 0.
    index: usize,
    start: Option<String>,
    texts: Vec<String>,
    spent: Vec<Duration>,
}

/// A game between a user and a player.
struct Session<'a> {
    game: &'static Entry,
    hand: &'static ByHand,
    options: PlayerOptions,
    player: Box<dyn TerminalBoard>,
    /// The side of the user: the one that moved last by hand, or the opponent of cupbot's last move.
    user: Side,
    /// Start position, if one was given.
    start: Option<String>,
    /// The lesson on the board, if there is one.
    learning: Option<Learning>,
    /// All moves in the contest's notation.
    texts: Vec<String>,
    /// Time charged to the player before the first move and after each move.
    spent: Vec<Duration>,
    /// The file of this game, which the session may overwrite.
    saved: Option<PathBuf>,
    /// The record that was saved or loaded last.
    saved_line: Option<String>,
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

type CommandResult = Result<(), Failure>;

/// Refuses a line.
fn refuse(reason: impl Into<String>) -> CommandResult {
    Err(Failure::Refused(reason.into()))
}

/// Plays games until `quit` or the end of input, the first one of `game`; without one, asks the user which game, level
/// and side. Fails if the game has no board.
pub fn run(
    game: Option<&'static Entry>,
    options: PlayerOptions,
    input: &mut dyn Lines,
    output: &mut dyn Write,
    screen: &mut dyn Write,
) -> Result<()> {
    let mut options = options;
    let (mut game, mut side) = match game {
        Some(game) => (game, Side::First),
        None => {
            let Some(chosen) = lobby::choose(input, screen)? else { return Ok(()) };
            if options.nodes.is_none() && options.time.is_none() {
                options.level = chosen.level.or(options.level).or(levels::find(FIRST_LEVEL));
            }
            (chosen.game, chosen.side)
        }
    };
    if let Some(given) = options.time {
        given.near(game.contest.time.budget())?;
    }
    loop {
        let seed = options.seed.unwrap_or_else(levels::new_seed);
        let of_game = PlayerOptions { seed: Some(seed), ..options };
        let mut session = Session::new(game, of_game, output, screen)?;
        let next = session.play_lines(side, input)?;
        options.level = session.options.level;
        let Some(next) = next else { return Ok(()) };
        (game, side) = (next, Side::First);
    }
}

impl<'a> Session<'a> {
    fn new(
        game: &'static Entry,
        options: PlayerOptions,
        output: &'a mut dyn Write,
        screen: &'a mut dyn Write,
    ) -> Result<Session<'a>> {
        let hand = game.require(&game.tools.by_hand, "board for play by hand")?;
        Ok(Session {
            game,
            hand,
            options,
            player: (hand.player)(options.settings(game)),
            user: Side::First,
            start: None,
            learning: None,
            texts: Vec::new(),
            spent: vec![Duration::ZERO],
            saved: None,
            saved_line: None,
            output,
            screen,
        })
    }

    /// Plays a game, with the user on this side at first. Returns the game to play next; `None` to quit.
    fn play_lines(
        &mut self,
        side: Side,
        input: &mut dyn Lines,
    ) -> io::Result<Option<&'static Entry>> {
        self.keep_continuation();
        self.show(self.hand.welcome)?;
        self.show(&self.level_line())?;
        let begun = if side == Side::First { self.show_board() } else { self.answer() };
        self.show_failure(begun)?;
        loop {
            let prompt = self.prompt();
            let next = match input.next_line(self.screen, &prompt)? {
                Some(line) => self.execute(line.trim())?,
                None => Next::Quit,
            };
            match next {
                Next::Line => {}
                Next::Quit if self.may_leave(input)? => return Ok(None),
                Next::Play(game) if self.may_leave(input)? => return Ok(Some(game)),
                Next::Quit | Next::Play(_) => {}
            }
        }
    }

    /// Describes the level and how to repeat the game; empty without a level.
    fn level_line(&self) -> String {
        let Some(level) = self.options.level else { return String::new() };
        let name = level.name;
        let seed = match (self.game.strength(level), self.options.seed) {
            (Some(_), Some(seed)) => format!(" `--seed {seed}` repeats cupbot's moves."),
            _ => String::new(),
        };
        format!("Level: {name}. `level NAME` changes it.{seed}\n")
    }

    /// Returns the prompt: the side to move, unless the game is over.
    fn prompt(&self) -> String {
        let state = self.state().filter(|state| state.end().is_none() && !self.player.is_over());
        state.map_or("> ".to_string(), |state| {
            format!("{}> ", self.game.rules.side_name(state.side()))
        })
    }

    /// Returns the game by its rules.
    fn state(&self) -> Option<Box<dyn GameState>> {
        self.state_at(self.texts.len())
    }

    /// Returns the game by its rules after this number of moves.
    fn state_at(&self, ply: usize) -> Option<Box<dyn GameState>> {
        let mut state = (self.game.rules.begin)(self.start.as_deref()).ok()?;
        self.texts[..ply].iter().try_for_each(|text| state.play(text)).ok()?;
        Some(state)
    }

    /// Returns the game so far.
    fn record(&self) -> Record {
        Record::new(self.game.rules, self.start.clone(), self.texts.clone())
    }

    /// Returns the settings of the player, including those of the level.
    fn settings(&self) -> Settings {
        self.options.settings(self.game)
    }

    /// Executes a line.
    fn execute(&mut self, line: &str) -> io::Result<Next> {
        let (command, argument) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (command, argument) = (command.to_ascii_lowercase(), argument.trim());
        if ["quit", "exit"].contains(&command.as_str()) && argument.is_empty() {
            return Ok(Next::Quit);
        }
        if let ("play", Some(game)) = (command.as_str(), lobby::find_game(argument)) {
            return Ok(Next::Play(game));
        }
        let result = self.command(&command, argument, line);
        self.show_failure(result)?;
        Ok(Next::Line)
    }

    /// Shows why a line is not executed.
    fn show_failure(&mut self, result: CommandResult) -> io::Result<()> {
        match result {
            Ok(()) => Ok(()),
            Err(Failure::Screen(error)) => Err(error),
            Err(Failure::Refused(reason)) => {
                self.show(&format!("{}\n", painted(reason, style::WARNING)))
            }
        }
    }

    /// Executes a command (in lower case) with its argument. Other lines are moves.
    fn command(&mut self, command: &str, argument: &str, line: &str) -> CommandResult {
        if let Some(result) = self.learn_by(command, argument, line) {
            return result;
        }
        match (command, argument) {
            ("", _) => self.play_usual_move(),
            ("learn", number) => self.learn(number),
            ("rules", "") => self.say(self.hand.rules),
            ("games", "") => {
                self.say(&(lobby::list_of_games() + "Type `play` and a name to change the game.\n"))
            }
            ("play", _) => {
                refuse("Type `play` and the name or number of a game; `games` lists them.")
            }
            ("level", name) => self.set_level(name),
            ("analyse", "") => self.analyse(),
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
            ("opening", "") => refuse("`Opening` needs moves."),
            ("opening", moves) => self.play_opening(moves),
            ("save" | "load", "") => refuse(format!("`{command}` needs the name of a file.")),
            ("save", file) => self.save(file),
            ("load", file) => self.load(file),
            (command, _) if suggestions::is_command(command) => {
                refuse(format!("`{command}` takes no arguments."))
            }
            _ => self.play(line),
        }
    }

    /// Shows a text with long lines wrapped.
    fn show(&mut self, text: &str) -> io::Result<()> {
        write!(self.screen, "{}", folded(text, style::screen_width()))
    }

    fn say(&mut self, text: &str) -> CommandResult {
        Ok(self.show(text)?)
    }

    /// Plays the user's move and the answer. The board is shown once, after both.
    fn play(&mut self, line: &str) -> CommandResult {
        if line.contains(char::is_whitespace) {
            return refuse(format!("One move at a time.{}", nearest_command(line)));
        }
        if self.player.is_over() {
            return refuse("The game is over. Type new, undo or quit.");
        }
        let user = self.state().map_or(self.user, |state| state.side());
        if let Err(reason) = self.advance(line) {
            return refuse(self.explain(line, &reason));
        }
        self.user = user;
        if self.player.is_over() {
            return self.show_board();
        }
        self.answer()
    }

    /// Explains why a word is not played.
    fn explain(&self, word: &str, reason: &str) -> String {
        let is_short = word.chars().count() < MAX_COMMAND;
        let is_setup = reason.starts_with("the setup");
        if !(reason.starts_with("not a move") || is_setup && is_short) {
            let reason = reason.strip_prefix(ILLEGAL).unwrap_or(reason);
            return format!("Not possible: {reason}.");
        }
        // A number is meant for a move, not for another game.
        let named = lobby::find_game(word).filter(|_| word.parse::<u32>().is_err());
        if let Some(game) = named {
            return format!("Type `play {}` to change the game.", game.rules.name);
        }
        let wanted = self.player.wanted();
        format!("I don't know {word:?}. Type {wanted}, `hint` or `help`.{}", nearest_command(word))
    }

    /// Plays the move that Enter stands for, if there is one.
    fn play_usual_move(&mut self) -> CommandResult {
        let clock = self.clock();
        match self.player.usual_move(&clock) {
            Some(text) => {
                self.say(&format!("You take {text}.\n"))?;
                self.play(&text)
            }
            None => Ok(()),
        }
    }

    /// Plays a move of either side.
    fn advance(&mut self, text: &str) -> Result<(), String> {
        let written = self.player.contest_text(text);
        self.player.play(&written)?;
        self.note(written, Duration::ZERO);
        Ok(())
    }

    fn begin_again(&mut self) -> CommandResult {
        (self.start, self.saved) = (None, None);
        self.options.seed = self.options.seed.map(|seed| seed + 1);
        self.go_back_to(0)?;
        self.show(self.hand.welcome)?;
        self.show(&self.level_line())?;
        self.show_board()
    }

    /// Starts a game from a position.
    fn begin_at(&mut self, given: &str) -> CommandResult {
        match self.player.begin_at(given) {
            None => refuse(format!("{} always begins in the same way.", self.game.rules.title)),
            Some(Err(reason)) => refuse(format!("{reason}.")),
            Some(Ok(start)) => {
                (self.start, self.saved) = (Some(start), None);
                self.texts.clear();
                self.spent = vec![Duration::ZERO];
                self.keep_continuation();
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
        self.keep_continuation();
    }

    /// Keeps how to continue the game after Ctrl-C.
    fn keep_continuation(&self) {
        let start = self.start.as_ref().map(|start| format!("`position {start}`"));
        let moves = self.texts.join(" ");
        let moves = (!moves.is_empty()).then(|| format!("`Opening {moves}`"));
        let lines: Vec<String> = start.into_iter().chain(moves).collect();
        let text = match lines.is_empty() {
            true => String::new(),
            false => format!(
                ": to continue the game, start `cupbot play {}{}` and type {}",
                self.game.rules.name,
                self.option_text(),
                lines.join(", then ")
            ),
        };
        *CONTINUATION.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    /// Returns the options that give the player the same strength again.
    fn option_text(&self) -> String {
        let PlayerOptions { level, nodes, time, seed, .. } = self.options;
        let level = level.map(|level| match (self.game.strength(level), seed) {
            (Some(_), Some(seed)) => format!(" --level {} --seed {seed}", level.name),
            _ => format!(" --level {}", level.name),
        });
        let nodes = nodes.map(|nodes| format!(" --nodes {nodes}"));
        let time = time.filter(|_| level.is_none() && nodes.is_none());
        let time = time.map(|given| format!(" --time {}ms", given.time.as_millis()));
        [level, nodes, time].into_iter().flatten().collect()
    }

    fn play_opening(&mut self, moves: &str) -> CommandResult {
        let ply = self.texts.len();
        for (index, text) in moves.split_whitespace().enumerate() {
            if let Err(reason) = self.advance(text) {
                self.go_back_to(ply)?;
                let reason = reason.strip_prefix(ILLEGAL).unwrap_or(&reason);
                return refuse(format!("Move {} {text:?}: {reason}.", index + 1));
            }
        }
        self.show_board()
    }

    /// Takes back all moves after this number of moves.
    fn go_back_to(&mut self, ply: usize) -> CommandResult {
        self.texts.truncate(ply);
        self.spent.truncate(ply + 1);
        self.keep_continuation();
        self.player = self.player_after(self.settings(), self.start.as_deref(), &self.texts)?;
        Ok(())
    }

    /// Takes back the user's last move and all moves after it.
    fn undo(&mut self) -> CommandResult {
        if self.texts.is_empty() {
            return refuse("Nothing has been played.");
        }
        let is_users =
            |ply: &usize| self.state_at(*ply).is_some_and(|state| state.side() == self.user);
        let ply = (0..self.texts.len()).rev().find(is_users).unwrap_or(0);
        self.go_back_to(ply)?;
        self.show_board()
    }

    /// Time charged to the player so far.
    fn spent_so_far(&self) -> Duration {
        self.spent.last().copied().unwrap_or_default()
    }

    /// Returns a clock for the next answer.
    fn clock(&self) -> Clock {
        Clock::for_one_move(self.options.control(self.game), self.spent_so_far())
    }

    /// Lets cupbot move for the side to move.
    fn answer(&mut self) -> CommandResult {
        if self.player.is_over() {
            return self.show_end();
        }
        self.user = self.state().map_or(self.user, |state| !state.side());
        let clock = self.clock();
        let watch = Stopwatch::start();
        let casual = self.options.style(self.game).zip(self.state());
        if let Some(text) = casual.and_then(|(style, state)| style.casual_move_in(state.as_ref())) {
            self.player.play(&text)?;
            return self.answered(text, None, Duration::ZERO);
        }
        let spinner = thinking();
        let answer = self.player.answer(&clock);
        spinner.finish_and_clear();
        let Some(text) = answer.map(|answer| answer.mv) else {
            return refuse("cupbot has no move.");
        };
        self.answered(text, self.player.thought(), watch.elapsed())
    }

    /// Shows cupbot's move with its score, and the board.
    fn answered(&mut self, text: String, thought: Option<String>, cost: Duration) -> CommandResult {
        writeln!(self.output, "{text}")?;
        self.output.flush()?;
        self.show(self.declined())?;
        let played = self.player.last_move().unwrap_or_else(|| text.clone());
        self.note(text, cost);
        let thought = thought.map_or(String::new(), |thought| format!(" ({thought})"));
        let limit = match (self.settings().nodes, self.options.control(self.game)) {
            (None, TimeControl::Game(_)) => format!(", {}", self.limit_text()),
            _ => String::new(),
        };
        self.show(&format!("cupbot plays {}{thought}{limit}\n", painted(played, style::LAST)))?;
        self.show_board()
    }

    /// Says that cupbot's move, which is not in the list yet, declines an offer; empty if there was none.
    fn declined(&self) -> &'static str {
        let mark = self.game.tools.board.as_ref().and_then(|page| page.mark);
        let Some((mark, last)) = mark.zip(self.texts.last()) else { return "" };
        let is_declined = last.ends_with(mark.symbol) && !self.player.is_over();
        mark.declined.filter(|_| is_declined).unwrap_or_default()
    }

    /// Suggests a move by the analysis, with the reason and the score.
    fn hint(&mut self) -> CommandResult {
        if self.player.is_over() {
            return self.show_end();
        }
        let Some(analyse) = &self.game.tools.analyse else {
            return refuse(format!("{} has no analysis.", self.game.rules.title));
        };
        let record = self.record();
        let mut options = Options::by_time(HINT_TIME);
        options.nodes = self.options.nodes;
        // The spinner shows the progress, not the bar of the analysis.
        options.listener = Some(Box::new(|_, _| {}));
        let spinner = thinking();
        let hint = (analyse.hint)(&record, &options);
        spinner.finish_and_clear();
        let Hint { reason, score, line, .. } = hint.map_err(|error| error_text(&error) + ".")?;
        self.say(&format!("{}\n{reason}.\n", painted(format!("{line}  ({score})"), style::GOOD)))
    }

    /// Changes the level, or shows it.
    fn set_level(&mut self, name: &str) -> CommandResult {
        if !name.is_empty() {
            let level = levels::parse(name).map_err(|error| format!("Levels: {error}."))?;
            (self.options.level, self.options.nodes) = (Some(level), None);
            self.go_back_to(self.texts.len())?;
        }
        let level = self.options.level.map_or(self.limit_text(), |level| level.name.to_string());
        self.say(&format!("Level: {level} ({})\n", levels::names()))
    }

    fn set_time(&mut self, milliseconds: &str) -> CommandResult {
        let number = milliseconds.parse::<u64>().ok().filter(|&number| number > 0);
        let Some(number) = number else {
            return refuse("Type `Time` and a number of milliseconds above 0.");
        };
        self.options.time = Some(Duration::from_millis(number).into());
        self.spent.fill(Duration::ZERO);
        self.keep_continuation();
        if self.settings().nodes.is_some() {
            return self.set_nodes(OFF);
        }
        self.say(&(self.limit_text() + "\n"))
    }

    /// Limits the search by nodes, or by the clock again.
    fn set_nodes(&mut self, count: &str) -> CommandResult {
        let nodes = match count.parse::<u64>() {
            Ok(count) if count > 0 => Some(count),
            _ if count.eq_ignore_ascii_case(OFF) => None,
            _ => return refuse("Type `nodes` and a number above 0, or `nodes off`."),
        };
        (self.options.nodes, self.options.level) = (nodes, None);
        self.go_back_to(self.texts.len())?;
        self.say(&(self.limit_text() + "\n"))
    }

    /// Creates a player that has been told these moves from a position.
    fn player_after(
        &self,
        settings: Settings,
        start: Option<&str>,
        texts: &[String],
    ) -> Result<Box<dyn TerminalBoard>, String> {
        let mut player = (self.hand.player)(settings);
        if let Some(start) = start {
            let begun = player.begin_at(start);
            begun.unwrap_or_else(|| Err("this game has no start positions".to_string()))?;
        }
        texts.iter().try_for_each(|text| player.play(text))?;
        Ok(player)
    }

    /// Describes the limit of the search: nodes or the time left.
    fn limit_text(&self) -> String {
        if let Some(nodes) = self.settings().nodes {
            return format!("{} a move", count_of(nodes, "node"));
        }
        match self.options.control(self.game) {
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

    fn show_board(&mut self) -> CommandResult {
        self.show(&self.board_text())?;
        match self.player.end() {
            Some(_) => self.show_end(),
            None => Ok(()),
        }
    }

    fn show_end(&mut self) -> CommandResult {
        let how = painted(self.player.end().unwrap_or_default(), style::HEAD);
        self.say(&format!("The game is over: {how}. Type new, undo, analyse, save FILE or quit.\n"))
    }
}

/// Returns what a session with these lines writes to stdout and shows on the screen, without styles.
#[cfg(test)]
pub fn session(game: &'static Entry, input: &str) -> (String, String) {
    let (mut output, mut screen) = (Vec::new(), Vec::new());
    let options = PlayerOptions { hash: Some(1), ..PlayerOptions::default() };
    run(Some(game), options, &mut input.as_bytes(), &mut output, &mut screen).expect("a session");
    let text = |bytes| style::plain(&String::from_utf8(bytes).expect("text"));
    (text(output), text(screen))
}
