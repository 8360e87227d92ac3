//! Command line: parses the arguments and runs the subcommand. Subcommands of single games come from the registry.

mod game_word;

use crate::engine::clock::Clock;
use crate::tools::contracts::entry::{Entry, Examples};
use crate::tools::labs::registry::{self, GAMES};
use crate::tools::support::simd_option::InstructionSet;
use crate::tools::support::units::GivenTime;
use crate::tools::{commands, support};
use anyhow::Result;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::any::TypeId;
use std::process::ExitCode;
use std::time::Duration;

/// Exit status for bad arguments and bad input.
pub const EXIT_USAGE: u8 = 2;

/// Name of the global option `--color`.
const COLOR: &str = "color";
/// Name of the global option `--simd`.
const SIMD: &str = "simd";
/// Heading of the global options on help pages.
const GLOBAL: &str = "Global options";

/// Help text about commands that are not in the list of commands.
const AFTER_HELP: &str = "\
Further commands: merge (joins the shards of a run), completions, random-mover. Commands of the main \
game also work without its name, e.g. `cupbot train`";

/// Examples of the program without a command.
const FIRST_EXAMPLES: [&str; 2] = ["cupbot", "cupbot play GAME --level easy"];

/// Examples of the commands for all games.
const EXAMPLES: Examples = &[
    ("play", ["cupbot play GAME --level easy", "echo Start | cupbot play --nodes 1000"]),
    ("games", ["cupbot games", "cupbot games --names"]),
    (
        "analyse",
        [
            "cupbot analyse WFNADAAADDFDAAAA aaaadddaaadaffnw b5d3 h3f3 b3c2",
            "cupbot analyse --nodes 9000 '2W5/8/8/3N4/1D6/8/8/w7 F 60'",
        ],
    ),
    (
        "replay",
        [
            "cupbot match self:nodes=50 self:nodes=60 -n 2 --record games.jsonl",
            "cupbot replay games.jsonl --number 1 > game.html",
        ],
    ),
    ("board", ["cupbot board", "cupbot board GAME --port 0 --no-open"]),
    (
        "match",
        [
            "cupbot match self:nodes=500 self:nodes=1000 -n 20",
            "cupbot match self 'cupbot play' --time 500ms -n 2 --record games.jsonl",
        ],
    ),
    (
        "tournament",
        [
            "cupbot tournament self:nodes=50 self:nodes=100 self:nodes=200",
            "cupbot tournament self:nodes=50 self:nodes=100 --overwrite --html table.html",
        ],
    ),
    (
        "referee",
        [
            "cupbot referee GAME -p1 'cupbot --nodes 90' -p2 'cupbot --nodes 9'",
            "cupbot referee GAME -p1 'cupbot random-mover' -p2 'cupbot play' -l g",
        ],
    ),
    (
        "merge",
        [
            "for i in 1 2; do cupbot selfplay --games 9 --shard $i/2 -o shard-$i; done",
            "cupbot merge shard-1 shard-2 -o games.gam",
        ],
    ),
    ("submit", ["cupbot submit GAME -o player.rs", "cupbot submit --check player.rs --nodes 100"]),
    (
        "check",
        [
            "cupbot check --player 'cupbot play --nodes 100'",
            "cupbot match self:nodes=9 self:nodes=8 -n 2 --record g; cupbot check g",
        ],
    ),
    ("perft", ["cupbot perft 3", "cupbot perft 2 --divide WFNADAAADDFDAAAA aaaadddaaadaffnw"]),
    ("bench", ["cupbot bench", "cupbot bench --depth 5"]),
    ("completions", ["source <(cupbot completions bash)", "cupbot completions fish > cupbot.fish"]),
    (
        "random-mover",
        [
            "echo Start | cupbot random-mover",
            "cupbot match 'cupbot random-mover' self:nodes=50 -n 4",
        ],
    ),
];

