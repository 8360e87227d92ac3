//! `cupbot setups --answer`: Blue's answers to given setups of Red. A long search for the best answer to each setup
//! gives the candidates; of these a subset is selected that answers all setups best.

use super::evaluator::SetupEvaluator;
use crate::engine::score::Score;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::Searcher;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::Colour;
use crate::tools::support::files::{read_text, Named};
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::text::shown_name;
use anyhow::{ensure, Result};
use std::path::Path;
use std::time::Duration;

/// Scores are limited to this: the exact size of a won score does not matter.
const MAX_SCORE: Score = 400;

/// Reads the setups of a side from a file, without duplicates; see [`setup::parse_list`].
pub fn read(path: &Path, colour: Colour) -> Result<Vec<Setup>> {
    let text = read_text(path).named("reading", path)?;
    let mut setups: Vec<Setup> = Vec::new();
    for setup in setup::parse_list(&text, colour) {
        if !setups.contains(&setup) {
            setups.push(setup);
        }
    }
    ensure!(!setups.is_empty(), "{} contains no setups of {}", shown_name(path), colour.name());
    Ok(setups)
}

/// Returns the best answer to each setup, found within `time` each, without duplicates.
pub fn candidates(searcher: &mut Searcher, reds: &[Setup], time: Duration) -> Vec<Setup> {
    let mut found = Vec::new();
    let mut progress = Progress::new("answers", 0, reds.len() as u64);
    for red in reds {
        searcher.clear();
        let blue = setup::answer(red, searcher, time);
        let (text, answer) = (red.text(Colour::Red), blue.text(Colour::Blue));
        progress.remark(&format!("{text} {answer}"));
        progress.advance(String::new);
        if !found.contains(&blue) {
            found.push(blue);
        }
    }
    progress.finish();
    found
}

/// Selects at most `count` candidates greedily: each time the one that lowers Red's scores most. Returns them with
/// their mean gains.
pub fn select(
    setup_evaluator: &mut SetupEvaluator,
    reds: &[Setup],
    mut candidates: Vec<Setup>,
    count: usize,
) -> Vec<(Setup, Score)> {
    let mut left = vec![MAX_SCORE; reds.len()];
    let mut selected = Vec::new();
    while selected.len() < count {
        let gain = |setup_evaluator: &mut SetupEvaluator, blue: Setup| -> Score {
            let gains = reds.iter().zip(&left).map(|(&red, &before)| {
                let now = setup_evaluator.score(red, blue).clamp(-MAX_SCORE, MAX_SCORE);
                (before - now).max(0)
            });
            gains.sum()
        };
        let gains = candidates
            .iter()
            .enumerate()
            .map(|(index, &blue)| (gain(setup_evaluator, blue), index));
        // The first of equals.
        let best = gains.max_by_key(|&(gain, index)| (gain, std::cmp::Reverse(index)));
        let Some((total, index)) = best.filter(|&(total, _)| total > 0) else { break };
        let blue = candidates.remove(index);
        for (before, &red) in left.iter_mut().zip(reds) {
            *before = setup_evaluator.score(red, blue).clamp(-MAX_SCORE, *before);
        }
        selected.push((blue, total / reds.len() as Score));
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::games::zero_point_one::eval::Evaluator;
    use crate::tools::labs::zero_point_one::handmade;

    #[test]
    fn the_answer_with_the_highest_gain_is_first() {
        let mut rng = Rng::new(1);
        let mut setup_evaluator = SetupEvaluator::new(Evaluator::Formula(handmade::evaluate), 200);
        let reds: Vec<Setup> = (0..3).map(|_| setup::random_good(&mut rng)).collect();
        let blues: Vec<Setup> =
            (0..6).map(|_| setup::for_side(&setup::random_good(&mut rng), Colour::Blue)).collect();
        let total = |setup_evaluator: &mut SetupEvaluator, blue: Setup| -> Score {
            reds.iter()
                .map(|&red| setup_evaluator.score(red, blue).clamp(-MAX_SCORE, MAX_SCORE))
                .sum()
        };
        let min = blues.iter().map(|&blue| total(&mut setup_evaluator, blue)).min();
        let selected = select(&mut setup_evaluator, &reds, blues, 4);
        assert!((1..=4).contains(&selected.len()));
        assert_eq!(Some(total(&mut setup_evaluator, selected[0].0)), min);
        assert!(selected.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{selected:?}");
    }

    #[test]
    fn setups_are_read_without_duplicates() {
        let path = std::env::temp_dir().join(format!("cupbot-setups-{}", std::process::id()));
        let text = "AWAAAAANDFFDADAD +23\nnone\n\nAWAAAAANDFFDADAD\nwffdaaaaanaadadd +1\n";
        std::fs::write(&path, text).expect("a file");
        for colour in Colour::ALL {
            let setups = read(&path, colour).expect("setups");
            let texts: Vec<String> = setups.iter().map(|setup| setup.text(colour)).collect();
            let expected = text.lines().nth(if colour == Colour::Red { 0 } else { 4 });
            assert_eq!(Some(&*texts.join(" ")), expected.and_then(|line| line.split(' ').next()));
        }
        std::fs::write(&path, "none\n").expect("a file");
        assert!(read(&path, Colour::Red).is_err());
        std::fs::remove_file(&path).expect("removed");
    }
}
