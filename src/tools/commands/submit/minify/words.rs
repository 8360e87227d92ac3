//! Words that are met often stand once, after the program: as what a macro is called with whose
//! body is the program. There each is `$` and one character.

use super::names::all_short;
use super::tokens::{Kind, Token};
use std::collections::HashMap;

/// What a parameter costs: `$x:tt` and a blank after its value.
const PARAMETER: usize = 6;
/// What stands for a value.
const SHORT: usize = 2;
/// What stands for `$` itself, which the program's own macros need.
const DOLLAR: &str = "$";
/// The tokens of the same program with fewer characters.
pub fn abbreviated(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut values = Vec::new();
    for token in tokens.iter_mut().filter(|token| token.text == DOLLAR) {
        token.kind = Kind::Alone;
        values = vec![token.clone()];
    }
    values.extend(by_saving(&tokens));
    let shorts: Vec<String> = all_short().take(values.len()).collect();
    let short_of: HashMap<&Token, &String> = values.iter().zip(&shorts).collect();
    for at in 0..tokens.len() {
        if let Some(short) = short_of.get(&tokens[at]).filter(|_| !is_lifetime(&tokens, at)) {
            tokens[at] = Token { text: format!("${short}"), kind: Kind::Short };
        }
    }
    values.truncate(shorts.len());
    called(tokens, shorts, values)
}

/// The macro with the program and its call.
fn called(tokens: Vec<Token>, shorts: Vec<String>, values: Vec<Token>) -> Vec<Token> {
    let punct = |text: &str| Token { text: text.into(), kind: Kind::Open };
    let word = |text: &str| Token { text: text.into(), kind: Kind::Word };
    let mut all = vec![word("macro_rules"), punct("!"), word("z"), punct("{(")];
    for short in shorts {
        all.extend([punct("$"), word(&short), punct(":"), word("tt")]);
    }
    all.push(punct(")=>{"));
    all.extend(tokens);
    all.extend([punct("}}"), word("z"), punct("!{")]);
    all.extend(values);
    all.push(punct("}"));
    all
}

/// The words and literals that save characters, those that save most first.
fn by_saving(tokens: &[Token]) -> Vec<Token> {
    let mut counts: HashMap<&Token, usize> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::Word | Kind::Literal) && !is_lifetime(tokens, at) {
            *counts.entry(token).or_default() += 1;
        }
    }
    let saved = |token: &Token, count: usize| {
        let length = token.text.chars().count();
        (count * length.saturating_sub(SHORT)).checked_sub(length + PARAMETER + 1)
    };
    let saving =
        counts.into_iter().filter_map(|(token, count)| Some((token, saved(token, count)?)));
    // The order of equals must not depend on a hash.
    let mut found: Vec<(&Token, usize)> = saving.collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.text.cmp(&b.0.text)));
    found.into_iter().map(|(token, _)| token.clone()).collect()
}

fn is_lifetime(tokens: &[Token], at: usize) -> bool {
    at > 0 && tokens[at - 1].kind == Kind::Quote
}

#[cfg(test)]
mod tests;