/// Competition bots in one binary.
#[derive(Parser)]
#[command(name = "cupbot", version, propagate_version = true, about = about(), after_help = AFTER_HELP)]
struct Cli {
    #[command(flatten)]
    play: commands::play::Options,
    /// When to colour the output; `auto`: on a terminal, unless NO_COLOR is set
    #[arg(long = COLOR, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = GLOBAL)]
    color: clap::ColorChoice,
    /// Highest instruction set to use, e.g. the judge's (default: the highest of this CPU)
    #[arg(long = SIMD, alias = "path", global = true, value_enum, value_name = "SET", help_heading = GLOBAL)]
    simd: Option<InstructionSet>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(commands::play::Args),
    Games(commands::games::Args),
    Analyse(commands::analyse::Args),
    Replay(commands::replay::Args),
    Board(commands::board::Args),
    Match(commands::r#match::Args),
    Tournament(commands::tournament::Args),
    Referee(commands::referee::Args),
    #[command(hide = true)]
    Merge(commands::merge::Args),
    Submit(commands::submit::Args),
    Check(commands::check::Args),
    Perft(commands::perft::Args),
    Bench(commands::bench::Args),
    #[command(hide = true)]
    Completions(CompletionsArgs),
    #[command(hide = true)]
    RandomMover(commands::random_mover::Args),
}

/// Print a shell completion script
///
/// For bash: `cupbot completions bash > ~/.local/share/bash-completion/completions/cupbot`.
#[derive(clap::Args)]
struct CompletionsArgs {
    /// Shell
    shell: clap_complete::Shell,
}

/// Addition to the script for bash: options are offered only after a hyphen, and files by bash itself, which quotes
/// their names.
const BASH_WORDS: &str = r#"
_cupbot_words() {
    compgen() { [[ $1 == -f ]] || builtin compgen "$@"; }
    _cupbot "$@"
    unset -f compgen
    [[ $2 == -* ]] && return
    local word words=("${COMPREPLY[@]}")
    COMPREPLY=()
    for word in "${words[@]}"; do [[ $word == -* ]] || COMPREPLY+=("$word"); done
}
complete -F _cupbot_words -o bashdefault -o default cupbot
"#;

/// Prints the completion script.
fn complete(args: &CompletionsArgs) -> Result<ExitCode> {
    use anyhow::Context;
    use clap_complete::Shell;
    use std::io::{self, Write};
    let mut script = Vec::new();
    let mut grammar = grammar();
    clap_complete::generate(args.shell, &mut grammar, "cupbot", &mut script);
    match args.shell {
        Shell::Bash => script.extend(BASH_WORDS.bytes()),
        Shell::Fish => script.extend(fish_values(&grammar).bytes()),
        _ => {}
    }
    io::stdout().write_all(&script).context("writing the completion script")?;
    Ok(ExitCode::SUCCESS)
}

/// Addition to the script for fish: the values of arguments without a name, e.g. the games.
fn fish_values(grammar: &clap::Command) -> String {
    let mut lines = String::new();
    for command in grammar.get_subcommands() {
        let values = command.get_positionals().flat_map(|argument| argument.get_possible_values());
        let names: Vec<String> = values.map(|value| value.get_name().to_string()).collect();
        if !names.is_empty() {
            let (command, names) = (command.get_name(), names.join(" "));
            lines += &format!(
                "complete -c cupbot -n \"__fish_cupbot_using_subcommand {command}\" -f -a \"{names}\"\n"
            );
        }
    }
    lines
}

/// Returns the description of the program on the help page.
fn about() -> String {
    let game = registry::main_game();
    format!(
        "Competition bots in one binary. Without a command it plays {}, the game of {}, in the \
         judge's protocol on stdin and stdout; on a terminal you play by hand, with the board on stderr.",
        game.rules.title, game.contest.name
    )
}

/// Builds the grammar of the command line: commands for all games, those of the main game, and for each game a command
/// whose subcommands are specific to it.
fn grammar() -> clap::Command {
    let main = registry::main_game();
    let mut grammar = with_example(Cli::command(), FIRST_EXAMPLES, main);
    grammar = with_examples(grammar, EXAMPLES, main);
    for game in GAMES {
        let Some(commands) = &game.tools.commands else { continue };
        let command = (commands.augment)(clap::Command::new(game.rules.name));
        let command = with_examples(command, commands.examples, game);
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let about = format!("Commands of {}: {}", game.rules.title, names.join(", "));
        if *game == main {
            // Hidden, since the help page lists them under the game's name.
            let own = command.get_subcommands().map(|command| command.clone().hide(true));
            grammar = grammar.subcommands(own);
        }
        grammar = grammar.subcommand(
            command.about(about).subcommand_required(true).arg_required_else_help(true),
        );
    }
    with_negative_values(grammar)
}

/// Accepts negative numbers and times as values, so that the parser of the value explains what is wrong.
fn with_negative_values(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let id = argument.get_value_parser().type_id();
        let is_time = id == TypeId::of::<Duration>() || id == TypeId::of::<GivenTime>();
        argument.allow_negative_numbers(true).allow_hyphen_values(is_time)
    });
    command.mut_subcommands(with_negative_values)
}

