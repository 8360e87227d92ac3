//! Replaces frequent words, literals and groups in brackets, e.g. `(&mut self)`, by macro parameters. The program
//! becomes the body of a macro that is called once, with the replaced tokens as arguments; in the body each is written
//! as `$` and one character.

use super::layout::text_of;
use super::names::short_names;
use super::tokens::{Kind, Token};
use std::collections::HashMap;

/// Cost of a parameter in characters: `$x:tt`, and a space after its argument.
const PARAMETER_COST: usize = 6;
/// Length of a parameter in the body, in characters.
const PARAMETER_LENGTH: usize = 2;
/// Maximum number of tokens of a group that becomes a parameter.
const MAX_GROUP: usize = 16;
/// Minimum saving for a group to become a parameter, in characters: its estimate is not exact.
const MIN_GROUP_SAVING: usize = 20;
/// `$` itself becomes a parameter, since the program's own macros need it.
const DOLLAR: &str = "$";

/// Returns the tokens of an equivalent program with fewer characters.
pub fn abbreviate(tokens: Vec<Token>) -> Vec<Token> {
    let mut tokens = with_joined_groups(&tokens);
    let mut values = Vec::new();
    for token in tokens.iter_mut().filter(|token| token.text == DOLLAR) {
        token.kind = Kind::Alone;
        values = vec![token.clone()];
    }
    values.extend(by_saving(&tokens));
    let parameters: Vec<String> = short_names().take(values.len()).collect();
    let parameter_of: HashMap<&Token, &String> = values.iter().zip(&parameters).collect();
    for at in 0..tokens.len() {
        if let Some(parameter) = parameter_of.get(&tokens[at]).filter(|_| !is_lifetime(&tokens, at))
        {
            tokens[at] = Token { text: format!("${parameter}"), kind: Kind::Parameter };
        }
    }
    values.truncate(parameters.len());
    wrap_in_macro(tokens, parameters, values)
}

/// Returns the tokens of the macro, with the program as its body, and of its call.
fn wrap_in_macro(tokens: Vec<Token>, parameters: Vec<String>, values: Vec<Token>) -> Vec<Token> {
    let punct = |text: &str| Token { text: text.into(), kind: Kind::Open };
    let word = |text: &str| Token { text: text.into(), kind: Kind::Word };
    let mut all = vec![word("macro_rules"), punct("!"), word("z"), punct("{(")];
    for parameter in parameters {
        all.extend([punct("$"), word(&parameter), punct(":"), word("tt")]);
    }
    all.push(punct(")=>{"));
    all.extend(tokens);
    all.extend([punct("}}"), word("z"), punct("!{")]);
    all.extend(values);
    all.push(punct("}"));
    all
}

/// Joins frequent groups to single tokens.
fn with_joined_groups(tokens: &[Token]) -> Vec<Token> {
    let mut counts: HashMap<&[Token], usize> = HashMap::new();
    let mut at = 0;
    while at < tokens.len() {
        let group = group_at(tokens, at);
        at += group.map_or(1, <[Token]>::len);
        if let Some(group) = group {
            *counts.entry(group).or_default() += 1;
        }
    }
    let mut joined = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match group_at(tokens, at).filter(|group| is_worth_joining(group, counts.get(group))) {
            Some(group) => {
                let text = text_of(group).trim_end().to_string();
                joined.push(Token { text, kind: Kind::Literal });
                at += group.len();
            }
            None => {
                joined.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    joined
}

/// Returns the group that begins here if it may become a parameter: the brackets of an attribute, or a receiver, e.g.
/// `(&mut self)`. Groups with names of variables may not: a name in the macro's call is not the same as one in its body
/// (hygiene).
fn group_at(tokens: &[Token], at: usize) -> Option<&[Token]> {
    let is_attribute = at > 0 && tokens[at - 1].text == "#" && tokens[at].text == "[";
    if !is_attribute && tokens[at].text != "(" {
        return None;
    }
    let mut depth = 0;
    for (offset, token) in tokens[at..].iter().take(MAX_GROUP).enumerate() {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ if token.text == DOLLAR => return None,
            _ if is_attribute || matches!(token.text.as_str(), "&" | "mut" | "self") => {}
            _ => return None,
        }
        if depth == 0 {
            return Some(&tokens[at..=at + offset]).filter(|_| offset > 1);
        }
    }
    None
}

/// Whether a group that occurs so often is shorter as a parameter, if its words are parameters otherwise.
fn is_worth_joining(group: &[Token], count: Option<&usize>) -> bool {
    let lengths = group.iter().map(|token| token.text.chars().count());
    let (full, short) = lengths.fold((0, 0), |(full, short), length| {
        (full + length, short + length.min(PARAMETER_LENGTH))
    });
    let saved = count.copied().unwrap_or(0) * short.saturating_sub(PARAMETER_LENGTH);
    saved >= full + PARAMETER_COST + 1 + MIN_GROUP_SAVING
}

/// Returns the words, literals and groups whose replacement saves characters, the largest saving first.
fn by_saving(tokens: &[Token]) -> Vec<Token> {
    // Number of occurrences, and of spaces before them: a parameter needs none.
    let mut counts: HashMap<&Token, (usize, usize)> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::Word | Kind::Literal) && !is_lifetime(tokens, at) {
            let (count, spaces) = counts.entry(token).or_default();
            *count += 1;
            *spaces +=
                usize::from(at > 0 && matches!(tokens[at - 1].kind, Kind::Word | Kind::Literal));
        }
    }
    let saved = |token: &Token, (count, spaces): (usize, usize)| {
        let length = token.text.chars().count();
        let without = count * length + spaces;
        without.checked_sub(count * PARAMETER_LENGTH + length + PARAMETER_COST + 1)
    };
    let saving =
        counts.into_iter().filter_map(|(token, count)| Some((token, saved(token, count)?)));
    // Ties are broken by text, so that the order does not depend on hashing.
    let mut found: Vec<(&Token, usize)> = saving.collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.text.cmp(&b.0.text)));
    found.into_iter().map(|(token, _)| token.clone()).collect()
}

fn is_lifetime(tokens: &[Token], at: usize) -> bool {
    at > 0 && tokens[at - 1].kind == Kind::Quote
}

#[cfg(test)]
mod tests;
