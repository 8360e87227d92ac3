//! Self-play games in which a search scores the moves: their record, and their samples. A game describes only its
//! positions.

use super::game_file::{self, read_count, take, write_count, Record, Stored, Summary};
use super::samples::{Collector, Labels, Samples, Target};
use super::store::{Packed, StoreConfig};
use super::targets::{fitted_scale, Ply, ScoredGame};
use crate::tools::contracts::game_files::Magic;
use crate::tools::support::text::{count_of, shown_name};
use anyhow::{ensure, Context, Result};
use std::path::{Path, PathBuf};

/// Number of games at the start of a file to which its score scales are fitted.
const GAMES_TO_FIT: usize = 20_000;
/// Minimum number of scores to which the scale of a phase is fitted; a phase with fewer uses those of all phases.
const MIN_POINTS: usize = 200;
/// Encodes the missing score of a random move.
const NO_SCORE: i16 = i16::MIN;

/// A position of a game whose training games have scores.
pub trait TrainingPosition: Sized {
    /// Data that determines the first position of a game, e.g. the setups.
    type Start: Send;
    /// A move.
    type Move: Copy + PartialEq + Send;
    /// A training sample.
    type Sample: Packed;

    /// Start of the files.
    const MAGIC: Magic;
    /// Names of the sides, first mover first.
    const SIDES: [&'static str; 2];
    /// Number of phases of a game with separate score scales.
    const PHASES: usize = 1;

    /// Returns the phase of the move with this index.
    fn phase(_index: usize) -> usize {
        0
    }
    /// Appends the encoded start.
    fn write_start(start: &Self::Start, bytes: &mut Vec<u8>);
    /// Reads a start from the front of `bytes` and advances it.
    fn read_start(bytes: &mut &[u8]) -> Result<Self::Start>;
    /// Returns the first position of a game.
    fn first(start: &Self::Start) -> Self;
    /// Returns at most 256 moves in an order that depends only on the position: all that a game may continue with.
    fn moves(&self) -> Vec<Self::Move>;
    /// Returns the position after a move.
    fn after(&self, mv: Self::Move) -> Self;
    /// Returns the sample of the position, from which `ply` was played, if the position is suitable.
    fn sample(&self, ply: Ply<Self::Move>, target: f32) -> Option<Self::Sample>;
}

/// A self-play game.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingGame<P: TrainingPosition> {
    /// Data that determines the first position.
    pub start: P::Start,
    /// The moves.
    pub plies: Vec<Ply<P::Move>>,
    /// Index of the winner in [`TrainingPosition::SIDES`]; `None` for a draw. A game may be adjudicated before its end
    /// by the rules.
    pub winner: Option<usize>,
}

/// A game is encoded as the start, 0 for a draw or 1 or 2 for the winner, the number of plies, and 3 bytes per ply: the
/// index of the move, and the score.
impl<P: TrainingPosition> Record for TrainingGame<P> {
    const MAGIC: Magic = P::MAGIC;
    const SIDES: [&'static str; 2] = P::SIDES;

    fn write(&self, bytes: &mut Vec<u8>) {
        P::write_start(&self.start, bytes);
        bytes.push(self.winner.map_or(0, |winner| 1 + winner as u8));
        write_count(self.plies.len(), bytes);
        let mut position = P::first(&self.start);
        for &Ply { mv, score } in &self.plies {
            let index = position.moves().iter().position(|&other| other == mv);
            bytes.push(index.expect("a legal move") as u8);
            bytes.extend(score.unwrap_or(NO_SCORE).to_le_bytes());
            position = position.after(mv);
        }
    }

    fn read(bytes: &mut &[u8]) -> Result<TrainingGame<P>> {
        let start = P::read_start(bytes)?;
        let [winner] = take(bytes)?;
        ensure!(winner <= 2, "unknown winner {winner}");
        let winner = usize::from(winner).checked_sub(1);
        let mut game = TrainingGame { start, plies: Vec::new(), winner };
        let mut position = P::first(&game.start);
        for number in 0..read_count(bytes)? {
            let [index, low, high] = take(bytes)?;
            let mv = position.moves().get(usize::from(index)).copied();
            let mv = mv.with_context(|| format!("ply {number}: no move with index {index}"))?;
            let score = i16::from_le_bytes([low, high]);
            game.plies.push(Ply { mv, score: (score != NO_SCORE).then_some(score) });
            position = position.after(mv);
        }
        Ok(game)
    }

    fn summary(&self) -> Summary {
        Summary { positions: self.plies.len(), winner: self.winner }
    }
}

impl<P: TrainingPosition> TrainingGame<P> {
    fn scored(&self) -> ScoredGame {
        let result = self.winner.map_or(0.5, |winner| if winner == 0 { 1.0 } else { 0.0 });
        ScoredGame::new(&self.plies, result)
    }

    /// Returns the target of every ply, if it has one. `scales` are the score scales of the phases.
    pub fn targets(&self, target: Target, lambda: f32, scales: &[f32]) -> Vec<Option<f32>> {
        match target {
            Target::Blend => self.scored().targets(lambda, |index| scales[P::phase(index)]),
            Target::Result => self.scored().results(),
        }
    }