/// Adds examples to the help of subcommands.
fn with_examples(mut command: clap::Command, examples: Examples, game: &Entry) -> clap::Command {
    for &(name, lines) in examples {
        command = command.mut_subcommand(name, |command| with_example(command, lines, game));
    }
    command
}

/// Adds examples to the end of a command's help.
fn with_example(command: clap::Command, lines: [&str; 2], game: &Entry) -> clap::Command {
    let before = command.get_after_help().map_or(String::new(), |help| format!("{help}\n\n"));
    let lines = lines.join("\n  ").replace("GAME", game.rules.name);
    command.after_help(format!("{before}Examples:\n  {lines}"))
}

/// Parses the command line and runs the command. `clock` was started when the process started.
pub fn run(clock: Clock) -> Result<ExitCode> {
    let mut grammar = grammar();
    let arguments = std::env::args_os().collect();
    let arguments = game_word::placed(arguments, &grammar, Command::has_subcommand);
    let arguments = commands::referee::with_long_options(arguments.into_iter());
    let given = grammar.try_get_matches_from_mut(arguments);
    let matches = match given.and_then(reject_options_before_commands) {
        Ok(matches) => matches,
        Err(page) => {
            // A help page, the version or a usage error.
            page.print()?;
            return Ok(ExitCode::from(u8::try_from(page.exit_code())?));
        }
    };
    support::files::outputs::ensure_apart(&grammar, &matches)?;
    set_colour(&matches);
    matches.get_one::<InstructionSet>(SIMD).map_or(Ok(()), |set| set.restrict())?;
    if let Some(result) = run_of_game(&matches) {
        return result;
    }
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.command {
        None => commands::play::run_main_game(cli.play, clock),
        Some(Command::Play(args)) => commands::play::run(args, clock),
        Some(Command::Games(args)) => commands::games::run(args),
        Some(Command::Analyse(args)) => commands::analyse::run(args),
        Some(Command::Replay(args)) => commands::replay::run(args),
        Some(Command::Board(args)) => commands::board::run(args),
        Some(Command::Match(args)) => {
            support::ctrl_c::catch();
            commands::r#match::run(args)
        }
        Some(Command::Tournament(args)) => {
            support::ctrl_c::catch();
            commands::tournament::run(args)
        }
        Some(Command::Referee(args)) => {
            support::ctrl_c::catch();
            commands::referee::run(args)
        }
        Some(Command::Merge(args)) => commands::merge::run(args),
        Some(Command::Submit(args)) => commands::submit::run(args),
        Some(Command::Check(args)) => commands::check::run(args),
        Some(Command::Perft(args)) => commands::perft::run(args),
        Some(Command::Bench(args)) => commands::bench::run(args),
        Some(Command::Completions(args)) => complete(&args),
        Some(Command::RandomMover(args)) => commands::random_mover::run(args, clock),
    }
}

/// Sets whether output for people is coloured, on all streams.
fn set_colour(matches: &ArgMatches) {
    // By the convention of bixense.com/clicolors, 0 does not force colours.
    if std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value == "0") {
        std::env::remove_var("CLICOLOR_FORCE");
    }
    let choice = match matches.get_one(COLOR) {
        Some(clap::ColorChoice::Always) => anstream::ColorChoice::Always,
        Some(clap::ColorChoice::Never) => anstream::ColorChoice::Never,
        Some(clap::ColorChoice::Auto) | None => anstream::ColorChoice::Auto,
    };
    choice.write_global();
}

/// Rejects options of the main game's player before a command: they only apply without a command and would be ignored.
fn reject_options_before_commands(matches: ArgMatches) -> Result<ArgMatches, clap::Error> {
    let Some(command) = matches.subcommand_name() else { return Ok(matches) };
    let options = commands::play::Options::augment_args(clap::Command::new(""));
    let mut names = options.get_arguments().map(|option| option.get_id().as_str());
    let given = names.find(|name| matches.value_source(name) == Some(ValueSource::CommandLine));
    let Some(name) = given else { return Ok(matches) };
    let message =
        format!("--{name} can't precede a command: it is an option of play, not of {command}");
    Err(grammar().error(ErrorKind::ArgumentConflict, message))
}

