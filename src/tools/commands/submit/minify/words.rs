//! Replaces frequent words and literals by macro parameters. The program becomes the body of a macro that is
//! called once, with the replaced tokens as arguments; in the body each is written as `$` and one
//! character.

use super::names::short_names;
use super::tokens::{Kind, Token};
use std::collections::HashMap;

/// Cost of a parameter in characters: `$x:tt`, and a space after its argument.
const PARAMETER_COST: usize = 6;
/// Length of a parameter in the body, in characters.
const PARAMETER_LENGTH: usize = 2;
/// `$` itself becomes a parameter, since the program's own macros need it.
const DOLLAR: &str = "$";

/// Returns the tokens of an equivalent program with fewer characters.
pub fn abbreviate(mut tokens: Vec<Token>) -> Vec<Token> {
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

/// Returns the words and literals whose replacement saves characters, the largest saving first.
fn by_saving(tokens: &[Token]) -> Vec<Token> {
    let mut counts: HashMap<&Token, usize> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.kind, Kind::Word | Kind::Literal) && !is_lifetime(tokens, at) {
            *counts.entry(token).or_default() += 1;
        }
    }
    let saved = |token: &Token, count: usize| {
        let length = token.text.chars().count();
        (count * length.saturating_sub(PARAMETER_LENGTH)).checked_sub(length + PARAMETER_COST + 1)
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
