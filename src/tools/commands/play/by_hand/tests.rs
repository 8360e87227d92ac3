use super::*;
use crate::engine::rng::Rng;
use crate::tools::contracts::lessons::Lesson;
use crate::tools::labs::game_reader;
use crate::tools::labs::registry::{self, GAMES};
use std::fs;

/// The games of the table that have a board.
fn games() -> impl Iterator<Item = &'static Entry> {
    GAMES.iter().copied().filter(|game| game.tools.by_hand.is_some())
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
        let file = folder.path().join(format!("a {}", game.rules.name));
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
        assert!(refused.contains("already exists"), "{refused}");
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
        let hand = game.tools.by_hand.as_ref().expect("one");
        let board = (hand.player)(Settings { hash_mb: 1, nodes: None }).board();
        assert!(shown.contains(&style::plain(&board)), "{game:?}: {shown}");
        let (_, begun) = session(game, "new\n");
        assert_eq!(begun.matches(style::plain(&board).trim_end()).count(), 2, "{begun}");
        let (_, all) = session(game, "help\nhelp\n");
        let help = all.split("> ").nth(1).expect("a help");
        // With the line of the prompt.
        assert!(help.lines().count() < 24, "{game:?}: {} lines", help.lines().count());
        for text in [&shown, help] {
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(80), "{game:?}: {widest:?} in {text}");
        }
    }
}

#[test]
fn scores_and_hints_are_shown_in_words() {
    for game in games() {
        let (_, shown) = session(game, "nodes 50\nStart\nStart\nStart\nhint\nlevel\n");
        let said: Vec<&str> = shown.lines().filter(|line| line.contains("cupbot plays ")).collect();
        assert_eq!(said.len(), 3, "{shown}");
        let units = [
            " for White",
            " pieces for Red",
            "White's chances: ",
            " mates in ",
            " wins in ",
            " points expected",
            "from cupbot's plan",
        ];
        assert!(units.iter().any(|unit| said[2].contains(unit)), "{shown}");
        let is_hint = |line: &&str| line.contains("> ") && line.contains("  (");
        let hint = shown.lines().rfind(is_hint).expect("a hint");
        assert!(units.iter().any(|unit| hint.contains(unit)), "{shown}");
        assert!(shown.contains("Level: 50 nodes a move"), "{shown}");
    }
}

#[test]
fn bad_arguments_leave_the_game_unchanged() {
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
            ("load no-such-file", "no such file"),
            (&format!("load {}", folder.path().display()), "it is a folder"),
            (&format!("save {}", folder.path().display()), "already exists"),
            (&format!("save {}/inner", path("other")), "There is no folder"),
            (&format!("load {}", path("other")), "has a game of"),
            (&format!("load {}", path("two")), "2 games"),
            (&format!("load {} c", path("two")), "none of this number or id"),
            (&format!("load {} 3", path("two")), "none of this number or id"),
            (&format!("load {}", path("illegal")), "ply 2"),
            (&format!("load {}", path("garbage")), "line 1"),
            ("nodes 0", "a number above 0"),
            ("nodes many", "a number above 0"),
            ("Time soon", "milliseconds"),
            ("Time 0", "milliseconds"),
            ("undo 2", "takes no arguments"),
            ("record all", "takes no arguments"),
            ("Opening hello", "Move 1"),
            ("Strat", "Did you mean Start?"),
            ("what is this", "One move at a time."),
        ];
        for (line, reason) in cases {
            let (output, shown) = session(game, &format!("nodes 5\nStart\n{line}\nrecord\n"));
            let refused = shown.replace('\n', " ");
            let (_, after) =
                refused.split_once(reason).unwrap_or_else(|| panic!("{line}: {reason} in {shown}"));
            // The user may try again.
            assert!(after.contains(&format!("{}> ", game.rules.sides[1])), "{line}: {shown}");
            assert_eq!(output.lines().count(), 1, "{line}: {output}");
            assert!(shown.contains(&format!("> {}\n", own[0])), "{line}: {shown}");
        }
        let chosen =
            screen(game, &format!("load {} b\nnew\nload {} 1\n", path("two"), path("two")));
        assert_eq!(chosen.matches("2 moves loaded").count(), 2, "{chosen}");
    }
}

#[test]
fn commands_and_moves_may_have_any_case() {
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
        assert_eq!(output.lines().count(), 1, "{shown}");
        assert!(shown.contains(&format!("> {first} ")), "{shown}");
    }
}

#[test]
fn a_level_applies_until_a_node_limit_is_set() {
    for game in games() {
        let shown = screen(game, "level easy\nStart\nlevel\nlevel silly\nnodes 3\nlevel\n");
        assert_eq!(shown.matches("Level: easy (beginner, easy, medium").count(), 2, "{shown}");
        assert!(shown.contains("Levels: expected one of beginner"), "{shown}");
        assert!(shown.contains("Level: 3 nodes a move"), "{shown}");
        assert_eq!(shown.matches("cupbot plays ").count(), 1, "{shown}");
    }
}

