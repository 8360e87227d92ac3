//! A toy game that shows what a new game must provide: Nim with one heap. It exists only in tests.
//!
//! There are ten matches; each move takes one to three, and the side that takes the last one wins. In the team variant
//! both sides get one point per move of the game.

use crate::engine::clock::{Clock, TimeControl};
use crate::engine::contest::Contest;
use crate::engine::dialogue::{codecup, Answer, Player, Report};
use crate::engine::params::params;
use crate::engine::rng::Rng;
use crate::tools::contracts::entry::{Comparison, Entry, Tools};
use crate::tools::contracts::openings::{Random, RandomPlies};
use crate::tools::contracts::opponent::{pairs, positive, Opponent, Opponents};
use crate::tools::contracts::params::impl_parameters;
use crate::tools::contracts::{End, GameState, Refused, Rules, Side};
use anyhow::{bail, ensure, Result};
use std::time::Duration;

static CONTEST: Contest = Contest { name: "Toy Cup", ..codecup::CONTEST };
/// A contest with wall time per move.
static TEAM_CONTEST: Contest =
    Contest { name: "Toy Team Cup", time: WALL_TIME, ..codecup::CONTEST };
const WALL_TIME: TimeControl = TimeControl::Move {
    // Longer than any test.
    first: Duration::from_secs(3600),
    later: Duration::from_secs(1),
    reserve: Duration::from_millis(20),
};
const HEAP: usize = 10;

/// The two-player game.
pub static NIM: Entry = ENTRY;

const RULES: Rules = Rules {
    id: "toy",
    name: "nim",
    title: "Nim",
    sides: ["one", "two"],
    marks: &[],
    end_reasons: &["last"],
    begin: |start| begin(start, false),
};

const ENTRY: Entry = Entry {
    recognise: |words| words.first()?.starts_with("take").then_some(0),
    tools: Tools {
        opponents: Some(Opponents {
            read: |options| Ok(Box::new(read(options)?)),
            options: "nodes (without effect)",
            limits: &["nodes"],
            sparring: "nodes=1",
        }),
        ..Tools::NONE
    },
    ..Entry::bare(&RULES, &CONTEST, |_| Box::new(Perfect::default()), Random::plies::<Nim, 3>())
};

/// The team variant.
pub static TEAM_NIM: Entry = Entry {
    rules: &Rules {
        name: "team-nim",
        title: "Nim for a team",
        begin: |start| begin(start, true),
        ..RULES
    },
    contest: &TEAM_CONTEST,
    comparison: Comparison::MeanScore,
    recognise: |_| None,
    openings: Random {
        read: |options| {
            let begin = || Box::new(Nim { is_team: true, ..Nim::default() }) as _;
            Ok(Box::new(RandomPlies::parse(options, 3, begin)?))
        },
        options: "plies",
    },
    ..ENTRY
};

fn begin(start: Option<&str>, is_team: bool) -> Result<Box<dyn GameState>> {
    ensure!(start.is_none(), "no start position");
    Ok(Box::new(Nim { is_team, ..Nim::default() }))
}

#[derive(Clone, Default)]
struct Nim {
    taken: Vec<usize>,
    is_team: bool,
}

impl Nim {
    fn left(&self) -> usize {
        HEAP - self.taken.iter().sum::<usize>()
    }

    fn ended(&self, winner: Side, reason: &'static str) -> End {
        if self.is_team {
            return End::new(None, [self.taken.len() as f64; 2], reason);
        }
        End::new(Some(winner), Side::ALL.map(|side| f64::from(side == winner)), reason)
    }
}

impl GameState for Nim {
    fn copy(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }

    fn play(&mut self, text: &str) -> Result<(), Refused> {
        let refused = |is_move, reason: &str| Refused { is_move, reason: reason.to_string() };
        let count = text.strip_prefix("take").and_then(|count| count.parse().ok());
        let count = count.ok_or_else(|| refused(false, "expected take1 to take3"))?;
        if !(1..=3.min(self.left())).contains(&count) {
            return Err(refused(true, "illegal: expected 1 to 3, and at most what is left"));
        }
        self.taken.push(count);
        Ok(())
    }

