use super::*;
use crate::tools::labs::game_reader;
use crate::tools::labs::registry::{self, GAMES};
use std::fs;

/// The games of the table that have a board.
fn games() -> impl Iterator<Item = &'static Entry> {
    GAMES.iter().copied().filter(|game| game.by_hand.is_some())
}

/// Returns the screen output of a session limited by nodes.
fn screen(game: &'static Entry, lines: &str) -> String {
    session(game, &format!("nodes 5\n{lines}")).1
}

/// The two moves that a session by a few nodes begins with, cupbot playing both.
fn beginning(game: &'static Entry) -> [String; 2] {
    let (output, _) = session(game, "nodes 5\nStart\nStart\n");
    let mut lines = output.lines().map(str::to_string);
    [(); 2].map(|()| lines.next().expect("an answer"))
}

#[test]
fn a_saved_game_is_read_by_other_commands() {
    let folder = tempfile::tempdir().expect("a writable directory");
    for game in games() {
        let file = folder.path().join(format!("a {}", game.name));
        let name = file.display();
        let [first, second] = beginning(game);
        let shown = screen(game, &format!("Start\nStart\nrecord\nsave {name}\n"));
        assert!(shown.contains("2 moves saved"), "{shown}");
        let text = fs::read_to_string(&file).expect("saved");
        assert!(shown.contains(&text), "{shown}");
        let found = game_reader::parse(&text).expect("readable").expect("a record");
        assert_eq!((found.game, &found.moves), (game.rules, &vec![first, second.clone()]));
        let loaded = screen(game, &format!("load {name}\nrecord\n"));
        assert!(loaded.contains("2 moves loaded") && loaded.contains(&text), "{loaded}");
        let undone = screen(game, &format!("load {name}\nundo\nrecord\n"));
        assert!(undone.contains("Nothing has been played"), "{undone}");
        // A file of another session is not changed; this session's own may be overwritten.
        let refused = screen(game, &format!("Start\nsave {name}\n"));
        assert!(refused.contains("is there already"), "{refused}");
        assert_eq!(fs::read_to_string(&file).expect("saved"), text);
        let again = folder.path().join("again");
        let again = again.display();
        let twice = screen(game, &format!("Start\nsave {again}\nStart\nsave {again}\n"));
        assert!(twice.contains("1 move saved") && twice.contains("2 moves saved"), "{twice}");
        fs::remove_file(again.to_string()).expect("saved");
    }
}

#[test]
fn the_help_fits_a_small_terminal() {
    for game in games() {
        let (_, shown) = session(game, "");
        let board =
            (game.by_hand.as_ref().expect("one").player)(Settings { hash_mb: 1, nodes: None })
                .board();
        assert!(shown.contains(&style::plain(&board)), "{}: {shown}", game.name);
        let (_, begun) = session(game, "new\n");
        assert_eq!(begun.matches(style::plain(&board).trim_end()).count(), 2, "{begun}");
        let (_, all) = session(game, "help\nhelp\n");
        let help = all.split("> ").nth(1).expect("a help");
        // With the line of the prompt.
        assert!(help.lines().count() < 24, "{}: {} lines", game.name, help.lines().count());
        for text in [&shown, help] {
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(SCREEN_WIDTH), "{}: {widest:?} in {text}", game.name);
        }
    }
}

#[test]
fn what_cupbot_thinks_is_said_in_words() {
    for game in games() {
        let (_, shown) = session(game, "nodes 50\nStart\nStart\nStart\nhint\n");
        let said: Vec<&str> = shown.lines().filter(|line| line.contains("cupbot plays ")).collect();
        assert_eq!(said.len(), 3, "{shown}");
        let units = [" for ", "White's chances: ", " points expected", "cupbot's plan"];
        assert!(units.iter().any(|unit| said[2].contains(unit)), "{shown}");
        assert!(said[2].ends_with("; 50 nodes a move)"), "{shown}");
        let hint = shown.lines().rev().find(|line| line.ends_with(')')).expect("a hint");
        assert!(units.iter().any(|unit| hint.contains(unit)), "{shown}");
    }
}

