//! Hints on the likely cause of a fault.

use super::{Dialogue, Ending, Fault, FaultKind};
use crate::engine::rng::Rng;
use crate::tools::contracts::{capitalised, GameState, Rules, Side};
use crate::tools::support::text::count_of;

/// The evidence on a fault.
pub struct Evidence<'a> {
    /// The fault.
    pub fault: &'a Fault,
    /// The side that committed it.
    pub side: Side,
    /// The game at the fault.
    pub game: &'a dyn GameState,
    /// The rules of the game.
    pub rules: &'a Rules,
    /// How the program ended.
    pub ending: &'a Ending,
}

/// Returns a hint if the evidence shows its cause.
type Hint = fn(&Evidence) -> Option<String>;

/// All hints. The first one that applies is given.
const HINTS: [Hint; 12] = [
    |e| say(e.has("not found"), "Is the path right? A program in this folder is ./NAME"),
    |e| {
        let text = "Make it executable (chmod +x FILE), or name its interpreter, e.g. python3 FILE";
        say(e.has("not executable"), text)
    },
    |e| {
        say(
            e.is_second_line(),
            &format!("A second line, before it was asked for one: {:?}", e.answer()),
        )
    },
    |e| say(e.is_refused() && e.answer().trim().is_empty(), "A blank line"),
    |e| say(e.has_words(), "Not a move; text for debugging belongs on stderr"),
    |e| Some(format!("Upper and lower case matter: did you mean {}?", e.in_other_case()?)),
    |e| say(e.may_not_know_own_lines(), OWN_LINES),
    |e| {
        let [own, other] = [e.side, !e.side].map(|side| capitalised(e.rules.side_name(side)));
        let text =
            format!("A first move of {other}: was `Start` taken for the first move of {own}?");
        say(e.is_of_other_side(), &text)
    },
    |e| {
        let rest = &e.ending.dialogue.unread;
        let text = format!("{rest:?} is not a complete line: is the newline missing?");
        say(e.is_unanswered() && !rest.is_empty(), &text)
    },
    |e| {
        let Dialogue { answers, answer_time, .. } = e.ending.dialogue;
        let mean = answer_time.as_secs_f64() * 1e3 / answers.max(1) as f64;
        let text = format!(
            "{} before, {mean:.0} ms each; this one never came{}",
            count_of(answers, "answer"),
            e.activity()
        );
        say(e.is_unanswered() && answers > 0, &text)
    },
    |e| {
        let text = "It used a whole processor: does it think too long, or in an endless loop?";
        say(e.is_unanswered() && e.ending.dialogue.is_computing == Some(true), text)
    },
    |e| say(e.is_unanswered(), "Is the output flushed? Does the bot wait for another line?"),
];

/// Hint for a program that fails at lines that it may not know.
const OWN_LINES: &str =
    "It may not know the lines that only cupbot sends (Time, Opening) and that are not answered: use plain:COMMAND, in a \
     match with --openings none";

fn say(applies: bool, text: &str) -> Option<String> {
    applies.then(|| text.to_string())
}

/// Returns the first hint that applies to a fault.
pub fn hint(evidence: &Evidence) -> Option<String> {
    HINTS.iter().find_map(|hint| hint(evidence))
}

