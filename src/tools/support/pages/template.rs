//! A template engine for the pages: a small subset of Jinja.
//!
//! `{{ path }}` inserts a value, escaped for HTML; `path|safe` inserts the text unescaped, `path|tojson` JSON that is
//! safe inside a script, `path|length` the length of a list. A path is `name`, `name.field` or `name[0]`. `{% for name
//! in path %}` iterates over a list; it provides `loop.index` and `loop.index0`, and its `{% else %}` is used for an
//! empty list. `{% if path %}` and `{% if path == path %}` may also have an `{% else %}`. A `-` inside a delimiter
//! removes the white space outside it.

use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use std::fmt::Write;

/// Start of every page, up to its style sheets; the template continues it.
const HEAD: &str = include_str!("head.html");

/// Renders a page: the common head, with the values `title` and `style`, and a template.
pub fn page(template: &str, values: &Value) -> Result<String> {
    render(&format!("{HEAD}{template}"), values).context("filling in the page")
}

/// Renders a template with these values. Fails if the template is invalid or a name has no value.
pub fn render(template: &str, values: &Value) -> Result<String> {
    let (nodes, end) = parse(&mut tokens(template)?.into_iter(), &[])?;
    ensure!(end.is_empty(), "{{% {end} %}} has no matching start tag");
    let values = values.as_object().context("the values are not an object")?;
    let scope: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let mut page = String::new();
    fill_in(&nodes, &scope, &mut page)?;
    Ok(page)
}

/// The variables in scope at a point of the template, the innermost last.
type Scope<'a> = [(&'a str, &'a Value)];

enum Node<'a> {
    Text(&'a str),
    /// The text between `{{` and `}}`.
    Value(&'a str),
    /// The text between `{%` and `%}`.
    Tag(&'a str),
    /// A block: its start tag, and its content before and after `else`.
    Block {
        tag: &'a str,
        body: Vec<Node<'a>>,
        otherwise: Vec<Node<'a>>,
    },
}

fn tokens(template: &str) -> Result<Vec<Node<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = template;
    while let Some(start) = ["{{", "{%"].iter().filter_map(|mark| rest.find(mark)).min() {
        let (text, bracket) = rest.split_at(start);
        let is_value = bracket.starts_with("{{");
        let close = if is_value { "}}" } else { "%}" };
        let (inner, after) =
            bracket[2..].split_once(close).with_context(|| format!("a tag without {close}"))?;
        tokens.push(Node::Text(if inner.starts_with('-') { text.trim_end() } else { text }));
        rest = if inner.ends_with('-') { after.trim_start() } else { after };
        let inner = inner.trim_matches('-').trim();
        tokens.push(if is_value { Node::Value(inner) } else { Node::Tag(inner) });
    }
    tokens.push(Node::Text(rest));
    Ok(tokens)
}

/// Parses nodes up to one of the tags `ends`. Returns the nodes and that tag, or an empty tag at the end of the
/// template.
fn parse<'a>(
    tokens: &mut impl Iterator<Item = Node<'a>>,
    ends: &[&str],
) -> Result<(Vec<Node<'a>>, &'a str)> {
    let mut nodes = Vec::new();
    while let Some(node) = tokens.next() {
        let Node::Tag(tag) = node else {
            nodes.push(node);
            continue;
        };
        if ends.contains(&tag) {
            return Ok((nodes, tag));
        }
        let end = match tag.split(' ').next() {
            Some("for") => "endfor",
            Some("if") => "endif",
            _ => bail!("{{% {tag} %}} is not allowed here"),
        };
        let (body, mut ended_by) = parse(tokens, &["else", end])?;
        let mut otherwise = Vec::new();
        if ended_by == "else" {
            (otherwise, ended_by) = parse(tokens, &[end])?;
        }
        ensure!(ended_by == end, "{{% {tag} %}} without {{% {end} %}}");
        nodes.push(Node::Block { tag, body, otherwise });
    }
    Ok((nodes, ""))
}

