//! Words and groups that are met often stand once, after the program: as what a macro is called with whose
//! body is the program. There each is `$` and one character.

use super::layout::text_of;
use super::names::all_short;
use super::tokens::{Kind, Token};
use std::collections::HashMap;

/// What a parameter costs: `$x:tt` and a blank after its value.
const PARAMETER: usize = 6;
/// What stands for a value.
const SHORT: usize = 2;
/// What stands for `$` itself, which the program's own macros need.
const DOLLAR: &str = "$";
/// Words of a group that never mean a variable: what the macro is called with can't see those of its body.
const SAFE: [&str; 15] = [
    "crate",
    "self",
    "Self",
    "mut",
    "inline",
    "derive",
    "cfg",
    "target_arch",
    "not",
    "target_os",
    "Clone",
    "Copy",
    "Default",
    "Eq",
    "PartialEq",
];

/// The tokens of the same program with fewer characters.
pub fn abbreviated(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut values: Vec<Vec<Token>> = Vec::new();
    let mut names = all_short();
    let mut shorts = Vec::new();
    if tokens.iter().any(|token| token.text == DOLLAR) {
        let short = names.next().unwrap_or_default();
        values.push(vec![Token { text: DOLLAR.into(), kind: Kind::Alone }]);
        shorts.push(short.clone());
        tokens.iter_mut().filter(|token| token.text == DOLLAR).for_each(|token| {
            *token = short_token(&short);
        });
    }
    // Groups first: what they are called with can't be short in part. One of them may have another one within it, so
    // that each changes the counts.
    while let Some(group) = by_saving(groups(&tokens)).into_iter().next() {
        let Some(short) = names.next() else { break };
        tokens = with_short_group(tokens, &group, &short);
        values.push(group);
        shorts.push(short);
    }
    let mut words = by_saving(singles(&tokens));
    let short_words: Vec<String> = names.take(words.len()).collect();
    words.truncate(short_words.len());
    let short_of: HashMap<&Token, &String> = words.iter().flatten().zip(&short_words).collect();
    for at in 0..tokens.len() {
        if let Some(short) = short_of.get(&tokens[at]).filter(|_| !is_lifetime(&tokens, at)) {
            tokens[at] = short_token(short);
        }
    }
    values.extend(words);
    shorts.extend(short_words);
    called(tokens, shorts, values)
}

/// The macro with the program and its call.
fn called(tokens: Vec<Token>, shorts: Vec<String>, values: Vec<Vec<Token>>) -> Vec<Token> {
    let punct = |text: &str| Token { text: text.into(), kind: Kind::Open };
    let word = |text: &str| Token { text: text.into(), kind: Kind::Word };
    let mut all = vec![word("macro_rules"), punct("!"), word("z"), punct("{(")];
    for short in shorts {
        all.extend([punct("$"), word(&short), punct(":"), word("tt")]);
    }
    all.push(punct(")=>{"));
    all.extend(tokens);
    all.extend([punct("}}"), word("z"), punct("!{")]);
    all.extend(values.into_iter().flatten());
    all.push(punct("}"));
    all
}

/// How often some values are met.
type Counts<'a> = HashMap<&'a [Token], usize>;

/// The words and the literals.
fn singles(tokens: &[Token]) -> Counts<'_> {
    let mut counts = Counts::new();
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::Word | Kind::Literal) && !is_lifetime(tokens, at) {
            *counts.entry(&tokens[at..=at]).or_default() += 1;
        }
    }
    counts
}

/// The groups in which nothing means a variable.
fn groups(tokens: &[Token]) -> Counts<'_> {
    let mut counts = Counts::new();
    for (at, token) in tokens.iter().enumerate() {
        if let Some(group) = safe_group(&tokens[at..]).filter(|_| token.kind == Kind::Open) {
            *counts.entry(group).or_default() += 1;
        }
    }
    counts
}

/// The values that save characters, those that save most first.
fn by_saving(counts: Counts) -> Vec<Vec<Token>> {
    let saved = |value: &[Token], count: usize| {
        let length = text_of(value).trim_end().chars().count();
        // The words of a group could be short without it.
        let width = |token: &Token| token.text.chars().count().min(SHORT);
        let alone = if value.len() == 1 { length } else { value.iter().map(width).sum() };
        (count * alone.saturating_sub(SHORT)).checked_sub(length + PARAMETER + 1)
    };
    let saving =
        counts.into_iter().filter_map(|(value, count)| Some((value, saved(value, count)?)));
    // The order of equals must not depend on a hash.
    let text = |value: &[Token]| value.iter().map(|token| token.text.as_str()).collect::<String>();
    let mut found: Vec<(&[Token], usize)> = saving.collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| text(a.0).cmp(&text(b.0))));
    found.into_iter().map(|(value, _)| value.to_vec()).collect()
}

fn is_lifetime(tokens: &[Token], at: usize) -> bool {
    at > 0 && tokens[at - 1].kind == Kind::Quote
}

/// The group at the start of the tokens, if nothing in it can mean a variable or is short already.
fn safe_group(tokens: &[Token]) -> Option<&[Token]> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Word if !SAFE.contains(&token.text.as_str()) => return None,
            Kind::Short => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(&tokens[..=index]);
        }
    }
    None
}

/// What stands for a value.
fn short_token(short: &str) -> Token {
    Token { text: format!("${short}"), kind: Kind::Short }
}

/// The tokens with `short` wherever there was the group.
fn with_short_group(tokens: Vec<Token>, group: &[Token], short: &str) -> Vec<Token> {
    let mut starts = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_start = tokens[at..].starts_with(group);
        starts.extend(is_start.then_some(at));
        at += if is_start { group.len() } else { 1 };
    }
    let mut starts = starts.into_iter().peekable();
    let mut end = 0;
    let short_or_own = |(at, token)| {
        if starts.next_if_eq(&at).is_some() {
            end = at + group.len();
            return Some(short_token(short));
        }
        (at >= end).then_some(token)
    };
    tokens.into_iter().enumerate().filter_map(short_or_own).collect()
}

#[cfg(test)]
mod tests;
