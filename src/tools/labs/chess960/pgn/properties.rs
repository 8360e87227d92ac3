//! Property test: good games are read with any kind of damage between them.

use super::tests::found;
use crate::engine::rng::Rng;
use crate::games::chess960::game::Game;
use crate::games::chess960::position::{CastlingRule, Position};
use crate::games::chess960::{movegen, start};
use crate::tools::contracts::record::{Annotations, Outcome, Record, Variation};
use crate::tools::labs::chess960::{fen, notation, rules::RULES};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;

/// Games as programs write them, with their numbers of moves.
const GOOD: [(&str, usize); 5] = [
    (
        "[Event \"a\"]\n[White \"A\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n",
        7,
    ),
    ("[Event \"b\"]\n\n1. d4 {a comment} d5 (1... Nf6 2. c4 (2. Nf3 g6)) 2. c4 *\n", 3),
    (
        "[Event \"c\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke7 2. e5 *\n",
        3,
    ),
    ("[Event \"d\"]\n[Variant \"Chess960\"]\n\n1. Nf3 {[%eval 0.2]} Nf6 {+0.10/8}\n*\n", 2),
    ("[White \"x\"]\n[Black \"y\"]\n\n1. c4 c5 2. Nc3 $1 Nc6! 1/2-1/2\n", 4),
];

/// Text between the games of damaged files.
const DAMAGE: [&str; 40] = [
    "",
    "hello world\n",
    "<html><body>404</body></html>\n",
    "[Event \"cut\n",
    "[Event cut]\n",
    "[]\n",
    "[Time Control \"5+3\"]\n",
    "[White \"no bracket\"\n",
    "[Event \"x\"]\n[Result \"1-0\"]\n",
    "[Event \"x\"]\n\n1. e4 e5 2. Zz9 Nf3 1-0\n",
    "[Event \"x\"]\n\n1. e4 e5 2. -- Nf6 1-0\n",
    "[Event \"x\"]\n\n1. e4 {never closed\n\n",
    "[Event \"x\"]\n\n1. e4 {never closed 1-0\n",
    "[Event \"x\"]\n\n1. e4 (1. d4 (1. c4 c5 1-0\n",
    "[Event \"x\"]\n\n1. e4 ((((((((\n",
    "[Event \"x\"]\n\n1. e4 )))) } ] e5 *\n",
    "[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n",
    "[Event \"x\"]\n[FEN \"no position\"]\n\n1. e4 e5 *\n",
    "[Event \"x\"]\n[FEN \"?\"]\n\n1. e4",
    "1-0\n",
    "* * *\n",
    "{a comment alone}\n",
    "{an open comment alone\n",
    "; to the end of the line {\n",
    "% an escape {\n",
    "\u{feff}",
    "\u{1a}\u{1a}",
    "\0\0\0\n",
    "(1. e4\n",
    "$$$ $999 !!! ??\n",
    "1. e4 e5\n",
    "1/2\n",
    "\u{fffd}\u{fffd}\u{fffd} \u{202e}\n",
    "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. B",
    "[][][]\n[ [ [\n",
    "[Event \"x\"]\n\n1. e4 [ e5\n",
    "[Event \"x\"]\n[Variant \"FRC\"]\n[FEN \"8/8 w\"]\n\n1. O-O O-O-O {x} $1 1-0\n",
    "[Event \"x\"] [White \"y\"] junk\n",
    "-----------\n\t\u{b}\u{c}\n",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
];

/// Returns the name and the number of moves of each game read.
fn counts(text: &str) -> Vec<(String, usize)> {
    let records = found(text).into_iter().filter_map(|(_, record)| record.ok());
    let name = |tags: &[(String, String)], players: &[Option<String>; 2]| {
        let event = tags.iter().find(|(name, _)| name == "Event").map(|(_, value)| value.clone());
        event.or(players[0].clone()).unwrap_or_default()
    };
    records.map(|r| (name(&r.tags, &r.players), r.moves.len())).collect()
}

/// Parts of comments, with the commands of servers and the scores of match runners.
const COMMENT_PARTS: [&str; 14] = [
    "+0.35/12 0.1s",
    "-M3/9",
    "[%clk 0:01:59]",
    "[%emt 0:00:03.5]",
    "[%eval -0.35,12]",
    "[%eval #-3]",
    "[%csl Ga1,Rb2]",
    "[%cal Ga1b1,Yh8h1]",
    "plain text,  of several words (and brackets)",
    "[Event \"x\"]",
    "1. e4 {",
    "; % $1 *",
    "Müller – ½",
    "1-0",
];
/// Tags beyond the mandatory ones.
const TAGS: [(&str, &str); 7] = [
    ("ECO", "C20"),
    ("WhiteElo", "?"),
    ("Termination", "Time forfeit"),
    ("TimeControl", "40/7200:3600"),
    ("X-odd+name", "a \"quoted\" \\ value \\\\ ]"),
    ("Variant", "Standard"),
    ("Annotator", ""),
];