    fn texts(&self) -> Vec<String> {
        self.taken.iter().map(|count| format!("take{count}")).collect()
    }

    fn side(&self) -> Side {
        Side::to_move_after(self.taken.len())
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let most = self.left().min(3);
        (most > 0).then(|| format!("take{}", 1 + rng.below(most)))
    }

    fn end(&self) -> Option<End> {
        (self.left() == 0).then(|| self.ended(!self.side(), "last"))
    }

    fn forfeit(&self, loser: Side) -> End {
        self.ended(!loser, "fault")
    }
}

/// A perfect player: it leaves a multiple of four.
#[derive(Default)]
struct Perfect(Nim);

impl Player for Perfect {
    fn play(&mut self, text: &str) -> Result<(), String> {
        self.0.play(text).map_err(|refused| refused.reason)
    }

    fn answer(&mut self, _: &Clock) -> Option<Answer> {
        let left = self.0.left();
        let text = format!("take{}", (left % 4).max(1).min(left));
        self.0.play(&text).ok()?;
        Some(text.into())
    }

    fn is_over(&self) -> bool {
        self.0.end().is_some()
    }

    fn report(&self) -> Report {
        Report {
            text: format!("{} left", self.0.left()),
            score: Some(7),
            nodes: 1,
            ..Report::default()
        }
    }
}

struct Options;

fn read(options: &str) -> Result<Options> {
    for pair in pairs(options) {
        match pair? {
            ("nodes", value) => positive("nodes", value)?,
            (key, _) => bail!("no option is named {key:?}"),
        };
    }
    Ok(Options)
}

impl Opponent for Options {
    fn describe(&self) -> String {
        "perfect".to_string()
    }

    fn player(&self, _game: u64) -> Box<dyn Player> {
        Box::new(Perfect::default())
    }

    fn time(&self) -> Option<Duration> {
        None
    }

    fn is_limited_by_clock(&self) -> bool {
        true
    }
}