impl Evidence<'_> {
    fn has(&self, detail: &str) -> bool {
        self.fault.kind == FaultKind::NotStarted && self.fault.detail == detail
    }

    /// Returns the refused answer; empty if the fault is another one.
    fn answer(&self) -> &str {
        self.fault.answer.as_deref().unwrap_or_default()
    }

    fn is_refused(&self) -> bool {
        self.fault.answer.is_some()
    }

    /// Whether a program wrote two lines where one was expected.
    fn is_second_line(&self) -> bool {
        self.is_refused() && self.ending.dialogue.is_early && self.ending.dialogue.answers > 1
    }

    /// Whether the answer is a text of several words.
    fn has_words(&self) -> bool {
        self.fault.kind == FaultKind::Garbage && self.answer().trim().contains(char::is_whitespace)
    }

    /// Says whether the program used the processor while it was waited for, if that is known.
    fn activity(&self) -> &'static str {
        match self.ending.dialogue.is_computing {
            Some(true) => ", using a whole processor",
            Some(false) => ". Does the bot wait for another line?",
            None => "",
        }
    }

    /// Whether the time ran out without an answer.
    fn is_unanswered(&self) -> bool {
        matches!(self.fault.kind, FaultKind::WallTime | FaultKind::Silence)
            && self.ending.dialogue.is_unanswered
    }

    /// Whether the program failed at its first answer after lines that only cupbot sends.
    fn may_not_know_own_lines(&self) -> bool {
        let Ending { dialogue, stderr, .. } = self.ending;
        dialogue.has_own_lines
            && match self.fault.kind {
                // Its own error is a better explanation.
                FaultKind::ExitAtStart => stderr.is_empty(),
                _ => self.is_refused() && dialogue.answers == 1,
            }
    }

    /// Whether a text is a legal move.
    fn is_legal(&self, text: &str) -> bool {
        self.game.copy().play(text).is_ok()
    }

    /// Returns the legal move that differs from the answer only in upper and lower case.
    fn in_other_case(&self) -> Option<String> {
        let answer = self.answer().trim();
        let lower = answer.to_lowercase();
        let forms = [lower.clone(), answer.to_uppercase(), capitalised(&lower)];
        let is_asked = self.is_refused() && !self.is_of_other_side();
        forms.into_iter().find(|text| is_asked && text != answer && self.is_legal(text))
    }

    /// Whether the first answer of the side that begins is a legal first move of the other side.
    fn is_of_other_side(&self) -> bool {
        let mut game = self.game.copy();
        let first = game.random_move(&mut Rng::new(0));
        let is_first = self.is_refused() && game.texts().is_empty();
        is_first
            && first.is_some_and(|first| game.play(&first).is_ok())
            && game.play(self.answer()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::main_game;
    use std::time::Duration;

    /// Returns the hint on a fault of the side to move after these moves.
    fn hint_on(fault: Fault, dialogue: Dialogue, moves: &[&str]) -> String {
        let rules = main_game().rules;
        let mut game = (rules.begin)(None).expect("a game");
        moves.iter().for_each(|text| game.play(text).expect("legal"));
        let ending = Ending { dialogue, ..Ending::default() };
        let (game, side) = (game.as_ref(), game.side());
        hint(&Evidence { fault: &fault, side, game, rules, ending: &ending }).unwrap_or_default()
    }

    #[test]
    fn hints_on_refused_answers_name_the_cause() {
        let setups = ["WFNADAAADDFDAAAA", "aaaadddaaadaffnw"];
        let refused = |text: &str, dialogue: &Dialogue, moves: &[&str]| {
            let fault = Fault::new(FaultKind::Garbage, "");
            let fault = Fault { answer: Some(text.to_string()), ..fault };
            hint_on(fault, dialogue.clone(), moves)
        };
        let first = Dialogue { answers: 1, ..Dialogue::default() };
        let own_lines = Dialogue { has_own_lines: true, ..first.clone() };
        let early = Dialogue { answers: 2, is_early: true, ..Dialogue::default() };
        for (text, dialogue, moves, expected) in [
            ("B5D3", &first, &setups[..], "Upper and lower case matter: did you mean b5d3?"),
            ("B5D3", &own_lines, &setups[..], "Upper and lower case matter: did you mean b5d3?"),
            (setups[0], &first, &setups[..1], "did you mean wfnadaaaddfdaaaa?"),
            (setups[1], &first, &[], "was `Start` taken for the first move of Red?"),
            (setups[1], &own_lines, &setups[..], OWN_LINES),
            ("b5b6", &own_lines, &setups[..], OWN_LINES),
            ("b5 is best", &own_lines, &setups[..], "belongs on stderr"),
            (" ", &first, &setups[..], "A blank line"),
            ("b5b6", &early, &setups[..], "A second line, before it was asked for one: \"b5b6\""),
        ] {
            let found = refused(text, dialogue, moves);
            assert!(found.ends_with(expected), "{text}: {found:?}");
        }
        assert_eq!(refused("b5b6", &first, &setups), "");
    }

    #[test]
    fn hints_on_silence_tell_waiting_from_computing() {
        let silent = |dialogue: &Dialogue| {
            let dialogue = Dialogue { is_unanswered: true, ..dialogue.clone() };
            hint_on(Fault::new(FaultKind::WallTime, ""), dialogue, &[])
        };
        let none = Dialogue::default();
        let computing = Dialogue { is_computing: Some(true), ..none.clone() };
        let (answers, answer_time) = (40, Duration::from_secs(2));
        let later = Dialogue { answers, answer_time, ..computing.clone() };
        let waiting = Dialogue { is_computing: Some(false), ..later.clone() };
        let unread = Dialogue { unread: "WFN".to_string(), ..none.clone() };
        for (dialogue, expected) in [
            (&none, "Is the output flushed? Does the bot wait for another line?"),
            (&computing, "It used a whole processor: does it think too long, or in an endless loop?"),
            (&later, "40 answers before, 50 ms each; this one never came, using a whole processor"),
            (
                &waiting,
                "40 answers before, 50 ms each; this one never came. Does the bot wait for another line?",
            ),
            (&unread, "\"WFN\" is not a complete line: is the newline missing?"),
        ] {
            assert_eq!(silent(dialogue), expected);
        }
        // A late answer is an answer.
        assert_eq!(hint_on(Fault::new(FaultKind::WallTime, ""), none, &[]), "");
    }
}