#[test]
fn bad_arguments_cost_nothing_of_the_game() {
    let folder = tempfile::tempdir().expect("a writable directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    for game in games() {
        let others = games().filter(|other| *other != game).map(|other| beginning(other).join(" "));
        fs::write(path("other"), others.last().expect("another game")).expect("written");
        let own = beginning(game);
        fs::write(path("two"), format!("a open {0}\nb open {0}\n", own.join(" ")))
            .expect("written");
        fs::write(path("illegal"), format!("{0} {0}\n", own[0])).expect("written");
        fs::write(path("garbage"), "hello\n").expect("written");
        let cases = [
            ("save", "needs the name of a file"),
            ("load", "needs the name of a file"),
            ("load no-such-file", "No such file"),
            (&format!("load {}", folder.path().display()), "directory"),
            (&format!("save {}", folder.path().display()), "is there already"),
            (&format!("save {}/inner", path("other")), "not a directory"),
            (&format!("load {}", path("other")), "holds a game of"),
            (&format!("load {}", path("two")), "2 games"),
            (&format!("load {} c", path("two")), "no such game among 2"),
            (&format!("load {} 3", path("two")), "no such game among 2"),
            (&format!("load {}", path("illegal")), "ply 2"),
            (&format!("load {}", path("garbage")), "line 1"),
            ("nodes 0", "a number above 0"),
            ("nodes many", "a number above 0"),
            ("Time soon", "milliseconds"),
            ("Time 0", "milliseconds"),
            ("undo 2", "takes no further words"),
            ("record all", "takes no further words"),
            ("Opening hello", "move 1"),
            ("Strat", "Did you mean Start?"),
            ("what is this", "One move at a time."),
            ("level high", "beginner, easy, medium, strong, full"),
            ("play go", "There is no game"),
            ("hello", "I don't know \"hello\". Type a "),
        ];
        for (line, reason) in cases {
            let (output, shown) = session(game, &format!("nodes 5\nStart\n{line}\nrecord\n"));
            let refused = shown.replace('\n', " ");
            assert!(refused.contains(reason), "{line}: {reason} in {shown}");
            assert!(refused.contains("Try again"), "{line}: {shown}");
            assert_eq!(output.lines().count(), 1, "{line}: {output}");
            assert!(shown.contains(&format!("> {}\n", own[0])), "{line}: {shown}");
        }
        let chosen =
            screen(game, &format!("load {} b\nnew\nload {} 1\n", path("two"), path("two")));
        assert_eq!(chosen.matches("2 moves loaded").count(), 2, "{chosen}");
    }
}

#[test]
fn commands_are_obeyed_in_any_case() {
    for game in games() {
        let [first, _] = beginning(game);
        let (output, _) = session(game, "NODES 5\nstart\n");
        assert_eq!(output.trim_end(), first);
        let swapped: String = first
            .chars()
            .map(|letter| match letter {
                'a'..='z' => letter.to_ascii_uppercase(),
                other => other.to_ascii_lowercase(),
            })
            .collect();
        if swapped == first {
            // A move without letters has no case.
            continue;
        }
        let (output, shown) = session(game, &format!("nodes 5\n{swapped}\nrecord\n"));
        assert_eq!(output.lines().count(), 1, "an answer: {output}");
        assert!(shown.contains(&format!("> {first} {output}")), "{shown}");
    }
}

#[test]
fn the_time_left_comes_back_with_an_undo() {
    let game = registry::main_game();
    let opening = beginning(game).join(" ");
    let lines = "Time 9000\nTime\nStart\nTime\nundo\nTime\nnodes 7\nTime\n";
    let (_, shown) = session(game, &format!("Opening {opening}\n{lines}"));
    let left: Vec<f64> = shown
        .lines()
        .filter_map(|line| {
            line.trim_end_matches(')')
                .strip_suffix(" s left")?
                .rsplit([' ', '>'])
                .next()?
                .parse()
                .ok()
        })
        .collect();
    let [set, before, report, after, undone] = left[..] else { panic!("{left:?} in {shown}") };
    assert_eq!((set, before, undone), (9.0, 9.0, 9.0));
    assert!(report < 9.0 && report == after, "{left:?}");
    assert_eq!(shown.matches("7 nodes a move").count(), 2, "{shown}");
    // The user gives a time to have it used.
    let (_, shown) = session(game, "nodes 7\nTime 5000\nTime\n");
    assert_eq!(shown.matches("5.0 s left").count(), 2, "{shown}");
    let (output, shown) = session(game, "Time 1\nStart\nStart\nStart\n");
    assert_eq!(output.lines().count(), 3, "cupbot moves without time too");
    assert!(shown.contains("no time left: cupbot answers at once"), "{shown}");
}

#[test]
fn the_last_move_and_refusals_are_in_colour() {
    let (mut output, mut shown) = (Vec::new(), Vec::new());
    let settings = Settings { hash_mb: 1, nodes: Some(5) };
    let game = registry::main_game();
    let input = "Start\nwhat is this\n";
    let clock = Clock::start(game.contest.time);
    let start = Start { game, is_second: false };
    run(start, settings, clock, &mut input.as_bytes(), &mut output, &mut shown).expect("a session");
    let [output, shown] = [output, shown].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(shown.contains(&painted(output.trim_end(), style::LAST)), "{shown}");
    assert!(shown.contains(&painted("One move at a time.", style::WARNING)[..12]), "{shown}");
    assert!(!output.contains('\u{1b}'), "the judge's lines have no colour");
}

