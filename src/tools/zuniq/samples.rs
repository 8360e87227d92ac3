//! Positions with their values, from files of games: a game a line, its moves and then, behind a bar,
//! values `PLY:PERCENT` or `PLY+MOVE+MOVE:PERCENT`, the part of games that the side to move wins after so
//! many moves of the game (and others beside the game). The first line is a comment with the settings of the
//! games.

use crate::games::zuniq::network::features::View;
use crate::games::zuniq::position::Position;
use crate::games::zuniq::segment::Segment;
use anyhow::{ensure, Context, Result};

/// A position and its value.
#[derive(Clone)]
pub struct Sample {
    /// What the network sees of the position.
    pub view: View,
    /// The part of games that the side to move wins.
    pub target: f32,
    /// The number of moves made before it.
    pub ply: usize,
}

/// What a line of comment begins with.
const COMMENT: char = '#';
/// What the line with the settings begins with.
const SETTINGS: &str = "# cupbot zuniq selfplay ";

/// The first line of a file of games with these settings.
pub fn header(settings: &str) -> String {
    format!("{SETTINGS}{settings}\n")
}

/// The settings of a file's games; `None` in files of older versions.
pub fn settings(text: &str) -> Option<&str> {
    text.lines().next()?.strip_prefix(SETTINGS)
}

/// The games of a file: its lines with their numbers, but for comments.
pub fn games(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(|(_, line)| !line.starts_with(COMMENT))
}

/// The samples of one game.
pub fn of_line(line: &str) -> Result<Vec<Sample>> {
    let (moves, values) = line.split_once('|').context("no bar behind the moves")?;
    let mut positions = vec![Position::START];
    for text in moves.split_whitespace() {
        let next = play(positions.last().unwrap_or(&Position::START), text)?;
        positions.push(next);
    }
    values.split_whitespace().map(|text| sample(&positions, text)).collect()
}

fn play(position: &Position, text: &str) -> Result<Position> {
    let segment: Segment = text.parse().map_err(anyhow::Error::new)?;
    ensure!(position.is_legal(segment), "{text} is no legal move");
    Ok(position.make(segment))
}

fn sample(positions: &[Position], text: &str) -> Result<Sample> {
    let (place, percent) = text.split_once(':').context("no colon in a value")?;
    let percent: f32 = percent.parse().context("a value is no number")?;
    ensure!((0.0..=100.0).contains(&percent), "a value is not between 0 and 100");
    let mut place = place.split('+');
    let ply = place.next().and_then(|ply| ply.parse::<usize>().ok());
    let ply = ply.context("a value's place is no number")?;
    let position = positions.get(ply).context("a value's place is behind the game's end")?;
    let position = place.try_fold(position.clone(), |position, other| play(&position, other))?;
    Ok(Sample { view: View::of(&position), target: percent / 100.0, ply: position.ply() })
}