/// Runs a command of a single game, if one is given: after the game's name, or for the main game also without it.
/// Returns `None` for other commands.
fn run_of_game(matches: &ArgMatches) -> Option<Result<ExitCode>> {
    let (name, inner) = matches.subcommand()?;
    if let Some(game) = registry::find(name) {
        return Some((game.tools.commands.as_ref()?.run)(game, inner));
    }
    let is_general = Command::has_subcommand(name);
    let game = registry::main_game();
    let commands = game.tools.commands.as_ref().filter(|_| !is_general)?;
    Some((commands.run)(game, matches))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::fs;
    use std::path::Path;

    /// Returns the texts of all documentation pages.
    fn pages() -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let docs = fs::read_dir(root.join("docs")).expect("a folder");
        let docs = docs.map(|entry| entry.expect("an entry").path());
        let docs = docs.filter(|path| path.extension().is_some_and(|kind| kind == "md"));
        let paths = docs.chain(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
        let pages: Vec<String> =
            paths.map(|path| fs::read_to_string(path).expect("a page")).collect();
        assert!(pages.len() > 10, "only {} pages", pages.len());
        pages
    }

    /// Returns the lines of a page's code blocks, fenced or indented.
    fn code(page: &str) -> Vec<&str> {
        let mut is_fenced = false;
        let is_code = |line: &&str| {
            is_fenced ^= line.starts_with("```");
            is_fenced || line.starts_with("    ")
        };
        page.lines().filter(is_code).collect()
    }

    /// Splits a shell command line into words, without quotes and comments.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut is_quoted = false;
        for character in line.chars() {
            match character {
                '"' => is_quoted = !is_quoted,
                '#' if !is_quoted => break,
                ' ' if !is_quoted => words.push(String::new()),
                _ => words.last_mut().expect("never empty").push(character),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_game_with_commands_has_a_subcommand() {
        grammar().debug_assert();
        for game in GAMES {
            let found = grammar().find_subcommand(game.rules.name).is_some();
            assert_eq!(found, game.tools.commands.is_some(), "{game:?}");
        }
    }

    #[test]
    fn every_command_in_the_documentation_is_valid() {
        let mut count = 0;
        let pages = pages();
        for line in pages.iter().flat_map(|page| code(page)) {
            let line = line.trim_start().trim_start_matches("$ ");
            // Redirections and pipes end a command. A sentence of its output.
            if line.starts_with("cupbot plays ") {
                continue;
            }
            for command in words(line).split(|word| word == "|" || word == ">") {
                // At a terminal, "cupbot plays h7f5" is shown.
                let is_command = command.first().is_some_and(|word| word == "cupbot");
                if is_command && command.len() > 1 && command[1] != "plays" {
                    count += 1;
                    if let Err(error) = grammar().try_get_matches_from(command) {
                        panic!("{line}: {error}");
                    }
                }
            }
        }
        assert!(count > 30, "only {count} commands found");
    }

    #[test]
    fn a_game_is_named_in_any_place() {
        let grammar = grammar();
        let placed = |line: &str| {
            let words = line.split(' ').map(OsString::from).collect();
            let found = game_word::placed(words, &grammar, Command::has_subcommand);
            found.join(&OsString::from(" ")).into_string().expect("UTF-8")
        };
        let has_self_play = |name: &str| {
            let found = grammar.find_subcommand(name);
            found.is_some_and(|commands| commands.find_subcommand("selfplay").is_some())
        };
        let mut names = GAMES.iter().map(|game| game.rules.name);
        let is_other = |name: &&str| *name != registry::main_game().rules.name;
        let name = names.find(|name| is_other(name) && has_self_play(name)).expect("a game");
        for (line, expected) in [
            ("cupbot analyse GAME e4", "cupbot analyse --game GAME e4"),
            ("cupbot GAME analyse e4", "cupbot analyse --game GAME e4"),
            ("cupbot match GAME self self", "cupbot match --game GAME self self"),
            ("cupbot play --uci --game GAME", "cupbot play GAME --uci"),
            ("cupbot GAME play", "cupbot play GAME"),
            ("cupbot perft GAME 3", "cupbot perft --game GAME 3"),
            ("cupbot selfplay GAME -o x", "cupbot GAME selfplay -o x"),
            ("cupbot GAME selfplay -o x", "cupbot GAME selfplay -o x"),
            ("cupbot --color never bench GAME", "cupbot --color never bench --game GAME"),
            ("cupbot games", "cupbot games"),
            ("cupbot play --game", "cupbot play --game"),
            ("cupbot --game nothing play", "cupbot --game nothing play"),
            ("cupbot", "cupbot"),
        ] {
            assert_eq!(placed(&line.replace("GAME", name)), expected.replace("GAME", name));
        }
    }
}
