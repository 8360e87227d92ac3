//! `cupbot play`: one game by the protocol of its contest, or by hand if stdin is a terminal.

pub mod by_hand;

use crate::engine::clock::{ChargeLog, Clock};
use crate::engine::dialogue::{Player, Session};
use crate::engine::pipes::{Log, Stdin, Stdout};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::levels::Casual;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::Named;
use crate::tools::support::units::integer;
use anyhow::{bail, ensure, Context, Result};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Options of a player.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    player: by_hand::PlayerOptions,
    /// Log the time charged for each move to FILE (milliseconds, one per line)
    #[arg(long, value_name = "FILE")]
    books: Option<OutputFile>,
}

impl Options {
    /// Applies the options to a clock.
    fn set(&self, clock: &mut Clock, game: &Entry) -> Result<()> {
        if let Some(given) = self.player.time {
            given.near(game.contest.time.budget())?;
        }
        clock.set_control(self.player.control(game));
        if let Some(path) = &self.books {
            let file = File::create(path).named("writing", path)?;
            clock.set_log(charge_log(file));
        }
        Ok(())
    }
}

/// Logs charges to a file. A full disk must not end a game.
fn charge_log(mut file: File) -> ChargeLog {
    Box::new(move |charge| {
        let _ = file.write_all(format!("{:.3}\n", charge.as_secs_f64() * 1e3).as_bytes());
    })
}

/// Play one game by the judge's protocol on stdin and stdout, at a terminal by hand
#[derive(clap::Args)]
pub struct Args {
    /// Which game
    #[arg(default_value = registry::main_game().rules.name, value_parser = registry::parser())]
    game: &'static Entry,
    #[command(flatten)]
    options: Options,
    /// Speak UCI, for chess programs, instead of the protocol of the contest
    #[arg(long)]
    uci: bool,
    /// Play as this built-in player of matches, with its options: see `cupbot match --help`
    #[arg(long = "as", value_name = "self:...", conflicts_with_all = ["uci", "hash", "nodes", "level"])]
    built_in: Option<String>,
    /// Number of the game in its run, which seeds the random moves of some built-in players
    #[arg(long, value_name = "N", default_value_t = 0, requires = "built_in", value_parser = integer::<u64>(0..))]
    number: u64,
}

/// Plays a game.
pub fn run(args: Args, clock: Clock) -> Result<ExitCode> {
    if args.uci {
        let is_timed = args.options.player.time.is_some() || args.options.books.is_some();
        ensure!(
            !is_timed,
            "--uci: the program that speaks UCI sets the time, not --time or --books"
        );
        let serve = args.game.require(&args.game.tools.uci, "UCI")?;
        return serve(args.options.player.settings(args.game));
    }
    if let Some(text) = &args.built_in {
        return play_as(text, &args, clock);
    }
    if io::stdin().is_terminal() {
        return by_hand(Some(args.game), args.options.player);
    }
    play(args.game, args.options, clock)
}

/// Plays as a built-in player of matches.
fn play_as(text: &str, args: &Args, mut clock: Clock) -> Result<ExitCode> {
    let PlayerSpec::BuiltIn(opponent) = PlayerSpec::parse(args.game, text)? else {
        bail!("--as {text}: expected self or self:OPTIONS");
    };
    args.options.set(&mut clock, args.game)?;
    if let Some(time) = opponent.time() {
        clock.set_budget(time);
    }
    run_protocol(args.game, opponent.player(args.number).as_mut(), clock)
}

/// Plays by the protocol of the main game; at a terminal, the game that the user chooses.
pub fn run_main_game(options: Options, clock: Clock) -> Result<ExitCode> {
    if io::stdin().is_terminal() {
        return by_hand(None, options.player);
    }
    play(registry::main_game(), options, clock)
}

/// Plays at a terminal.
fn by_hand(game: Option<&'static Entry>, options: by_hand::PlayerOptions) -> Result<ExitCode> {
    ctrl_c::on_first_signal(|| ctrl_c::end(&by_hand::continuation()));
    ctrl_c::catch();
    let mut terminal = by_hand::Terminal::of_process();
    let mut plain = io::stdin().lock();
    let input: &mut dyn by_hand::Lines = match &mut terminal {
        Some(terminal) => terminal,
        None => &mut plain,
    };
    let mut output = io::stdout();
    // The screen has the moves already.
    let output: &mut dyn Write = if output.is_terminal() { &mut io::sink() } else { &mut output };
    by_hand::run(game, options, input, output, &mut anstream::stderr())?;
    Ok(ExitCode::SUCCESS)
}

/// Plays by the protocol.
fn play(game: &'static Entry, options: Options, mut clock: Clock) -> Result<ExitCode> {
    options.set(&mut clock, game)?;
    let player = (game.player)(options.player.settings(game));
    let mut player: Box<dyn Player> = match options.player.style(game) {
        None => player,
        Some(style) => Box::new(Casual::new(player, game.rules.begin, style)?),
    };
    run_protocol(game, player.as_mut(), clock)
}

/// Runs the protocol of a game's contest on stdin and stdout with a player. `clock` has run since the start of the
/// process.
pub fn by_protocol(game: &Entry, player: &mut dyn Player, mut clock: Clock) -> Result<ExitCode> {
    clock.set_control(game.contest.time);
    run_protocol(game, player, clock)
}

fn run_protocol(game: &Entry, player: &mut dyn Player, mut clock: Clock) -> Result<ExitCode> {
    let (input, log) = (&mut Stdin::default(), &mut Log);
    let mut checked = Checked { output: Stdout, error: None };
    let (clock, output) = (&mut clock, &mut checked);
    (game.contest.protocol)(Session { player, clock, input, output, log })?;
    match checked.error {
        // The judge has closed the pipe: the end of the game.
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("writing the move")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// An output that keeps the last error: protocols only stop after one.
struct Checked<W> {
    output: W,
    error: Option<io::Error>,
}

impl<W> Checked<W> {
    fn keep<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.error = Some(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Checked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.output.write(bytes);
        self.keep(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.output.flush();
        self.keep(result)
    }
}