#[test]
fn positions_of_others_are_played_from() {
    let game = games().find(|game| game.format.is_some()).expect("a game with positions");
    let shown = screen(game, "position 4k3/8/8/8/8/8/4P3/4K2R W KQkq e6 143 201\ne4\nrecord\n");
    for words in ["castling \"KQkq\"", "en passant square \"e6\"", "143 half-moves", "move 201"] {
        assert_eq!(shown.matches(words).count(), 1, "{words}: {shown}");
    }
    assert!(shown.contains("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"), "{shown}");
    assert!(!shown.contains("The game is over"), "{shown}");
    let folder = tempfile::tempdir().expect("a writable directory");
    let file = folder.path().join("games.pgn");
    fs::write(&file, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w K - 0 1\"]\n\n1. e4 Ke7 2. Zz9 *\n")
        .expect("written");
    let shown = screen(game, &format!("load {}\nmoves\n", file.display()));
    assert!(shown.contains("castling \"K\"") && shown.contains("\"Zz9\""), "{shown}");
    assert!(shown.contains("2 moves loaded"), "{shown}");
}

/// Lines typed by a person, who can be asked.
struct Person<'a>(&'a [u8]);

impl Lines for Person<'_> {
    fn next_line(&mut self, screen: &mut dyn Write) -> io::Result<Option<String>> {
        self.0.next_line(screen)
    }

    fn is_person(&self) -> bool {
        true
    }
}

/// Returns the screen of a person who types these lines, and the name of the game chosen to play next.
fn by_person(game: &'static Entry, lines: &str) -> (String, Option<&'static str>) {
    let (mut output, mut shown) = (Vec::new(), Vec::new());
    let settings = Settings { hash_mb: 1, nodes: Some(5) };
    let clock = Clock::start(game.contest.time);
    let start = Start { game, is_second: true };
    let mut input = Person(lines.as_bytes());
    let next = run(start, settings, clock, &mut input, &mut output, &mut shown).expect("a session");
    let shown = style::plain(&String::from_utf8(shown).expect("text"));
    (shown, next.map(|start| start.game.name))
}

#[test]
fn leaving_an_unfinished_game_asks_to_save_it() {
    let folder = tempfile::tempdir().expect("a writable directory");
    let question = "Save the unfinished game?";
    for game in games() {
        let file = folder.path().join(game.name);
        let name = file.display();
        for leave in ["quit\n", "exit\n", ""] {
            let (shown, next) = by_person(game, leave);
            assert!(shown.contains(question) && next.is_none(), "{leave}: {shown}");
        }
        // A folder is there already under the first name.
        let taken = folder.path().display();
        let (shown, _) = by_person(game, &format!("quit\n{taken}\nquit\n{name}\n"));
        assert_eq!(shown.matches(question).count(), 2, "{shown}");
        assert!(file.exists(), "{shown}");
        // Nothing is unsaved after a save, a load, or before the first move.
        for lines in ["new\nquit\n".to_string(), format!("load {name}\nquit\n")] {
            let (shown, _) = by_person(game, &lines);
            assert!(!shown.contains(question), "{lines}: {shown}");
        }
    }
}

#[test]
fn another_game_is_begun_by_its_name() {
    for other in games() {
        for line in ["play ", ""].map(|command| format!("{command}{}\n\n", other.name)) {
            let (_, next) = by_person(registry::main_game(), &line);
            assert_eq!(next, Some(other.name), "{line}");
        }
    }
    assert_eq!(registry::find_short("no-such-game"), None);
}

#[test]
fn the_game_and_the_side_are_chosen_at_the_start() {
    let chosen = |lines: &str| {
        let mut screen = Vec::new();
        let start = choose_game(&mut Person(lines.as_bytes()), &mut screen).expect("a choice");
        let screen = String::from_utf8(screen).expect("text");
        (start.map(|start| (start.game.name, start.is_second)), screen)
    };
    assert_eq!(chosen("\n\n").0, Some((registry::main_game().name, false)));
    for (index, game) in GAMES.iter().enumerate() {
        let second = game.sides[1];
        for name in [format!("{}", index + 1), game.name.to_uppercase()] {
            let (found, screen) = chosen(&format!("go\n{name}\nnobody\n{second}\n"));
            assert_eq!(found, Some((game.name, true)), "{screen}");
            assert!(screen.contains("I don't know \"go\"."), "{screen}");
        }
    }
    for lines in ["", "quit\n", "1\nexit\n"] {
        assert_eq!(chosen(lines).0, None, "{lines}");
    }
}

#[test]
fn levels_limit_the_nodes() {
    let game = registry::main_game();
    let (_, shown) = session(game, "level easy\nlevel Beginner\nlevel full\n");
    for limit in ["150 nodes a move", "20 nodes a move", " s left"] {
        assert!(shown.contains(limit), "{limit}: {shown}");
    }
}

#[test]
fn an_empty_line_takes_a_good_setup() {
    let (output, shown) = session(registry::main_game(), "nodes 5\n\n");
    assert_eq!(output.lines().count(), 1, "{shown}");
    assert!(shown.contains("2 moves made"), "{shown}");
}
