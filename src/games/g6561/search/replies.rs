//! The replies of the partner in a search: a mixture of likely policies.

use crate::games::g6561::board::Board;

/// Model of the partner's replies: the weights of the policies that a search can follow. The rest is the weight of a
/// uniformly random move.
///
/// Opponent-model search (D. Carmel, S. Markovitch; H. Iida and others, 1993): with a predicted weight above 0, only
/// the predicted move is searched, so that the search looks about twice as far ahead. The other moves change the value
/// by the difference of their static values from the static value of the predicted move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReplyModel {
    /// Weight of the best move by our own value: 1 for a partner who plays like us, 0 for a random mover.
    pub best: f32,
    /// Weight of the move with the highest sum after it.
    pub greedy: f32,
    /// Weight of the move with the fewest pieces after it, then the highest sum.
    pub tidy: f32,
    /// Weight of the predicted move: the best one by the hand-made value after it.
    pub predicted: f32,
}

impl ReplyModel {
    /// Uniformly random replies.
    pub const RANDOM: ReplyModel = ReplyModel { best: 0.0, greedy: 0.0, tidy: 0.0, predicted: 0.0 };

    /// Returns a mixture of the best move, with weight `best`, and a random move.
    pub fn trusting(best: f32) -> ReplyModel {
        ReplyModel { best, ..ReplyModel::RANDOM }
    }

    /// Returns the model with `weight` for the predicted move and the other weights scaled down.
    pub fn with_predicted(self, weight: f32) -> ReplyModel {
        let rest = 1.0 - weight;
        let ReplyModel { best, greedy, tidy, .. } = self;
        ReplyModel {
            best: best * rest,
            greedy: greedy * rest,
            tidy: tidy * rest,
            predicted: weight,
        }
    }

    /// Whether a weighted policy depends on the sum after the move.
    pub fn uses_sums(self) -> bool {
        self.greedy + self.tidy > 0.0
    }

    /// Returns the weight of a random move.
    fn random(self) -> f32 {
        1.0 - self.best - self.greedy - self.tidy - self.predicted
    }
}

/// Returns the tidiness of a board: fewer pieces are better, then a higher sum.
pub fn tidiness(board: Board) -> u32 {
    TIDINESS_OF_SQUARE * board.count_empty() + board.sum()
}

/// Tidiness of an empty square, more than any sum.
const TIDINESS_OF_SQUARE: u32 = 10_000;

/// Statistics of the values of a turn's moves.
pub struct Tally {
    /// The greatest value.
    pub best: f32,
    sum: f32,
    /// Number of moves.
    pub count: u32,
    greedy: BestMean,
    tidy: BestMean,
}

impl Tally {
    /// Creates statistics of no moves.
    pub fn new() -> Tally {
        let (greedy, tidy) = (BestMean::new(), BestMean::new());
        Tally { best: f32::NEG_INFINITY, sum: 0.0, count: 0, greedy, tidy }
    }

    /// Adds the value of a move.
    #[inline(always)]
    pub fn add(&mut self, value: f32) {
        self.best = self.best.max(value);
        self.sum += value;
        self.count += 1;
    }

    /// Adds a value to the policies that depend on sums. Only used for slides: a placement changes all sums equally.
    #[inline(always)]
    pub fn add_sums(&mut self, after: Board, value: f32) {
        self.greedy.add(after.sum(), value);
        self.tidy.add(tidiness(after), value);
    }

    /// Returns the expected value by the weights of the policies, except the predicted move. At least one value must
    /// have been added.
    #[inline(always)]
    pub fn expected(&self, model: ReplyModel) -> f32 {
        let mean = self.sum / self.count as f32;
        let of_sums =
            model.greedy * self.greedy.mean_or(mean) + model.tidy * self.tidy.mean_or(mean);
        model.best * self.best + model.random() * mean + of_sums
    }
}

/// Mean value of the moves that are best by a measure.
struct BestMean {
    most: u32,
    sum: f32,
    count: u32,
}

impl BestMean {
    fn new() -> BestMean {
        BestMean { most: 0, sum: 0.0, count: 0 }
    }

    fn add(&mut self, measure: u32, value: f32) {
        if measure > self.most {
            *self = BestMean { most: measure, sum: 0.0, count: 0 };
        }
        if measure == self.most {
            self.sum += value;
            self.count += 1;
        }
    }

    fn mean_or(&self, otherwise: f32) -> f32 {
        if self.count == 0 {
            otherwise
        } else {
            self.sum / self.count as f32
        }
    }
}
