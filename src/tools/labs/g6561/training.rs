//! `cupbot 6561 train`: learns the value of boards from games with careless partners.
//!
//! TD(lambda) on afterstates (R. Sutton, 1988), backwards over each whole game, with a separate learning rate for every
//! weight (temporal coherence: D. Beal and M. Smith, 1999; for 2048: W. Jaskowski, 2016). The network predicts the
//! discounted future gain. The learner makes the best move by its network. The main colour is fixed in each game. All
//! boards are recoloured as in a search.

use super::successors::successors;
use crate::engine::rng::Rng;
use crate::games::g6561::board::{Board, Colour, SQUARES};
use crate::games::g6561::game::{Turn, MAX_PLIES};
use crate::games::g6561::network::{material, phase, Network, DISCOUNT, FORMAT, TUPLES, WEIGHTS};
use crate::games::g6561::search::tidiness;
use crate::games::g6561::slides::Slides;
use crate::games::g6561::value::{roles, MAIN};
use crate::tools::support::ctrl_c;
use crate::tools::support::files::outputs::OutputFile;
use crate::tools::support::files::{ensure_begins, ensure_replaceable, replace_atomically};
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::text::{count_of, shown_name};
use crate::tools::support::units::{integer, parse_share};
use crate::tools::training::checkpoint::{Checkpoint, State};
use crate::tools::training::ensure_finite;
use crate::tools::training::report::{Charts, ReportOption};
use anyhow::Result;
use arrayvec::ArrayVec;
use std::process::ExitCode;
use std::sync::Arc;

/// Train the network of 6561 by self-play, from zero
///
/// Every `--every` games, prints the number of games, the mean units of the main colour at the end of the games since
/// the last report, and the mean score of test games with a random mover, without learning.
#[derive(clap::Args)]
pub struct Args {
    /// Output file of the network
    #[arg(short, long, value_name = "FILE")]
    output: OutputFile,
    /// Total number of games, including those of a checkpoint
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = integer::<u64>(1..))]
    games: u64,
    /// TD(lambda): weight of later moves, from 0 (next move only) to 1 (whole game)
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, value_parser = parse_share::<f64>)]
    lambda: f64,
    /// Maximum number of weights in the network file; the most important ones are kept
    #[arg(long, value_name = "N", default_value_t = 800_000, value_parser = integer::<usize>(0..))]
    keep: usize,
    /// Number of games between two reports
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = integer::<u64>(1..))]
    every: u64,
    /// Checkpoint file, written at every report (300 MB) and resumed if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<OutputFile>,
    #[command(flatten)]
    report: ReportOption,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer::<u64>(0..))]
    seed: u64,
}

/// Number of test games per report.
const TEST_GAMES: u64 = 60;
/// Penalty of a game that ends early, in points.
const EARLY_END: f32 = 500.0;

