//! Moves of a weak player, who overlooks walls far from the last one and judges the others by the network.

use crate::games::zuniq::game::Game;
use crate::games::zuniq::network::Network;
use crate::games::zuniq::segment::Segment;
use crate::tools::contracts::sight::Sight;

/// Weight of the distance in dots.
const DISTANCE: f64 = 0.5;
/// Maximum error of the judgement of a wall and maximum preference, in probability of winning.
const ERROR: f64 = 0.5;
const TASTE: f64 = 0.01;

/// Returns the wall that a player with this sight draws.
pub fn casual_move(game: &Game, sight: &Sight) -> Option<Segment> {
    let position = game.position();
    let network = Network::built_in();
    let value = |wall: Segment| {
        let (thing, next) = (wall.index() as u64, position.make(wall));
        let wins = match next.legal() {
            0 => 1.0,
            _ => 1.0 - f64::from(network.win_probability(&next)),
        };
        wins + ERROR * sight.error(thing) + TASTE * sight.taste(thing)
    };
    let far =
        |wall: Segment| game.moves().last().map_or(1.0, |last| DISTANCE * distance(*last, wall));
    let sees = |wall: &Segment| sight.sees(wall.index() as u64, far(*wall));
    let best = |walls: Vec<Segment>, value: &dyn Fn(Segment) -> f64| {
        walls.into_iter().max_by(|&one, &other| value(one).total_cmp(&value(other)))
    };
    // If no wall is seen, the nearest one is drawn.
    best(Segment::each(position.legal()).filter(sees).collect(), &value)
        .or_else(|| best(Segment::each(position.legal()).collect(), &|wall| -far(wall)))
}

/// Returns the distance of the first dots of two walls, by rows and columns.
fn distance(one: Segment, other: Segment) -> f64 {
    let dots = [one, other].map(|wall| wall.to_string().into_bytes());
    let apart = |index: usize| dots[0][index].abs_diff(dots[1][index]);
    f64::from(apart(0).max(apart(1)))
}