// Parameters of a search, which no player uses.
params! {
    /// A number.
    lmr_base = 60, -50, 200, 20;
    /// A number.
    null_base = 3, 1, 5, 1;
    /// A number.
    margin = 75, 20, 250, 15;
    /// A number.
    limit = 8192, 1024, 10_922, 1024;
}
impl_parameters!(Params, "cupbot nim params");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::arena::match_file::GameRecord;
    use crate::tools::arena::runner::Pairing;
    use crate::tools::commands::r#match::options::Options as MatchOptions;
    use crate::tools::commands::r#match::session::{self, Scoreboard};
    use crate::tools::commands::{analyse, board, check, r#match, replay};
    use crate::tools::contracts::params::{parse, write};
    use crate::tools::labs::game_reader;
    use clap::Args;

    /// Parses the arguments of a command.
    fn parsed<A: Args>(words: &[&str]) -> A {
        let command = A::augment_args(clap::Command::new("test").no_binary_name(true));
        let matches = command.try_get_matches_from(words).expect("good arguments");
        A::from_arg_matches(&matches).expect("all of them")
    }

    /// A scoreboard that keeps the games.
    #[derive(Default)]
    struct KeptGames(Vec<GameRecord>);

    impl Scoreboard for KeptGames {
        fn add(&mut self, game: &GameRecord) {
            self.0.push(game.clone());
        }

        fn is_settled(&self) -> bool {
            false
        }

        fn line(&self) -> String {
            String::new()
        }
    }

    /// Plays two games between two players and returns the record file and the games.
    fn played(
        game: &str,
        players: [&str; 2],
        openings: &str,
    ) -> (tempfile::NamedTempFile, KeptGames) {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let path = file.path().to_str().expect("UTF-8");
        let options: MatchOptions =
            parsed(&["--game", game, "--record", path, "--openings", openings]);
        let plan = [[0, 1], [1, 0]].map(|players| Pairing { pair: 0, opening: 0, players });
        let mut kept = KeptGames::default();
        let arena = options.arena(&players.map(String::from)).expect("good players");
        session::play(&options, arena, &plan, &mut kept).expect("played");
        (file, kept)
    }

    #[test]
    fn a_game_is_played_by_its_entry_alone() {
        let (file, games) = played("nim", ["self", "echo take9; cat >/dev/null"], "none");
        let outcomes: Vec<_> = games.0.iter().map(|game| (&*game.reason, &game.points)).collect();
        assert_eq!(outcomes, [("illegal", &[1.0, 0.0]), ("illegal", &[0.0, 1.0])]);
        let (whole, games) = played("nim", ["self", "self:nodes=3"], "none");
        for game in &games.0 {
            assert_eq!(game.moves, ["take2", "take1", "take3", "take1", "take3"]);
            assert_eq!((game.winner.as_deref(), game.scores.len()), (Some("one"), 5));
        }
        for path in [file.path(), whole.path()] {
            let arguments = check::run(parsed(&[path.to_str().expect("UTF-8")]));
            assert_eq!(format!("{:?}", arguments.expect("readable")), SUCCESS);
        }
        let matched = ["self", "self", "--game", "nim", "-n", "2", "--no-record", "--json"];
        assert_eq!(format!("{:?}", r#match::run(parsed(&matched)).expect("played")), SUCCESS);
    }

    /// Debug format of the exit code for success.
    const SUCCESS: &str = "ExitCode(unix_exit_status(0))";

    #[test]
    fn a_record_of_bare_moves_is_recognised_and_replayed() {
        let record = game_reader::parse("g1 two take2 take1 take3 take3 take1").expect("readable");
        let record = record.expect("a record");
        assert_eq!(record.game.name, "nim");
        let game = record.replay().expect("legal");
        assert_eq!(game.end().and_then(|end| end.winner), Some(Side::First));
        let illegal = game_reader::parse("take2 take4").expect("readable").expect("a record");
        assert!(illegal.replay().is_err());
    }

    #[test]
    fn missing_features_are_reported_uniformly() {
        let source = ["take1", "take2"];
        let board = board::run(parsed(&["nim"]));
        for error in [analyse::run(parsed(&source)), replay::run(parsed(&source)), board] {
            let error = error.expect_err("missing").to_string();
            assert!(error.starts_with("Nim has no ") && error.contains("cupbot games"), "{error}");
        }
    }

    #[test]
    fn a_late_answer_loses_with_time_per_move() {
        // The first answer has an hour; there is no second one.
        let late = "read a; echo take1; cat >/dev/null";
        let (_file, games) = played("team-nim", [late, "self"], "none");
        for game in &games.0 {
            let fault = game.fault.as_ref().expect("too late");
            assert_eq!(fault.kind.name(), "wall_time", "{fault:?}");
            assert_eq!(game.faulty_player(), Some(0));
            assert!(game.moves.iter().filter(|text| *text == "take1").count() >= 1);
        }
    }

    #[test]
    fn a_team_game_is_compared_by_mean_score() {
        let (_file, games) = played("team-nim", ["self", "self"], "random:plies=2");
        assert_eq!(games.0.len(), 2);
        for game in &games.0 {
            assert_eq!((game.winner.as_ref(), game.points), (None, [game.moves.len() as f64; 2]));
        }
        let matched = ["self", "self", "--game", "team-nim", "-n", "6", "--no-record"];
        assert_eq!(format!("{:?}", r#match::run(parsed(&matched)).expect("played")), SUCCESS);
        let refused = r#match::run(parsed(&[&matched[..], &["--sprt", "0", "5"]].concat()));
        assert!(refused.expect_err("no SPRT by mean score").to_string().contains("--sprt"));
    }

    #[test]
    fn parameter_files_read_back() {
        let mut params = Params::default();
        assert!(params.set("lmr_base", 77) && !params.set("lmr", 77));
        for text in [&write(&params), "{\"lmr_base\": 77}", "# tuned\n lmr_base=77 # more\n\n"] {
            assert_eq!(parse::<Params>(text).ok().as_ref(), Some(&params), "{text}");
        }
        assert!(parse::<Params>("lmr_base 77").is_err());
        assert!(parse::<Params>("lmr = 77").is_err());
    }
}
