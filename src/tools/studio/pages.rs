//! The page of a game, from the parts of its replay page.

use super::games;
use super::input::{game, Failure};
use super::levels::LEVELS;
use crate::tools::game::entry::{Comparison, Entry};
use crate::tools::game::page::{capitalised, Page};
use crate::tools::game::studio::Editor;
use crate::tools::look::{self, template};
use crate::tools::registry::main_game;
use crate::tools::replay::curve_of;
use anyhow::Context;
use axum::extract::Path;
use axum::http::header;
use axum::response::{Html, IntoResponse, Redirect};
use serde_json::{json, Value};

const TEMPLATE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
const ICON: &str = include_str!("assets/icon.svg");
/// One script, in the order in which its parts need each other.
const SCRIPTS: [&str; 9] = [
    include_str!("assets/server.js"),
    include_str!("assets/tree.js"),
    include_str!("assets/spots.js"),
    include_str!("assets/moves.js"),
    include_str!("assets/play.js"),
    include_str!("assets/analysis.js"),
    include_str!("assets/share.js"),
    include_str!("assets/editor.js"),
    include_str!("assets/main.js"),
];

/// Leads to the main game.
pub async fn start() -> Redirect {
    Redirect::to(&format!("/{}", main_game().name))
}

/// The icon of the page.
pub async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml")], ICON)
}

/// The page of a game.
pub async fn page(Path(name): Path<String>) -> Result<Html<String>, Failure> {
    let game = game(&name)?;
    let games = games().map(|game| json!({ "name": game.name, "title": game.title }));
    let numbered = editor_of(game).map_or(0, |editor| editor.numbered);
    let values = json!({
        "title": game.title,
        "name": game.name,
        "games": games.collect::<Vec<_>>(),
        "sides": game.sides.map(capitalised),
        "levels": LEVELS.map(|(name, _)| name),
        "shapes": of(game)?.shapes,
        "curve": curve_of(game.comparison, &game.sides.map(capitalised)).1,
        "numbered": numbered,
        "last_number": numbered.saturating_sub(1),
        "forms": game.format.as_ref().map_or(String::new(), |format| format!(", {}", format.name)),
        "has_editor": editor_of(game).is_some(),
        "mark": game.studio.as_ref().and_then(|studio| studio.mark),
        "data": data(game),
    });
    Ok(Html(template::render(TEMPLATE, &values).context("filling in the page")?))
}

/// What the script reads of the game.
fn data(game: &Entry) -> Value {
    let studio = game.studio.as_ref();
    let editor = editor_of(game);
    json!({
        "game": game.name,
        "title": game.title,
        "sides": game.sides.map(capitalised),
        "base": curve_of(game.comparison, &game.sides.map(capitalised)).0,
        "levels": LEVELS.map(|(_, level)| level),
        "mark": studio.and_then(|studio| studio.mark),
        "editor": editor.map(|editor| json!({ "palette": editor.palette, "empty": editor.empty, "form": editor.form, "numbered": editor.numbered })),
        "reviews": game.analyse.is_some(),
        "isTeam": game.comparison == Comparison::MeanScore,
    })
}

fn editor_of(game: &Entry) -> Option<&Editor> {
    game.studio.as_ref()?.editor.as_ref()
}

fn of(game: &Entry) -> Result<&Page, Failure> {
    Ok(game.require(&game.page, "replay page")?)
}

/// The style of a game's page.
pub async fn style(Path(name): Path<String>) -> Result<impl IntoResponse, Failure> {
    let text = format!("{}{}{STYLE}", look::STYLE, of(game(&name)?)?.style);
    Ok(([(header::CONTENT_TYPE, "text/css; charset=utf-8")], text))
}

/// The script of a game's page.
pub async fn script(Path(name): Path<String>) -> Result<impl IntoResponse, Failure> {
    let board = of(game(&name)?)?.script;
    let text = look::script(board, &SCRIPTS.concat());
    Ok(([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_for_nothing_outside_this_machine() {
        for part in SCRIPTS.into_iter().chain([TEMPLATE, STYLE, ICON, look::STYLE, look::SCRIPT]) {
            let part = part.replace("http://www.w3.org/2000/svg", "");
            for reference in ["http://", "https://", "@import", "url(//"] {
                assert!(!part.contains(reference), "{reference}");
            }
        }
    }
}
