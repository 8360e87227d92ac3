//! A template engine for the pages: a small subset of Jinja.
//!
//! `{{ path }}` inserts a value, escaped for HTML; `path|safe` inserts the text unescaped, `path|tojson` JSON
//! that is safe inside a script, `path|length` the length of a list. A path is `name`, `name.field` or
//! `name[0]`. `{% for name in path %}` iterates over a list; it provides `loop.index` and `loop.index0`, and
//! its `{% else %}` is used for an empty list. `{% if path %}` and `{% if path == path %}` may also have an
//! `{% else %}`. A `-` inside a delimiter removes the white space outside it.

use anyhow::{bail, ensure, Context, Result};
use serde_json::{json, Value};
use std::fmt::Write;

/// Renders a template with these values. Fails if the template is invalid or a name has no value.
pub fn render(template: &str, values: &Value) -> Result<String> {
    let tokens = tokens(template)?;
    let (nodes, end) = parse(&mut tokens.into_iter(), &[])?;
    ensure!(end.is_empty(), "{{% {end} %}} has no matching start tag");
    let mut page = String::new();
    Scope::Values(values).render(&nodes, &mut page)?;
    Ok(page)
}

enum Token<'a> {
    Text(&'a str),
    /// The text between `{{` and `}}`.
    Value(&'a str),
    /// The text between `{%` and `%}`.
    Tag(&'a str),
}

enum Node<'a> {
    Text(&'a str),
    Value(&'a str),
    For { name: &'a str, list: &'a str, body: Vec<Node<'a>>, otherwise: Vec<Node<'a>> },
    If { condition: &'a str, body: Vec<Node<'a>>, otherwise: Vec<Node<'a>> },
}

fn tokens(template: &str) -> Result<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = template;
    while let Some(start) = ["{{", "{%"].iter().filter_map(|mark| rest.find(mark)).min() {
        let (text, bracket) = rest.split_at(start);
        let is_value = bracket.starts_with("{{");
        let close = if is_value { "}}" } else { "%}" };
        let (inner, after) =
            bracket[2..].split_once(close).with_context(|| format!("a tag without {close}"))?;
        let left = inner.strip_prefix('-');
        let right = inner.strip_suffix('-');
        tokens.push(Token::Text(if left.is_some() { text.trim_end() } else { text }));
        let inner = inner.trim_matches('-').trim();
        tokens.push(if is_value { Token::Value(inner) } else { Token::Tag(inner) });
        rest = if right.is_some() { after.trim_start() } else { after };
    }
    tokens.push(Token::Text(rest));
    Ok(tokens)
}

/// Parses nodes up to one of the tags `ends`. Returns the nodes and that tag, or an empty tag at the end of
/// the template.
fn parse<'a>(
    tokens: &mut impl Iterator<Item = Token<'a>>,
    ends: &[&str],
) -> Result<(Vec<Node<'a>>, &'a str)> {
    let mut nodes = Vec::new();
    while let Some(token) = tokens.next() {
        let tag = match token {
            Token::Text(text) => {
                nodes.push(Node::Text(text));
                continue;
            }
            Token::Value(path) => {
                nodes.push(Node::Value(path));
                continue;
            }
            Token::Tag(tag) => tag,
        };
        if ends.contains(&tag) {
            return Ok((nodes, tag));
        }
        let (word, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let end = match word {
            "for" => "endfor",
            "if" => "endif",
            _ => bail!("{{% {tag} %}} is not allowed here"),
        };
        let (body, mut ended_by) = parse(tokens, &["else", end])?;
        let mut otherwise = Vec::new();
        if ended_by == "else" {
            (otherwise, ended_by) = parse(tokens, &[end])?;
        }
        ensure!(ended_by == end, "{{% {tag} %}} without {{% {end} %}}");
        nodes.push(if word == "if" {
            Node::If { condition: rest, body, otherwise }
        } else {
            let (name, list) = rest.split_once(" in ").with_context(|| tag.to_string())?;
            Node::For { name, list, body, otherwise }
        });
    }
    Ok((nodes, ""))
}

/// The variables in scope at a point of the template.
enum Scope<'a> {
    Values(&'a Value),
    Within { outer: &'a Scope<'a>, name: &'a str, value: &'a Value },
}

impl<'a> Scope<'a> {
    fn render(&self, nodes: &[Node<'_>], page: &mut String) -> Result<()> {
        for node in nodes {
            match node {
                Node::Text(text) => page.push_str(text),
                Node::Value(path) => self.fill_in(path, page)?,
                Node::If { condition, body, otherwise } => {
                    self.render(if self.holds(condition)? { body } else { otherwise }, page)?;
                }
                Node::For { name, list, body, otherwise } => {
                    let items = self.find(list)?;
                    let items =
                        items.as_array().with_context(|| format!("{list} is not a list"))?;
                    for (index, value) in items.iter().enumerate() {
                        let turn = json!({ "index": index + 1, "index0": index });
                        let within = Scope::Within { outer: self, name: "loop", value: &turn };
                        Scope::Within { outer: &within, name, value }.render(body, page)?;
                    }
                    if items.is_empty() {
                        self.render(otherwise, page)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn fill_in(&self, path: &str, page: &mut String) -> Result<()> {
        let (path, filter) = path.split_once('|').unwrap_or((path, ""));
        let value = self.find(path)?;
        match (filter, value) {
            ("", Value::String(text)) => escape(text, page),
            ("", Value::Number(number)) => write!(page, "{number}")?,
            ("safe", Value::String(text)) => page.push_str(text),
            ("tojson", value) => page.push_str(&json_in_html(value)?),
            ("length", Value::Array(items)) => write!(page, "{}", items.len())?,
            _ => bail!("{path} can't be inserted with the filter {filter:?}"),
        }
        Ok(())
    }

    fn holds(&self, condition: &str) -> Result<bool> {
        if let Some((left, right)) = condition.split_once(" == ") {
            return Ok(self.find(left)? == self.find(right)?);
        }
        Ok(match self.find(condition)? {
            Value::Null => false,
            Value::Bool(is_so) => *is_so,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(fields) => !fields.is_empty(),
        })
    }

    /// Returns the value of a path.
    fn find(&self, path: &str) -> Result<&Value> {
        let mut steps = path.split(['.', '[']).map(|step| step.trim_end_matches(']'));
        let first = self.named(steps.next().unwrap_or_default());
        let found = steps.try_fold(first?, |value, step| match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            value => value.get(step),
        });
        found.with_context(|| format!("the template's {path} has no value"))
    }

    fn named(&self, wanted: &str) -> Result<&Value> {
        match self {
            Scope::Values(values) => {
                values.get(wanted).with_context(|| format!("the template's {wanted} has no value"))
            }
            Scope::Within { name, value, .. } if *name == wanted => Ok(value),
            Scope::Within { outer, .. } => outer.named(wanted),
        }
    }
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
