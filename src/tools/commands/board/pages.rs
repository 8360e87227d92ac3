//! The page of a game, built from the parts of its replay page.

use super::app::App;
use super::http::{Failure, Response, StatusCode};
use super::input::{board_page, game, MAX_LOG};
use super::levels::LEVELS;
use crate::tools::commands::replay::curve_of;
use crate::tools::contracts::board::Editor;
use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::contracts::page::{capitalised, Page};
use crate::tools::labs::registry::GAMES;
use crate::tools::support::pages::{self, template};
use anyhow::Context;
use serde_json::{json, Value};

const TEMPLATE: &str = include_str!("assets/page.html");
/// The page at any address without a game, with the reason. Its links are relative to the address.
const UNKNOWN: &str = r#"<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>cupbot</title>
<link rel="stylesheet" href="{{ root }}{{ games[0].name }}/style.css">
<body><h1>cupbot</h1><p>{{ reason }}. The games are:</p>
<ul>{% for game in games %}<li><a href="{{ root }}{{ game.name }}">{{ game.title }}</a></li>{% endfor %}</ul>
"#;
const STYLE: &str = include_str!("assets/page.css");
const ICON: &str = include_str!("assets/icon.svg");
/// The modules of the page's script with their import paths.
const MODULES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page_modules.rs"));

/// Redirects to the game that the server was started for.
pub fn start(app: &App) -> Response {
    Response::redirect(app.game.rules.name.to_string())
}

/// Redirects from the address of a page with a trailing slash.
pub fn without_slash(name: &str) -> Response {
    Response::redirect(format!("../{name}"))
}

/// The icon of the page.
pub fn icon() -> Response {
    Response::new("image/svg+xml", ICON.as_bytes())
}

/// Returns the names and titles of the games with a board.
fn games() -> Vec<Value> {
    let games = GAMES.iter().filter(|game| game.tools.has_board());
    games.map(|game| json!({ "name": game.rules.name, "title": game.rules.title })).collect()
}

/// Returns a page with the reason of a refusal and a list of the games.
pub fn refusal(path: &str, failure: &Failure) -> Response {
    let depth = path.matches('/').count().saturating_sub(1);
    let reason = capitalised(&failure.message);
    let values = json!({ "games": games(), "root": "../".repeat(depth), "reason": reason });
    match template::render(UNKNOWN, &values) {
        Ok(page) => Response::html(page).with_status(failure.status),
        Err(_) => failure.response(),
    }
}

/// Returns the page of a game.
pub fn page(name: &str, app: &App) -> Result<Response, Failure> {
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "there is no game at this address");
    let game = game(name).map_err(|_| unknown())?;
    let numbered = editor_of(game).map_or(0, |editor| editor.numbered);
    let values = json!({
        "title": game.rules.title,
        "name": game.rules.name,
        "games": games(),
        "sides": game.rules.sides.map(capitalised),
        "levels": LEVELS.map(|(name, _)| name),
        "shapes": of(game)?.shapes,
        "curve": curve_of(game.comparison, &game.rules.sides.map(capitalised)).1,
        "numbered": numbered,
        "last_number": numbered.saturating_sub(1),
        "forms": game.tools.format.as_ref().map_or(String::new(), |format| format!(", {}", format.name)),
        "format": game.tools.format.as_ref().map(|format| format.name),
        "has_editor": editor_of(game).is_some(),
        "has_attacks": game.tools.board.as_ref().is_some_and(|page| page.has_attacks),
        "mark": game.tools.board.as_ref().and_then(|page| page.mark),
        "goal": game.tools.board.as_ref().map(|page| page.goal),
        "how": game.tools.board.as_ref().map(|page| page.how),
        "has_puzzles": game.tools.puzzles.is_some(),
        "players": app.bots.names(game),
        "data": data(game, app),
    });
    let page = template::render(TEMPLATE, &values).context("filling in the page")?;
    Ok(Response::html(page))
}

/// Data of the game for the script.
fn data(game: &Entry, app: &App) -> Value {
    let page = game.tools.board.as_ref();
    let editor = editor_of(game);
    json!({
        "game": game.rules.name,
        "title": game.rules.title,
        "names": game.rules.sides,
        "sides": game.rules.sides.map(capitalised),
        "base": curve_of(game.comparison, &game.rules.sides.map(capitalised)).0,
        "levels": LEVELS.map(|(_, level)| level),
        "players": app.bots.names(game),
        "mark": page.and_then(|page| page.mark),
        "editor": editor.map(|editor| json!({ "palette": editor.palette, "empty": editor.empty, "form": editor.form, "numbered": editor.numbered })),
        "format": game.tools.format.as_ref().map(|format| format.name),
        "glyphs": game.tools.format.as_ref().map_or(&[][..], |format| format.glyphs),
        "puzzles": game.tools.puzzles.as_ref().map(|puzzles| (puzzles.list)()),
        "reviews": game.tools.analyse.is_some(),
        "maxText": MAX_LOG,
        "isTeam": game.comparison == Comparison::MeanScore,
    })
}

fn editor_of(game: &Entry) -> Option<&Editor> {
    game.tools.board.as_ref()?.editor.as_ref()
}

fn of(game: &Entry) -> Result<&Page, Failure> {
    Ok(game.require(&game.tools.page, "replay page")?)
}

/// Returns the style of a game's page.
pub fn style(name: &str) -> Result<Response, Failure> {
    let text = format!("{}{}{STYLE}", pages::STYLE, of(game(name)?)?.style);
    Ok(Response::new("text/css; charset=utf-8", text.into_bytes()))
}

/// Content type of scripts.
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Returns the shared scripts and the board of the game.
pub fn script(name: &str) -> Result<Response, Failure> {
    let text = pages::script(of(game(name)?)?.script, "");
    Ok(Response::new(JAVASCRIPT, text.into_bytes()))
}

/// Returns a module of the page's script.
pub fn module(name: &str) -> Result<Response, Failure> {
    let found = MODULES.iter().find(|(module, _)| *module == name);
    let (_, text) = found.ok_or_else(Failure::nothing)?;
    let text = without_comments(&String::from_utf8_lossy(text));
    Ok(Response::new(JAVASCRIPT, text.into_bytes()))
}

/// Empties the lines that are comments for readers of the source, a tenth of the text. The numbers of lines stay.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| line.starts_with("/**") && line.ends_with("*/");
    let shown =
        |line: &str| if is_comment(line.trim()) { "\n".to_string() } else { format!("{line}\n") };
    text.lines().map(shown).collect()
}

/// Returns the rules of a game, as part of the page.
pub fn rules(name: &str) -> Result<Response, Failure> {
    Ok(Response::html(super::rules::html(&board_page(game(name)?.rules)?.rules)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn served_scripts_have_no_comment_lines() {
        let text = "/** A. */\nconst a = 1; /** B. */\n  /** C. */\nlet b;\n";
        assert_eq!(without_comments(text), "\nconst a = 1; /** B. */\n\nlet b;\n");
    }

    #[test]
    fn the_page_asks_for_nothing_outside_this_machine() {
        let modules = MODULES.iter().map(|(_, text)| std::str::from_utf8(text).expect("UTF-8"));
        for part in modules.chain([TEMPLATE, STYLE, ICON, pages::STYLE, pages::SCRIPT]) {
            let part = part.replace("http://www.w3.org/2000/svg", "");
            for reference in ["http://", "https://", "@import", "url(//"] {
                assert!(!part.contains(reference), "{reference}");
            }
        }
    }
}
