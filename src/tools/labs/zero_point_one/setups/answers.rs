//! `cupbot setups --answer`: Blue's answers to given setups of Red. A long search for the best
//! answer to each finds the candidates; those are chosen that together answer all of them best.

use super::evaluator::SetupEvaluator;
use crate::engine::clock::Measure;
use crate::engine::score::Score;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::Searcher;
use crate::games::zero_point_one::setup;
use crate::games::zero_point_one::types::Colour;
use crate::tools::support::files::read_text;
use crate::tools::support::progress_bar::Progress;
use anyhow::{ensure, Context, Result};
use std::path::Path;
use std::time::Duration;

/// A setup's score counts up to this: what is won is won.
const MAX_SCORE: Score = 400;

/// The setups of a side in a file, each once; see [`setup::listed`].
pub fn read(path: &Path, colour: Colour) -> Result<Vec<Setup>> {
    let name = path.display();
    let text = read_text(path).with_context(|| format!("reading {name}"))?;
    let mut setups: Vec<Setup> = Vec::new();
    for setup in setup::parse_list(&text, colour) {
        if !setups.contains(&setup) {
            setups.push(setup);
        }
    }
    ensure!(!setups.is_empty(), "{name}: no setup of {}", colour.name());
    Ok(setups)
}

/// The best answers found within `time` each, of which none is there twice.
pub fn candidates(searcher: &mut Searcher, reds: &[Setup], time: Duration) -> Vec<Setup> {
    let mut found = Vec::new();
    let mut progress = Progress::new("answers", 0, reds.len() as u64);
    for red in reds {
        searcher.clear();
        let blue = setup::answer(red, searcher, time, Measure::Processor);
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

/// At most `count` of the candidates, one after another the one that lowers Red's scores most, each
/// with what it gains in the mean.
pub fn chosen(
    setup_evaluator: &mut SetupEvaluator,
    reds: &[Setup],
    mut candidates: Vec<Setup>,
    count: usize,
) -> Vec<(Setup, Score)> {
    let mut left = vec![MAX_SCORE; reds.len()];
    let mut chosen = Vec::new();
    while chosen.len() < count {
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
        // Of equal ones the first.
        let best = gains.max_by_key(|&(gain, index)| (gain, std::cmp::Reverse(index)));
        let Some((total, index)) = best.filter(|&(total, _)| total > 0) else { break };
        let blue = candidates.remove(index);
        for (before, &red) in left.iter_mut().zip(reds) {
            *before = setup_evaluator.score(red, blue).clamp(-MAX_SCORE, *before);
        }
        chosen.push((blue, total / reds.len() as Score));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rng::Rng;
    use crate::games::zero_point_one::eval::Evaluator;
    use crate::tools::labs::zero_point_one::handmade;

    #[test]
    fn the_answer_that_gains_most_comes_first() {
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
        let chosen = chosen(&mut setup_evaluator, &reds, blues, 4);
        assert!((1..=4).contains(&chosen.len()));
        assert_eq!(Some(total(&mut setup_evaluator, chosen[0].0)), min);
        assert!(chosen.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{chosen:?}");
    }

    #[test]
    fn reads_each_setup_of_the_side_once() {
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
