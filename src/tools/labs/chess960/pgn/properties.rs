//! Property test: good games are read with any kind of damage between them.

use super::tests::found;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

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
    let count = |moves: &[String]| moves.iter().filter(|text| *text != "draw").count();
    records.map(|r| (name(&r.tags, &r.players), count(&r.moves))).collect()
}

/// Returns the moves without the arena's words and marks, which stand for a result.
fn bare(moves: &[String]) -> Vec<&str> {
    let is_word = |text: &&str| ["draw", "resign"].contains(text);
    moves.iter().map(|text| text.trim_end_matches('=')).filter(|text| !is_word(text)).collect()
}

proptest! {
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
            prop_assert_eq!(bare(&again.moves), bare(&record.moves), "{}", written);
            prop_assert_eq!(&again.annotations.variations.len(), &record.annotations.variations.len());
        }
    }
}