fn fill_in(nodes: &[Node<'_>], scope: &Scope<'_>, page: &mut String) -> Result<()> {
    for node in nodes {
        match node {
            Node::Text(text) => page.push_str(text),
            Node::Value(path) => insert(path, scope, page)?,
            // Parsing leaves only blocks.
            Node::Tag(tag) => bail!("{{% {tag} %}} is not allowed here"),
            Node::Block { tag, body, otherwise } => {
                if let Some(condition) = tag.strip_prefix("if ") {
                    let part = if holds(condition, scope)? { body } else { otherwise };
                    fill_in(part, scope, page)?;
                    continue;
                }
                let list = tag.strip_prefix("for ").and_then(|rest| rest.split_once(" in "));
                let (name, list) = list.with_context(|| tag.to_string())?;
                let items = find(list, scope)?.as_array();
                let items = items.with_context(|| format!("{list} is not a list"))?;
                for (index, item) in items.iter().enumerate() {
                    let turn = json!({ "index": index + 1, "index0": index });
                    let inner = [scope, &[("loop", &turn), (name, item)]].concat();
                    fill_in(body, &inner, page)?;
                }
                if items.is_empty() {
                    fill_in(otherwise, scope, page)?;
                }
            }
        }
    }
    Ok(())
}

/// Inserts a value, with the filter after it.
fn insert(path: &str, scope: &Scope<'_>, page: &mut String) -> Result<()> {
    let (path, filter) = path.split_once('|').unwrap_or((path, ""));
    match (filter, find(path, scope)?) {
        ("", Value::String(text)) => escape(text, page),
        ("", Value::Number(number)) => write!(page, "{number}")?,
        ("safe", Value::String(text)) => page.push_str(text),
        ("tojson", value) => page.push_str(&json_in_html(value)?),
        ("length", Value::Array(items)) => write!(page, "{}", items.len())?,
        _ => bail!("{path} can't be inserted with the filter {filter:?}"),
    }
    Ok(())
}

fn holds(condition: &str, scope: &Scope<'_>) -> Result<bool> {
    if let Some((left, right)) = condition.split_once(" == ") {
        return Ok(find(left, scope)? == find(right, scope)?);
    }
    Ok(match find(condition, scope)? {
        Value::Null => false,
        Value::Bool(is_so) => *is_so,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    })
}

/// Returns the value of a path.
fn find<'a>(path: &str, scope: &Scope<'a>) -> Result<&'a Value> {
    let mut steps = path.split(['.', '[']).map(|step| step.trim_end_matches(']'));
    let first = steps.next().unwrap_or_default();
    let first = scope.iter().rev().find(|(name, _)| *name == first).map(|(_, value)| *value);
    let found = steps.try_fold(first, |value, step| match value? {
        Value::Array(items) => Some(items.get(step.parse::<usize>().ok()?)),
        value => Some(value.get(step)),
    });
    found.flatten().with_context(|| format!("the template's {path} has no value"))
}

/// Escapes a text for HTML elements and quoted attributes and appends it to the page.
fn escape(text: &str, page: &mut String) {
    for character in text.chars() {
        match character {
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '&' => page.push_str("&amp;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#x27;"),
            _ => page.push(character),
        }
    }
}

/// Serialises a value as JSON, with escapes for all characters that could end a script element.
fn json_in_html(value: &Value) -> Result<String> {
    let mut text = serde_json::to_string(value)?;
    for (letter, escaped) in
        [("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("'", "\\u0027")]
    {
        text = text.replace(letter, escaped);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(template: &str) -> String {
        let values = json!({
            "text": "a<b> & \"c\" 'd'",
            "list": ["x", "y"],
            "none": [],
            "rows": [{ "name": "one", "cells": [1, null] }, { "name": "two", "cells": [] }],
            "name": "two",
            "nothing": null,
            "zero": 0,
        });
        render(template, &values).unwrap_or_else(|error| format!("{error:#}"))
    }

    #[test]
    fn values_are_escaped_unless_marked_as_safe() {
        assert_eq!(page("<{{ text }}>"), "<a&lt;b&gt; &amp; &quot;c&quot; &#x27;d&#x27;>");
        assert_eq!(page("{{ text|safe }}"), "a<b> & \"c\" 'd'");
        let json = page("{{ text|tojson }}");
        assert!(!json.contains(['<', '>', '&', '\'']), "{json}");
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), "a<b> & \"c\" 'd'");
        assert_eq!(page("{{ list|length }} {{ list[1] }} {{ rows[0].cells[0] }}"), "2 y 1");
    }

    #[test]
    fn lists_and_conditions() {
        let rows = "{% for row in rows %}{{ loop.index }}{{ loop.index0 }}{{ row.name }}\
                    {% for cell in row.cells %}{% if cell %}+{% else %}-{% endif %}{% else %}none\
                    {% endfor %}{% if row.name == name %}!{% endif %};{% endfor %}";
        assert_eq!(page(rows), "10one+-;21twonone!;");
        assert_eq!(page("{% if nothing %}a{% endif %}{% if zero %}b{% endif %}"), "");
        assert_eq!(page("{% if none %}a{% else %}b{% endif %}{% if list %}c{% endif %}"), "bc");
    }

    #[test]
    fn a_minus_sign_removes_white_space() {
        assert_eq!(page("a\n  {%- for x in list %} {{ x }}{% endfor -%}\n  b\n"), "a x yb\n");
        assert_eq!(page("a {{- zero -}} b"), "a0b");
    }

    #[test]
    fn template_errors_are_reported() {
        for (template, fault) in [
            ("{{ missing }}", "missing has no value"),
            ("{{ rows[7].name }}", "rows[7].name has no value"),
            ("{{ list }}", "list can't be inserted"),
            ("{% for x in name %}{% endfor %}", "name is not a list"),
            ("{% if name %}", "without {% endif %}"),
            ("{% endif %}", "{% endif %} is not allowed"),
            ("{% if name %}{% endfor %}", "{% endfor %} is not allowed"),
            ("{{ name", "without }}"),
        ] {
            let said = page(template);
            assert!(said.contains(fault), "{template}: {said}");
        }
    }
}
