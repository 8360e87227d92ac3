//! Tests with whole games of the built-in players.

use super::ENTRY;
use crate::engine::clock::Clock;
use crate::tools::contracts::GameState;

/// Plays a game between two built-in players.
fn play(options: [&str; 2]) -> Box<dyn GameState> {
    let opponents = ENTRY.tools.opponents.as_ref().expect("built-in players");
    let [a, b] = options.map(|options| (opponents.read)(options).expect(options));
    let mut players = [a.player(0), b.player(0)];
    let clock = Clock::start(ENTRY.contest.time);
    let mut game = (ENTRY.rules.begin)(None).expect("a game");
    while game.end().is_none() {
        let side = game.side().index();
        let text = players[side].answer(&clock).expect("a legal move").mv;
        game.play(&text).expect("a legal move");
        players[1 - side].play(&text).expect("a legal move");
    }
    game
}

fn score(options: [&str; 2]) -> f64 {
    play(options).end().expect("the game is over").points[0]
}

#[test]
fn all_styles_play_whole_games() {
    let styles =
        "random greedy tidy monte,games=30 one,depth=1,colour=red one,depth=1,colour=free \
                  keeper,depth=2 keeper,depth=1,colour=gray corner,depth=2 sum,depth=2";
    for style in styles.split(' ') {
        let partner = format!("style={style}");
        // With fewer nodes the search is not deep enough to keep a hostile partner from emptying the board, which ends
        // the game.
        for options in [["nodes=2000", partner.as_str()], [partner.as_str(), "nodes=2000"]] {
            assert!(score(options) > 100.0, "{style}");
        }
    }
    assert!(score(["style=random", "style=random"]) < 100.0);
    assert!(score(["nodes=60", "nodes=60,turn=100"]) > 100.0);
}

#[test]
fn a_partner_who_builds_one_colour_is_followed() {
    // Players that build different colours against each other get only a few hundred points.
    for colour in ["blue", "red", "gray"] {
        let partner = format!("style=keeper,depth=2,colour={colour}");
        assert!(score(["nodes=1000", &partner]) > 2200.0, "{colour}");
    }
}