/// Makes random moves, in variations also null moves, from a position, with comments, glyphs and variations.
fn random_line(rng: &mut Rng, mut now: Position, depth: usize) -> (Vec<String>, Annotations) {
    let (mut moves, mut said) = (Vec::new(), Annotations::default());
    for ply in 0..2 + rng.below(8) {
        if ply > 0 {
            let legal = movegen::moves(&now);
            if legal.is_empty() {
                break;
            }
            if depth < 3 && rng.below(5) == 0 {
                let (moves, annotations) = random_line(rng, now, depth + 1);
                said.variations.push(Variation { ply, moves, annotations });
            }
            let mv = legal[rng.below(legal.len())];
            let is_pass = depth > 0 && !now.checkers().any() && rng.below(6) == 0;
            moves.push(if is_pass { notation::PASS.to_string() } else { mv.to_string() });
            now = if is_pass { now.make_null() } else { now.make(mv) };
            let glyphs: BTreeSet<u16> = (0..rng.below(3)).map(|_| rng.below(256) as u16).collect();
            if !glyphs.is_empty() {
                said.glyphs.insert(ply, glyphs.into_iter().collect());
            }
        }
        let parts: Vec<&str> =
            (0..rng.below(4)).map(|_| COMMENT_PARTS[rng.below(COMMENT_PARTS.len())]).collect();
        if !parts.is_empty() {
            said.comments.insert(ply, parts.join(" "));
        }
    }
    (moves, said)
}

/// Makes a random annotated game.
fn random_game(rng: &mut Rng) -> Record {
    let late = "r3k2r/8/8/8/8/8/1P6/R1R1K2R b KCkq - 99 140";
    let start = match rng.below(3) {
        0 => None,
        // Up to the start of classical chess, which needs no tag.
        1 => Some(start::numbered(rng.below(518), CastlingRule::Arena)),
        _ => Some(Position::from_fen(late, CastlingRule::Arena).expect(late)),
    };
    let position = start.unwrap_or(*Game::default().start());
    let (moves, annotations) = random_line(rng, position, 0);
    let mut tags = vec![("Event", "A – Z"), ("Site", "x"), ("Date", "2026.01.02"), ("Round", "3")];
    tags.extend(TAGS.iter().filter(|_| rng.below(2) == 0));
    let outcomes = [Outcome::Draw, Outcome::won("white"), Outcome::won("black")];
    let outcome = outcomes.get(rng.below(4)).cloned();
    tags.extend(outcome.is_none().then_some(("Result", "*")));
    Record {
        outcome,
        players: [Some("A".to_string()), (rng.below(2) == 0).then(|| "B, C".to_string())],
        tags: tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        annotations,
        is_foreign: true,
        ..Record::new(&RULES, start.map(|position| fen::text(&position)), moves)
    }
}

proptest! {
    #[test]
    fn written_games_are_read_back_with_everything(seed: u64) {
        let record = random_game(&mut Rng::new(seed));
        let text = super::writer::write(&record).expect("written");
        let found = found(&text).swap_remove(0).1.expect("readable");
        prop_assert_eq!(&found.remarks, &[""; 0], "{}", text);
        prop_assert_eq!(&found.moves, &record.moves, "{}", text);
        prop_assert_eq!(&found.start, &record.start, "{}", text);
        prop_assert_eq!(&found.annotations, &record.annotations, "{}", text);
        prop_assert_eq!(&found.players, &record.players);
        let winner = |record: &Record| {
            let outcome = record.outcome.as_ref().map(Outcome::to_string);
            outcome.map(|text| text.split('-').next().map(str::to_string))
        };
        prop_assert_eq!(winner(&found), winner(&record), "{}", text);
        let missing = record.tags.iter().find(|tag| !found.tags.contains(tag));
        prop_assert_eq!(missing, None, "{}", text);
        // Everything else: scores, tags of the position, the order of the tags.
        prop_assert_eq!(super::writer::write(&found).expect("written"), text);
    }

    #[test]
    fn every_good_game_is_read_whatever_stands_between(
        parts in vec((select(&DAMAGE[..]), 0..GOOD.len()), 1..8),
        gap in select(&["\n", "\n\n", "\r\n\r\n"][..]),
    ) {
        let mut text = String::new();
        for (damage, good) in &parts {
            text += damage;
            text += gap;
            text += GOOD[*good].0;
            text += gap;
        }
        let found = counts(&text);
        let mut found = found.iter().filter(|(name, _)| name != "x" && !name.is_empty());
        for (_, good) in &parts {
            let name = ["a", "b", "c", "d", "x"][*good];
            if name == "x" {
                continue;
            }
            let next = found.next();
            prop_assert_eq!(next, Some(&(name.to_string(), GOOD[*good].1)), "{}", text);
        }
        prop_assert_eq!(found.next(), None);
        // A game without an event is identified by its player, because damage may remove tags.
        let wanted = parts.iter().filter(|(_, good)| *good == 4).count();
        let whole = counts(&text).iter().filter(|(name, n)| name == "x" && *n == 4).count();
        prop_assert!(whole >= wanted, "{}", text);
    }

    #[test]
    fn any_text_is_read_to_its_end(bytes in crate::fuzz::any_bytes(600)) {
        let mut count = 0;
        let read = super::reader::read(&mut &bytes[..], &mut |_| {
            count += 1;
            Ok(())
        });
        prop_assert!(read.is_ok() && count < 600);
    }

    #[test]
    fn damaged_games_are_read_and_written_again(
        bytes in crate::fuzz::mutated(GOOD.map(|(text, _)| text).concat().into_bytes()),
    ) {
        let text = String::from_utf8_lossy(&bytes);
        for record in found(&text).into_iter().filter_map(|(_, record)| record.ok()) {
            let written = super::writer::write(&record).expect("a parsed record can be written");
            let again = found(&written).swap_remove(0).1.expect("a written record can be parsed");
            prop_assert_eq!(&again.moves, &record.moves, "{}", written);
            prop_assert_eq!(&again.annotations, &record.annotations, "{}", written);
        }
    }
}