#[test]
fn the_lobby_accepts_games_levels_and_sides() {
    let games: Vec<&Entry> = games().collect();
    let shown = |input: &str| {
        let (mut output, mut shown) = (Vec::new(), Vec::new());
        let options = PlayerOptions { hash: Some(1), ..PlayerOptions::default() };
        run(None, options, &mut input.as_bytes(), &mut output, &mut shown).expect("a session");
        style::plain(&String::from_utf8(shown).expect("text"))
    };
    let text = shown("hello\nquit\n");
    assert!(text.contains("Type the number or the name of a game"), "{text}");
    for (number, game) in (1..).zip(&games) {
        let [first, second] = game.rules.sides;
        for name in [
            number.to_string(),
            game.rules.name.to_string(),
            format!("play {}", &game.rules.name[..4]),
        ] {
            let text = shown(&format!("{name} easy\n{second}\n"));
            assert!(text.contains("Level: easy.") && text.contains(game.rules.title), "{text}");
            assert!(
                text.contains("cupbot plays ") && text.contains(&format!("{second}> ")),
                "{text}"
            );
            let text = shown(&format!("{name}\n\n"));
            assert!(
                text.contains("Level: medium.") && text.contains(&format!("{first}> ")),
                "{text}"
            );
            assert!(!text.contains("cupbot plays "), "{text}");
        }
    }
    let text = shown("1\n\nplay 2\nplay nothing\n1\n");
    assert!(text.contains(games[1].tools.by_hand.as_ref().expect("one").welcome), "{text}");
    assert!(text.contains("Type `play` and the name"), "{text}");
}

#[test]
fn an_unfinished_game_is_saved_if_wanted() {
    let folder = tempfile::tempdir().expect("a writable directory");
    let file = folder.path().join("game");
    for end in ["quit", "exit", "play 2"] {
        let _ = fs::remove_file(&file);
        let lines = format!("Start\n{end}\ncancel\nboard\n{end}\n{}\nquit\n", file.display());
        let shown = screen(registry::main_game(), &lines);
        assert_eq!(shown.matches("Save the unfinished game?").count(), 2, "{shown}");
        assert!(shown.contains("1 move saved") && file.exists(), "{shown}");
        let shown = screen(registry::main_game(), &format!("Start\n{end}\nno\n"));
        assert!(!shown.contains(" saved"), "{shown}");
    }
    let shown = screen(registry::main_game(), "quit\n");
    assert!(!shown.contains("Save the unfinished"), "nothing has been played: {shown}");
}

#[test]
fn a_game_as_long_as_the_saved_one_is_not_saved() {
    let folder = tempfile::tempdir().expect("a writable directory");
    for game in games() {
        let state = (game.rules.begin)(None).expect("a game");
        let mut rng = Rng::new(1);
        let [first, other] = [(); 2].map(|()| state.random_move(&mut rng).expect("a move"));
        assert_ne!(first, other);
        for (again, questions) in [(&other, 1), (&first, 0)] {
            let file = folder.path().join(format!("{}-{questions}", game.rules.name));
            let file = file.display();
            let lines = format!("Opening {first}\nsave {file}\nundo\nOpening {again}\nquit\n");
            let shown = screen(game, &lines);
            assert!(shown.contains("1 move saved"), "{shown}");
            assert_eq!(shown.matches("Save the unfinished game?").count(), questions, "{shown}");
        }
    }
}

#[test]
fn undo_restores_the_time_left() {
    let game = registry::main_game();
    let opening = beginning(game).join(" ");
    let lines = "Time 9000\nTime\nStart\nTime\nundo\nTime\nnodes 7\nTime\n";
    let (_, shown) = session(game, &format!("Opening {opening}\n{lines}"));
    let left: Vec<f64> = shown
        .lines()
        .filter_map(|line| line.strip_suffix(" s left")?.rsplit([' ', '>']).next()?.parse().ok())
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
    let options = PlayerOptions { hash: Some(1), nodes: Some(5), ..PlayerOptions::default() };
    let game = Some(registry::main_game());
    let input = "Start\nwhat is this\n";
    run(game, options, &mut input.as_bytes(), &mut output, &mut shown).expect("a session");
    let [output, shown] = [output, shown].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(shown.contains(&painted(output.trim_end(), style::LAST)), "{shown}");
    assert!(shown.contains(&painted("One move at a time", style::WARNING)[..12]), "{shown}");
    assert!(!output.contains('\u{1b}'), "the judge's lines have no colour");
}

#[test]
fn foreign_positions_are_loaded_with_remarks() {
    let game = games().find(|game| game.tools.format.is_some()).expect("a game with positions");
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

#[test]
fn lessons_are_solved_and_the_game_waits() {
    for game in GAMES {
        let Some(board) = &game.tools.board else { continue };
        let solution = |lesson: &Lesson| board.solution(game.rules, lesson).expect("a solution");
        let solutions: Vec<String> = board.lessons.iter().map(solution).collect();
        let (_, screen) = session(game, &format!("learn\n{}\n", solutions.join("\n")));
        assert!(screen.contains("Lesson 1 of ") && screen.contains("Right."), "{screen}");
        assert!(screen.contains("That was the last lesson"), "{screen}");
    }
    let setups = "WFNADAAADDFDAAAA aaaadddaaadaffnw";
    let lines =
        format!("Opening {setups}\nlearn 4\na1a2\nnew\nhint\na1b3\nlearn 9\nleave\nrecord\n");
    let (_, screen) = session(registry::main_game(), &lines);
    for words in
        ["Lesson 4 of ", "Not yet. Capture the wazir.", "`leave`", "c3c5", "Not possible", "1 to 7"]
    {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    let record = screen.rsplit("Not possible").next().unwrap_or_default();
    assert!(record.contains(setups), "{screen}");
}
