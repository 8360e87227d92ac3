//! The page of a game: with the server, or as one file.

use super::app::App;
use super::http::{Failure, Response, StatusCode};
use super::input::{game, MAX_LOG};
use super::levels::LEVELS;
use crate::tools::contracts::board::{BoardPage, Editor};
use crate::tools::contracts::capitalised;
use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::labs::registry::GAMES;
use crate::tools::support::pages::{self, template};
use anyhow::{Context, Result};
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

/// Returns the page of a game.
pub fn page(name: &str, app: &App) -> Result<Response, Failure> {
    let unknown = || Failure::new(StatusCode::NOT_FOUND, "there is no game at this address");
    let game = game(name).map_err(|_| unknown())?;
    let mut values = values(game)?;
    let players = json!(app.bots.names(game));
    values["data"]["players"] = players.clone();
    values["players"] = players;
    let page = template::render(TEMPLATE, &values).context("filling in the page")?;
    Ok(Response::html(page))
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

/// Returns the page of a recorded game as one file. `replay` is the game for the script.
pub fn replay_page(game: &Entry, title: &str, moves: &str, replay: Value) -> Result<String> {
    let mut values = values(game)?;
    for (name, value) in [
        ("title", json!(title)),
        ("moves", json!(moves)),
        ("file", json!({ "style": style_of(game)?, "script": script_of(game)? + &bundle()? })),
    ] {
        values[name] = value;
    }
    // These need the server.
    for name in ["format", "has_editor", "has_attacks", "mark", "has_puzzles", "numbered"] {
        values[name] = Value::Null;
    }
    for name in ["editor", "format", "mark", "puzzles", "reviews"] {
        values["data"][name] = Value::Null;
    }
    values["data"]["replay"] = replay;
    template::render(TEMPLATE, &values).context("filling in the page")
}

/// Returns the games that have a board, with their titles.
fn games() -> Vec<Value> {
    let games = GAMES.iter().filter(|game| game.tools.board.is_some());
    games.map(|game| json!({ "name": game.rules.name, "title": game.rules.title })).collect()
}

/// Returns the values of the template for the page with the server.
fn values(game: &Entry) -> Result<Value> {
    let page = board(game)?;
    let numbered = page.editor.as_ref().map_or(0, |editor| editor.numbered);
    Ok(json!({
        "title": game.rules.title,
        "moves": "",
        "file": null,
        "name": game.rules.name,
        "games": games(),
        "sides": game.rules.sides.map(capitalised),
        "levels": LEVELS.map(|(name, _)| name),
        "shapes": page.shapes,
        "curve": curve_of(game.comparison, &game.rules.sides.map(capitalised)).1,
        "numbered": numbered,
        "last_number": numbered.saturating_sub(1),
        "forms": game.tools.format.as_ref().map_or(String::new(), |format| format!(", {}", format.name)),
        "format": game.tools.format.as_ref().map(|format| format.name),
        "has_editor": page.editor.is_some(),
        "has_attacks": page.has_attacks,
        "mark": page.mark,
        "goal": page.goal,
        "how": page.how,
        "has_puzzles": game.tools.puzzles.is_some(),
        "players": [],
        "data": data(game, page),
    }))
}

/// Data of the game for the script.
fn data(game: &Entry, page: &BoardPage) -> Value {
    let editor = |editor: &Editor| json!({ "palette": editor.palette, "empty": editor.empty, "form": editor.form, "numbered": editor.numbered });
    json!({
        "game": game.rules.name,
        "title": game.rules.title,
        "names": game.rules.sides,
        "sides": game.rules.sides.map(capitalised),
        "base": curve_of(game.comparison, &game.rules.sides.map(capitalised)).0,
        "levels": LEVELS.map(|(_, level)| level),
        "players": [],
        "mark": page.mark,
        "editor": page.editor.as_ref().map(editor),
        "format": game.tools.format.as_ref().map(|format| format.name),
        "glyphs": game.tools.format.as_ref().map_or(&[][..], |format| format.glyphs),
        "puzzles": game.tools.puzzles.as_ref().map(|puzzles| (puzzles.list)()),
        "reviews": game.tools.analyse.is_some(),
        "maxText": MAX_LOG,
        "isTeam": game.comparison == Comparison::MeanScore,
    })
}

/// Returns the height of the score graph's base line and the labels of its upper and lower end.
fn curve_of(comparison: Comparison, sides: &[String; 2]) -> (f64, [String; 2]) {
    match comparison {
        Comparison::Elo => (0.0, sides.each_ref().map(|side| format!("{side} is better"))),
        Comparison::MeanScore => (-1.0, ["more points", "none"].map(str::to_string)),
    }
}

/// Returns the board of a game.
pub fn board(game: &Entry) -> Result<&BoardPage> {
    game.require(&game.tools.board, "board in the browser")
}

/// Returns the style of a game's page.
fn style_of(game: &Entry) -> Result<String> {
    Ok(format!("{}{}{STYLE}", pages::STYLE, board(game)?.style))
}

/// Returns the shared script and the board of a game. Of the names that the board's script defines, only `board` is
/// visible to the page.
fn script_of(game: &Entry) -> Result<String> {
    let (shared, own) = (pages::SCRIPT, board(game)?.script);
    Ok(format!("'use strict';\n{shared}const board = (() => {{\n{own}return board;\n}})();\n"))
}

/// Joins the modules of the page to one script, because a page in a file can't import modules. Their top-level names
/// must differ.
fn bundle() -> Result<String> {
    let mut text = String::from("{\n");
    append("main.js", &mut Vec::new(), &mut text)?;
    Ok(text + "}\n")
}

/// Appends a module that is not `done` yet, after those that it imports.
fn append(name: &str, done: &mut Vec<String>, text: &mut String) -> Result<()> {
    if done.iter().any(|other| other == name) {
        return Ok(());
    }
    done.push(name.to_string());
    let found = MODULES.iter().find(|(module, _)| *module == name);
    let (_, module) = found.with_context(|| format!("there is no module {name}"))?;
    let module = std::str::from_utf8(module)?;
    let imported = |line: &str| Some(line.strip_prefix("import ")?.split('\'').nth(1)?.to_string());
    for path in module.lines().filter_map(imported) {
        let mut place: Vec<&str> = name.split('/').collect();
        place.pop();
        for step in path.split('/') {
            match step {
                "." => {}
                ".." => drop(place.pop()),
                step => place.push(step),
            }
        }
        append(&place.join("/"), done, text)?;
    }
    for line in module.lines().filter(|line| imported(line).is_none()) {
        text.push_str(line.strip_prefix("export ").unwrap_or(line));
        text.push('\n');
    }
    Ok(())
}

/// Returns the style of a game's page.
pub fn style(name: &str) -> Result<Response, Failure> {
    Ok(Response::new("text/css; charset=utf-8", style_of(game(name)?)?.into_bytes()))
}

/// Content type of scripts.
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Returns the shared scripts and the board of the game.
pub fn script(name: &str) -> Result<Response, Failure> {
    Ok(Response::new(JAVASCRIPT, script_of(game(name)?)?.into_bytes()))
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
    Ok(Response::html(super::rules::html(&board(game(name)?)?.rules)))
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
        for game in GAMES.iter().filter(|game| game.tools.board.is_some()) {
            let page = replay_page(game, "", "", Value::Null).expect("a page");
            let page = page.replace("http://www.w3.org/2000/svg", "");
            for reference in [
                "http://",
                "https://",
                "@import",
                "url(//",
                " src=",
                "<link",
                "\nimport ",
                "\nexport ",
            ] {
                assert!(!page.contains(reference), "{reference}");
            }
        }
    }
}