/// Trains a network and writes it to a file.
pub fn run(args: Args) -> Result<ExitCode> {
    ensure_begins(&args.output, FORMAT.prefix(), "network of this game")?;
    ensure_replaceable(&args.output)?;
    args.report.ensure_writable()?;
    args.checkpoint.as_deref().map_or(Ok(()), ensure_replaceable)?;
    ctrl_c::catch();
    let mut learner = Learner::new(&args);
    let checkpoint = args.checkpoint.as_deref().map(Checkpoint::open).transpose()?;
    let mut saver = Saver { args: &args, checkpoint };
    let mut games = saver.load(&mut learner)?;
    if games > 0 {
        tell!("resuming after {}", count_of(games, "game"));
    }
    let mut progress = Progress::new("games", games, args.games);
    let mut units = 0;
    let mut since = 0;
    let mut is_saved = false;
    while games < args.games && !ctrl_c::is_interrupted() {
        // Each game has a different random sequence, so that a resumed training continues as if it had not been
        // interrupted.
        let mut rng = Rng::new(args.seed.wrapping_mul(0x9e37_79b9).wrapping_add(games));
        units += u64::from(learner.learn_from_game(&mut rng));
        games += 1;
        since += 1;
        is_saved = false;
        progress.advance(|| format!("{:.1} units", units as f64 / since as f64));
        if games % args.every == 0 || games == args.games {
            let score = learner.test_score();
            let mean = units as f64 / since as f64;
            learner.charts.add("Mean score of test games, one ply deep", "", [games as f64, score]);
            let title = "Mean units of the main colour at the end of a game";
            learner.charts.add(title, "", [games as f64, (mean * 10.0).round() / 10.0]);
            (units, since) = (0, 0);
            saver.save(&mut learner, games)?;
            is_saved = true;
            // Printed last, so that a closed stdout can't prevent writing the files.
            say!("games {games} units {mean:.1} score {score:.0}")?;
        }
    }
    progress.finish();
    if !is_saved {
        saver.save(&mut learner, games)?;
    }
    if ctrl_c::is_interrupted() {
        let name = shown_name(&args.output);
        let how = match &args.checkpoint {
            Some(path) => format!("the same command continues from {}", shown_name(path)),
            None => "--checkpoint FILE lets a run continue".to_string(),
        };
        let games = count_of(games, "game");
        tell!("interrupted: {name} has the network after {games}; {how}");
        return Ok(ExitCode::from(ctrl_c::exit_status()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the output files of a training.
struct Saver<'a> {
    args: &'a Args,
    checkpoint: Option<Checkpoint>,
}

impl Saver<'_> {
    /// Formats the options that determine the result, except the number of games.
    fn settings(&self) -> String {
        format!("--seed {} --lambda {}", self.args.seed, self.args.lambda)
    }

    /// Reads the checkpoint, if there is one. Returns its number of games.
    fn load(&self, learner: &mut Learner) -> Result<u64> {
        let Some(checkpoint) = &self.checkpoint else { return Ok(0) };
        let Some(state) = checkpoint.load(&self.settings(), learner.numbers())? else {
            return Ok(0);
        };
        learner.charts = serde_json::from_str(&state.memo)?;
        Ok(state.done)
    }

    /// Writes the network and, if requested, the checkpoint and the report.
    fn save(&mut self, learner: &mut Learner, games: u64) -> Result<()> {
        ensure_finite(learner.network.weights())?;
        let settings = self.settings();
        if let Some(checkpoint) = &mut self.checkpoint {
            let memo = serde_json::to_string(&learner.charts)?;
            let state = State { done: games, steps: 0, memo };
            checkpoint.save(&settings, &state, &learner.numbers())?;
        }
        let Args { report, output, games: total, .. } = self.args;
        let title = format!("Training of {}", output.display());
        report.write(&title, &format!("{games} of {total} games"), "games", &learner.charts)?;
        let network = learner.pruned(self.args.keep).to_bytes();
        replace_atomically(&self.args.output, &network)
    }
}

/// A board after a move with the indices of its weights.
struct Seen {
    slots: [u32; TUPLES],
    material: f32,
}

/// A network in training.
struct Learner {
    network: Network,
    /// Sum of the changes of every weight. The learning rate of a weight is `|change| / magnitude`.
    changes: Vec<f32>,
    /// Sum of the magnitudes of the changes of every weight.
    magnitudes: Vec<f32>,
    slides: Arc<Slides>,
    lambda: f32,
    charts: Charts,
}

/// Returns the change of a board's value if each update of its weights is 1: the number of weights, with a weight that
/// occurs `n` times counted `n²` times.
fn occurrences(slots: &[u32; TUPLES]) -> usize {
    let alike = |slot| slots.iter().filter(|&&other| other == slot).count();
    slots.iter().map(|&slot| alike(slot)).sum()
}

/// A partner of a training game.
#[derive(Clone, Copy)]
enum Partner {
    /// Moves at random.
    Random,
    /// Makes the move with the highest sum after it.
    Greedy,
    /// Makes the move with the fewest pieces after it, then the highest sum.
    Tidy,
    /// Makes the learner's best move, or a random one with this probability.
    Erring(f64),
}

/// The partners of the training games, one of which is drawn for each game.
const PARTNERS: [Partner; 8] = [
    Partner::Random,
    Partner::Random,
    Partner::Random,
    Partner::Tidy,
    Partner::Tidy,
    Partner::Greedy,
    Partner::Erring(0.7),
    Partner::Erring(0.5),
];
/// The main colours of the training games, one of which is drawn for each game.
const MAINS: [Colour; 4] = [MAIN, MAIN, Colour::Blue, Colour::Red];
/// Probability of a random move of a greedy or tidy partner.
const WHIM: f64 = 0.05;

/// Returns true with probability `share`.
fn is_chosen(share: f64, rng: &mut Rng) -> bool {
    const PARTS: u32 = 1 << 30;
    (rng.below(PARTS as usize) as f64) < share * f64::from(PARTS)
}

/// A recoloured board after `ply` moves of a game for building `main`.
#[derive(Clone, Copy)]
struct Afterstate {
    board: Board,
    ply: usize,
    main: Colour,
}

impl Afterstate {
    fn start(main: Colour) -> Afterstate {
        Afterstate { board: Board::EMPTY, ply: 0, main }
    }

    fn phase(self, own_side: usize) -> usize {
        phase(self.main, self.ply, self.ply % 2 == own_side)
    }

    /// Returns the afterstates of all moves.
    fn successors(self, slides: &Slides) -> ArrayVec<Afterstate, SQUARES> {
        let turn = Turn::after(self.ply).recoloured(roles(self.main));
        let after = successors(slides, self.board, turn).into_iter();
        after.map(|(_, board)| Afterstate { board, ply: self.ply + 1, ..self }).collect()
    }
}

fn one_of(states: &[Afterstate], rng: &mut Rng) -> Option<Afterstate> {
    states.get(rng.below(states.len().max(1))).copied()
}

/// Returns one of the states with the greatest measure.
fn greatest(states: &[Afterstate], measure: fn(Board) -> u32, rng: &mut Rng) -> Option<Afterstate> {
    let most = states.iter().map(|state| measure(state.board)).max();
    let best: ArrayVec<Afterstate, SQUARES> =
        states.iter().copied().filter(|state| Some(measure(state.board)) == most).collect();
    one_of(&best, rng)
}

impl Learner {
    fn new(args: &Args) -> Learner {
        Learner {
            network: Network::zero(),
            changes: vec![0.0; WEIGHTS],
            magnitudes: vec![0.0; WEIGHTS],
            slides: Slides::shared(),
            lambda: args.lambda as f32,
            charts: Charts::default(),
        }
    }

    /// Returns the network with the `keep` most important weights.
    fn pruned(&self, keep: usize) -> Network {
        // The loss without a weight is roughly its square times its usage.
        let weights = self.network.weights().iter().zip(&self.magnitudes);
        let importance: Vec<f32> = weights.map(|(weight, used)| weight * weight * used).collect();
        let mut sorted: Vec<f32> =
            importance.iter().copied().filter(|&value| value > 0.0).collect();
        let mut least = 0.0;
        if sorted.len() > keep {
            let by_size = |one: &f32, other: &f32| other.total_cmp(one);
            least = *sorted.select_nth_unstable_by(keep, by_size).1;
        }
        let mut network = Network::zero();
        let kept = network.weights_mut().iter_mut().zip(self.network.weights());
        for ((kept, weight), importance) in kept.zip(importance) {
            if importance > least {
                *kept = *weight;
            }
        }
        network
    }

    /// Plays a game and learns from it. Returns the units of the main colour at the end.
    fn learn_from_game(&mut self, rng: &mut Rng) -> u32 {
        let own_side = rng.below(2);
        let partner = PARTNERS[rng.below(PARTNERS.len())];
        let mut state = Afterstate::start(MAINS[rng.below(MAINS.len())]);
        let mut seen: Vec<Seen> = Vec::with_capacity(MAX_PLIES);
        let mut is_stuck = false;
        while state.ply < MAX_PLIES {
            let Some(after) = self.step(state, own_side, partner, rng) else {
                is_stuck = true;
                break;
            };
            state = after;
            let slots = self.network.slots(state.board, state.phase(own_side));
            seen.push(Seen { slots, material: material(state.board) });
        }
        self.learn(&seen, is_stuck);
        state.board.units(MAIN)
    }

    /// Plays the next move and returns the state after it, or `None` if there is no legal move.
    fn step(
        &self,
        state: Afterstate,
        own_side: usize,
        partner: Partner,
        rng: &mut Rng,
    ) -> Option<Afterstate> {
        let after = state.successors(&self.slides);
        if state.ply % 2 == own_side {
            return self.best_of(&after, own_side);
        }
        let errors = match partner {
            Partner::Random => 1.0,
            Partner::Greedy | Partner::Tidy => WHIM,
            Partner::Erring(errors) => errors,
        };
        if is_chosen(errors, rng) {
            return one_of(&after, rng);
        }
        match partner {
            Partner::Greedy => greatest(&after, Board::sum, rng),
            Partner::Tidy => greatest(&after, tidiness, rng),
            _ => self.best_of(&after, own_side),
        }
    }

    /// Returns the best state by the network.
    fn best_of(&self, states: &[Afterstate], own_side: usize) -> Option<Afterstate> {
        let mut best: Option<(f32, Afterstate)> = None;
        for &state in states {
            let value = self.network.value(state.board, state.phase(own_side));
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, state));
            }
        }
        best.map(|(_, state)| state)
    }

    /// Updates the values of the boards of a game backwards, each towards the later gain.
    fn learn(&mut self, seen: &[Seen], is_stuck: bool) {
        // Gain after the last board.
        let mut gain = if is_stuck { -EARLY_END } else { 0.0 };
        let mut next: Option<&Seen> = None;
        for now in seen.iter().rev() {
            if let Some(next) = next {
                let expected = self.gain(next);
                let mixed = (1.0 - self.lambda) * expected + self.lambda * gain;
                gain = next.material - now.material + DISCOUNT * mixed;
            }
            self.adjust(now, gain);
            next = Some(now);
        }
    }

    fn gain(&self, seen: &Seen) -> f32 {
        seen.slots.iter().map(|&slot| self.network.weights()[slot as usize]).sum()
    }

    /// Updates the weights of a board so that its gain approaches `target`.
    fn adjust(&mut self, seen: &Seen, target: f32) {
        let share = (target - self.gain(seen)) / occurrences(&seen.slots) as f32;
        for slot in seen.slots.map(|slot| slot as usize) {
            let magnitude = self.magnitudes[slot];
            let rate = if magnitude > 0.0 { self.changes[slot].abs() / magnitude } else { 1.0 };
            self.network.weights_mut()[slot] += rate * share;
            self.changes[slot] += share;
            self.magnitudes[slot] += share.abs();
        }
    }

    /// Returns the mean score of test games with a random mover, which always use the same random numbers.
    fn test_score(&self) -> f64 {
        let total: u64 = (0..TEST_GAMES).map(|seed| u64::from(self.test_game(seed))).sum();
        total as f64 / TEST_GAMES as f64
    }

    fn test_game(&self, seed: u64) -> u32 {
        let mut rng = Rng::new(seed);
        let own_side = seed as usize % 2;
        let mut state = Afterstate::start(MAIN);
        let mut score = 0;
        while state.ply < MAX_PLIES {
            let Some(after) = self.step(state, own_side, Partner::Random, &mut rng) else {
                break;
            };
            state = after;
            score = score.max(state.board.sum());
        }
        score
    }

    /// Returns the trainer state saved in a checkpoint.
    fn numbers(&mut self) -> Vec<&mut [f32]> {
        vec![self.network.weights_mut(), &mut self.changes, &mut self.magnitudes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::g6561::game::Position;
    use std::fs;
    use std::path::Path;

    fn args(path: &Path, games: u64) -> Args {
        Args {
            output: path.join("network.bin").into(),
            games,
            lambda: 0.9,
            every: 50,
            keep: 50_000,
            checkpoint: Some(path.join("checkpoint").into()),
            report: ReportOption { report: Some(path.join("report.html").into()) },
            seed: 5,
        }
    }

    #[test]
    fn afterstates_are_recoloured_positions_of_the_game() {
        let slides = Slides::shared();
        for main in Colour::ALL {
            let (mut rng, mut position) = (Rng::new(3), Position::START);
            let mut state = Afterstate::start(main);
            while !position.moves().is_empty() && position.ply < 200 {
                let after = position.moves().into_iter().map(|mv| position.after(mv));
                let after: Vec<Position> = after.map(|after| after.expect("legal")).collect();
                let states = state.successors(&slides);
                let boards: Vec<Board> = states.iter().map(|state| state.board).collect();
                let recoloured = after.iter().map(|after| after.board.recoloured(roles(main)));
                assert_eq!(boards, recoloured.collect::<Vec<Board>>());
                let chosen = rng.below(after.len());
                (position, state) = (after[chosen], states[chosen]);
            }
            assert!(position.ply > 20, "{main:?}");
        }
    }

    #[test]
    fn training_improves_the_score() {
        let mut learner = Learner::new(&args(Path::new(""), 1));
        let before = learner.test_score();
        for seed in 0..400 {
            learner.learn_from_game(&mut Rng::new(seed));
        }
        let after = learner.test_score();
        assert!(after > 1.5 * before && after > 200.0, "{before} {after}");
    }

    #[test]
    fn weights_stay_finite_with_lambda_0() {
        for seed in [1, 6] {
            let mut learner = Learner::new(&Args { lambda: 0.0, ..args(Path::new(""), 1) });
            for game in 0..20 {
                learner.learn_from_game(&mut Rng::new(seed + game));
            }
            assert!(ensure_finite(learner.network.weights()).is_ok());
        }
    }

    #[test]
    fn an_update_reaches_its_target_with_repeated_weights() {
        let mut learner = Learner::new(&args(Path::new(""), 1));
        let empty = Seen { slots: learner.network.slots(Board::EMPTY, 0), material: 0.0 };
        assert!(occurrences(&empty.slots) > TUPLES);
        learner.adjust(&empty, 100.0);
        assert!((learner.gain(&empty) - 100.0).abs() < 0.01, "{}", learner.gain(&empty));
    }

    #[test]
    fn a_pruned_network_has_the_most_important_weights() {
        let mut learner = Learner::new(&args(Path::new(""), 1));
        for (slot, (weight, used)) in
            [(1.0, 9.0), (2.0, 1.0), (-3.0, 2.0), (0.5, 8.0)].iter().enumerate()
        {
            learner.network.weights_mut()[slot] = *weight;
            learner.magnitudes[slot] = *used;
        }
        assert_eq!(learner.pruned(2).weights()[..5], [1.0, 0.0, -3.0, 0.0, 0.0]);
        assert_eq!(learner.pruned(10).weights()[..5], [1.0, 2.0, -3.0, 0.5, 0.0]);
    }

    #[test]
    fn an_interrupted_training_ends_with_the_same_network() {
        let whole = tempfile::tempdir().expect("a folder");
        run(args(whole.path(), 120)).expect("trained");
        let parts = tempfile::tempdir().expect("a folder");
        run(args(parts.path(), 70)).expect("trained");
        run(args(parts.path(), 120)).expect("trained further");
        let [one, other] = [&whole, &parts]
            .map(|folder| fs::read(folder.path().join("network.bin")).expect("the network"));
        assert!(one == other && Network::from_bytes(&one).is_ok());
        // The curve has the reports of both runs.
        let page = fs::read_to_string(parts.path().join("report.html")).expect("a report");
        assert!(
            page.contains("<title>games 50: ") && page.contains("<title>games 120: "),
            "{page}"
        );
        let other_seed = Args { seed: 6, ..args(parts.path(), 120) };
        let error = format!("{:#}", run(other_seed).expect_err("another seed"));
        assert!(error.contains("--seed"), "{error}");
        let path = parts.path().join("checkpoint");
        let mut bytes = fs::read(&path).expect("a checkpoint");
        bytes[1000] ^= 1;
        fs::write(&path, &bytes).expect("written");
        let error = format!("{:#}", run(args(parts.path(), 120)).expect_err("damaged"));
        assert!(error.contains("checksum"), "{error}");
        fs::write(&path, "hello").expect("written");
        assert!(run(args(parts.path(), 120)).is_err());
    }
}
