use engine::clock::Clock;
use engine::dialogue::Session;
use engine::pipes::{Log, Stdin, Stdout};
use games::GAME::bench;
use games::GAME::player::Player;
use games::GAME::CONTEST;
use std::env;
use std::io;
use std::process::ExitCode;

/// Exit status for bad arguments, bad input and a damaged file.
const EXIT_USAGE: u8 = 2;

/// Without arguments runs the contest player; the other commands are for tests.
fn main() -> ExitCode {
    // Start-up time is charged too.
    let clock = Clock::start(CONTEST.time);
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = words.get(1).and_then(|word| word.parse().ok()).filter(|&number| number > 0);
    match (words.as_slice(), number) {
        ([], _) => play(Player::default(), clock),
        (["nodes", _], Some(nodes)) => play(Player::default().with_nodes(nodes), clock),
        (["bench"], _) => run_bench(bench::DEFAULT_DEPTH),
        (["bench", _], Some(depth)) => run_bench(depth.min(30) as i32),
        (["--version"], _) => report(&format!("cupbot {}\n", VERSION)),
        _ => fail("usage: player [bench [DEPTH] | nodes N | --version]\n"),
    }
}

/// Plays a game on stdin and stdout.
fn play(mut player: Player, mut clock: Clock) -> ExitCode {
    let (input, output, log) = (&mut Stdin::default(), &mut Stdout, &mut Log);
    let session = Session { player: &mut player, clock: &mut clock, input, output, log };
    match (CONTEST.protocol)(session) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cupbot: {}\n", error)),
    }
}

/// Runs the benchmark and prints its report.
fn run_bench(depth: i32) -> ExitCode {
    match bench::run(depth, None) {
        Ok(text) => report(&text),
        Err(error) => fail(&format!("cupbot: {}\n", error)),
    }
}

/// Prints an error on stderr. Write errors are ignored: the judge may not read it.
fn fail(text: &str) -> ExitCode {
    let _ = io::Write::write_all(&mut Log, text.as_bytes());
    ExitCode::from(EXIT_USAGE)
}

fn report(text: &str) -> ExitCode {
    print!("{}", text);
    ExitCode::SUCCESS
}
