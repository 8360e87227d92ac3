//! Rules pages as HTML, from a subset of Markdown: headings, paragraphs, lists, tables, images on their own lines,
//! `code` and **bold**.

use crate::tools::contracts::board::RulesPage;
use std::fmt::Write as _;

/// Heading of the part of the rules that is about details of a contest.
const READINGS: &str = "\n## Readings\n";

/// Returns the rules as part of a page, with their drawings. The part from the readings on is left out.
pub fn html(rules: &RulesPage) -> String {
    let text = rules.text.split(READINGS).next().unwrap_or_default();
    let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    blocks.map(|block| block_html(block, rules)).collect()
}

fn block_html(block: &str, rules: &RulesPage) -> String {
    if let Some(text) = block.strip_prefix('#') {
        let level = 2 + text.len() - text.trim_start_matches('#').len();
        return format!("<h{level}>{}</h{level}>\n", inline(text.trim_start_matches('#').trim()));
    }
    if block.starts_with("- ") {
        return format!("<ul>{}</ul>\n", items(block, "- "));
    }
    if block.starts_with("1. ") {
        return format!("<ol>{}</ol>\n", items(block, "1. "));
    }
    if block.starts_with('|') {
        return table(block);
    }
    if let Some((words, file)) = drawing(block) {
        let found = rules.drawings.iter().find(|(name, _)| *name == file);
        let picture = found.map_or("", |(_, picture)| picture);
        return format!("<figure>{picture}<figcaption>{}</figcaption></figure>\n", inline(words));
    }
    format!("<p>{}</p>\n", inline(&joined(block)))
}

/// Joins the lines of a paragraph.
fn joined(block: &str) -> String {
    block.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Returns the items of a list; an item may continue on the next line.
fn items(block: &str, marker: &str) -> String {
    let block = format!("\n{block}");
    let item = |item: &str| format!("<li>{}</li>", inline(&joined(item)));
    block.split(&format!("\n{marker}")).skip(1).map(item).collect()
}

fn table(block: &str) -> String {
    let mut html = String::from("<table>");
    let is_ruler = |line: &&str| !line.chars().all(|letter| "|-: ".contains(letter));
    for (index, line) in block.lines().filter(is_ruler).enumerate() {
        let cell = if index == 0 { "th" } else { "td" };
        html.push_str("<tr>");
        for text in line.trim().trim_matches('|').split('|') {
            let _ = write!(html, "<{cell}>{}</{cell}>", inline(text.trim()));
        }
        html.push_str("</tr>");
    }
    html + "</table>\n"
}

/// Returns the alternative text and the file of an image.
fn drawing(block: &str) -> Option<(&str, &str)> {
    let (words, file) = block.strip_prefix("![")?.strip_suffix(')')?.split_once("](")?;
    Some((words, file))
}

/// Escapes a line and converts its markup.
fn inline(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let marked = |text: String, marker: &str, tag: &str| {
        let parts: Vec<&str> = text.split(marker).collect();
        let mut html = String::new();
        for (index, part) in parts.iter().enumerate() {
            match index % 2 == 1 && index + 1 < parts.len() {
                true => html += &format!("<{tag}>{part}</{tag}>"),
                false if index % 2 == 1 => html += &format!("{marker}{part}"),
                false => html += part,
            }
        }
        html
    };
    marked(marked(text, "`", "code"), "**", "b")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::labs::registry::GAMES;

    #[test]
    fn the_blocks_of_a_page_become_html() {
        let drawings: &[(&str, &str)] = &[("a.svg", "<svg/>")];
        let text = "# A & B\n\nOne **bold**\n`code` <word>.\n\n- x\n  y\n- z\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![seen](a.svg)\n";
        let found = html(&RulesPage { text, drawings });
        let expected =
            "<h2>A &amp; B</h2>\n<p>One <b>bold</b> <code>code</code> &lt;word&gt;.</p>\n\
             <ul><li>x y</li><li>z</li></ul>\n\
             <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>\n\
             <figure><svg/><figcaption>seen</figcaption></figure>\n";
        assert_eq!(found, expected);
    }

    #[test]
    fn every_game_has_rules_with_its_drawings() {
        for board in GAMES.iter().filter_map(|game| game.tools.board.as_ref()) {
            let page = html(&board.rules);
            assert!(page.contains("<h2>") && page.contains("<svg"), "{page}");
            assert!(!page.contains("<figure><figcaption>"), "a drawing is missing");
            assert!(board.rules.text.contains(READINGS) && !page.contains("Readings"));
        }
    }
}
