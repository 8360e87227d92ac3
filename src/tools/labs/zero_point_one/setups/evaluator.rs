//! Evaluation of setups.

use crate::engine::score::Score;
use crate::games::zero_point_one::eval::Evaluator;
use crate::games::zero_point_one::game::Game;
use crate::games::zero_point_one::notation::Setup;
use crate::games::zero_point_one::search::params::Params;
use crate::games::zero_point_one::search::{Limits, Searcher};
use crate::games::zero_point_one::types::Colour;
use std::collections::{HashMap, HashSet};

/// Size of the transposition table, in MiB.
const HASH_MB: usize = 4;

/// Scores pairs of setups by search and caches the scores.
pub struct SetupEvaluator {
    searcher: Searcher,
    nodes: u64,
    known: HashMap<(Setup, Setup), Score>,
}

impl SetupEvaluator {
    /// Creates an evaluator that searches every pair with this soft node limit.
    pub fn new(evaluator: Evaluator, nodes: u64) -> SetupEvaluator {
        let searcher = Searcher::with_evaluator(Params::default(), evaluator, HASH_MB);
        SetupEvaluator { searcher, nodes, known: HashMap::new() }
    }

    /// Returns the score of a pair for Red.
    pub fn score(&mut self, red: Setup, blue: Setup) -> Score {
        let SetupEvaluator { searcher, nodes, known } = self;
        *known.entry((red, blue)).or_insert_with(|| {
            searcher.clear();
            let limits = Limits { soft_nodes: Some(*nodes), ..Limits::default() };
            searcher.search(&Game::from_setups(red, blue), limits).score
        })
    }

    /// Returns a side's pool with scores, the best first, without duplicates. Red's setup is scored against the best
    /// answer of Blue's pool. An answer is scored by its highest gain over the best other answer, over all setups of
    /// Red's pool.
    pub fn ranked(&mut self, colour: Colour, pools: &[Vec<Setup>; 2]) -> Vec<(Setup, Score)> {
        let [reds, blues] = pools;
        let table: Vec<Vec<Score>> = reds
            .iter()
            .map(|&red| blues.iter().map(|&blue| self.score(red, blue)).collect())
            .collect();
        let min = |row: &[Score]| row.iter().copied().min().unwrap_or(0);
        let mut ranked: Vec<(Setup, Score)> = match colour {
            Colour::Red => reds.iter().zip(&table).map(|(&red, row)| (red, min(row))).collect(),
            Colour::Blue => {
                let gain = |index: usize| {
                    let gains = table.iter().map(|row| best_other(row, index) - row[index]);
                    gains.max().unwrap_or(0)
                };
                blues.iter().enumerate().map(|(index, &blue)| (blue, gain(index))).collect()
            }
        };
        ranked.sort_by_key(|&(_, score)| -score);
        let mut seen = HashSet::new();
        ranked.retain(|&(setup, _)| seen.insert(setup));
        ranked
    }
}

/// Returns Red's score after the best answer other than this one.
fn best_other(row: &[Score], index: usize) -> Score {
    let others = row.iter().enumerate().filter(|&(other, _)| other != index);
    others.map(|(_, &score)| score).min().unwrap_or(row[index])
}