    /// Returns the samples of the suitable positions that have a target.
    pub fn samples(&self, targets: &[Option<f32>]) -> Vec<P::Sample> {
        let mut samples = Vec::new();
        let mut position = P::first(&self.start);
        for (&ply, &target) in self.plies.iter().zip(targets) {
            samples.extend(target.and_then(|target| position.sample(ply, target)));
            position = position.after(ply.mv);
        }
        samples
    }
}

/// Reads the samples of all games of the files. Returns them with the mean score scale of the files, in hundredths,
/// weighted by their games; `None` without games. Damaged blocks are reported on stderr and skipped.
pub fn read<P: TrainingPosition>(
    paths: &[PathBuf],
    labels: Labels,
    store: StoreConfig,
) -> Result<(Samples<P::Sample>, Option<f32>)> {
    let mut fits = Vec::new();
    let samples = Samples::of(paths, store, |collector, path| {
        fits.push(add_file::<P>(collector, path, labels)?);
        Ok(())
    })?;
    Ok((samples, mean_scale(&fits)))
}

/// Adds the games of a file. Returns its mean score scale and its number of games.
fn add_file<P: TrainingPosition>(
    collector: &mut Collector<P::Sample>,
    path: &Path,
    labels: Labels,
) -> Result<(f32, usize)> {
    let mut games = game_file::games::<TrainingGame<P>>(path)?;
    let first = games.by_ref().take(GAMES_TO_FIT).collect::<Result<Vec<_>>>()?;
    let scales = match labels.score_scale {
        Some(scale) => vec![scale; P::PHASES],
        None => fitted_scales(&points(first.iter().map(|stored| &stored.game))),
    };
    let mut count = 0;
    for stored in first.into_iter().map(Ok).chain(games) {
        let Stored { game, bytes } = stored?;
        collector.add_game(bytes, |target| {
            game.samples(&game.targets(target, labels.lambda, &scales))
        })?;
        count += 1;
    }
    let games = count_of(count, "game");
    tell!("{}: {games}, score scales {scales:.0?}", shown_name(path));
    Ok((scales.iter().sum::<f32>() / scales.len() as f32, count))
}

/// Returns the scores of each phase with the results for their movers.
fn points<'a, P: TrainingPosition + 'a>(
    games: impl Iterator<Item = &'a TrainingGame<P>>,
) -> Vec<Vec<(i16, f32)>> {
    let mut points = vec![Vec::new(); P::PHASES];
    for (index, score, result) in games.flat_map(|game| game.scored().points()) {
        points[P::phase(index)].push((score, result));
    }
    points
}

/// Fits the score scale of each phase such that the scores predict the results best.
fn fitted_scales(points: &[Vec<(i16, f32)>]) -> Vec<f32> {
    let all = points.concat();
    let of_phase = |points| if Vec::len(points) < MIN_POINTS { &all } else { points };
    points.iter().map(|points| fitted_scale(of_phase(points))).collect()
}

/// Returns the mean of score scales, weighted by numbers of games; `None` without games.
fn mean_scale(fits: &[(f32, usize)]) -> Option<f32> {
    let games: usize = fits.iter().map(|&(_, games)| games).sum();
    let sum: f32 = fits.iter().map(|&(scale, games)| scale * games as f32).sum();
    (games > 0).then(|| sum / games as f32)
}

/// Returns games of random moves with random scores, of at most 200 plies.
#[cfg(test)]
pub fn random_games<P: TrainingPosition>(
    count: usize,
    start: impl Fn(&mut crate::engine::rng::Rng) -> P::Start,
) -> Vec<TrainingGame<P>> {
    let mut rng = crate::engine::rng::Rng::new(1);
    let mut game = || {
        let start = start(&mut rng);
        let mut position = P::first(&start);
        let mut plies = Vec::new();
        while plies.len() < 200 {
            let moves = position.moves();
            let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            let score = (rng.below(8) > 0).then(|| (rng.below(60_001) as i32 - 30_000) as i16);
            plies.push(Ply { mv, score });
            position = position.after(mv);
        }
        let winner = rng.below(3).checked_sub(1);
        TrainingGame { start, plies, winner }
    };
    (0..count).map(|_| game()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_with_few_scores_uses_all_phases() {
        // Three of four games are won at a score of 300, which gives a scale of 300 / ln 3.
        let won = |count| vec![(300, 1.0); count];
        let many = [won(300), vec![(300, 0.0); 100]].concat();
        let scales = fitted_scales(&[many, won(3)]);
        let is_close = |scale: &f32| (scale - 300.0 / 3.0f32.ln()).abs() < 4.0;
        assert!(scales.len() == 2 && scales.iter().all(is_close), "{scales:?}");
        // A phase with enough scores has its own scale: here every lead wins, which gives the minimum.
        let scales = fitted_scales(&[won(300), vec![(300, 0.0); 100]]);
        assert!(scales[0] < scales[1], "{scales:?}");
    }

    #[test]
    fn scales_of_files_count_by_their_games() {
        assert_eq!(mean_scale(&[(300.0, 1), (400.0, 3)]), Some(375.0));
        assert_eq!(mean_scale(&[(300.0, 0)]), None);
    }
}
