//! PGN reader: divides a text into games. An error affects only its own game, and of it only the part after the error.

use super::builder::{GameBuilder, MAX_REMARKS};
use super::lexer::{Lexer, Token};
use crate::tools::contracts::game_files::{FileGame, Take};
use anyhow::{anyhow, Result};
use std::io::BufRead;

/// Passes on all games of a text.
pub fn read(input: &mut dyn BufRead, take: &mut Take) -> Result<()> {
    let mut tokens = Lexer::new(input).peekable();
    let mut reader = Reader { game: None, strays: Vec::new(), loose: Vec::new(), take };
    while let Some(token) = tokens.next() {
        let (line, token) = token?;
        let next = tokens.peek().and_then(|next| next.as_ref().ok());
        let is_last = next.is_none_or(|(_, next)| {
            matches!(next, Token::Blank | Token::Tag(..) | Token::BadTag(_))
        });
        reader.token(line, token, is_last)?;
    }
    reader.end()
}

/// Reads one game after another.
struct Reader<'a, 'b> {
    /// The current game, or the last one while no other has begun.
    game: Option<GameBuilder>,
    /// Remarks on text before the next game.
    strays: Vec<(usize, String)>,
    /// Comments between games, which belong to the next one.
    loose: Vec<(usize, String)>,
    take: &'a mut Take<'b>,
}

impl Reader<'_, '_> {
    fn token(&mut self, line: usize, token: Token, is_last: bool) -> Result<()> {
        if self.game.as_ref().is_some_and(|game| !game.is_over() && game.ends_before(&token)) {
            self.finish()?;
        }
        if self.game.as_ref().is_none_or(GameBuilder::is_over) {
            if self.between(line, &token) {
                return Ok(());
            }
            self.finish()?;
        }
        if token == Token::Blank {
            self.game.iter_mut().for_each(|game| game.is_after_blank = true);
            return Ok(());
        }
        let has_tags = matches!(token, Token::Tag(..) | Token::BadTag(_));
        let game = self.game.get_or_insert_with(|| GameBuilder::new(line));
        if !has_tags {
            // The tags, which decide about the first position, are complete.
            self.loose.drain(..).for_each(|(line, text)| game.comment(line, &text));
        }
        game.token(line, token, is_last);
        game.is_after_blank = false;
        Ok(())
    }

    /// Reads a token between games. Returns false if it begins a game.
    fn between(&mut self, line: usize, token: &Token) -> bool {
        match token {
            Token::Comment { text, is_closed } => {
                if !is_closed {
                    self.stray(line, "the comment is not closed");
                }
                self.comment(line, text);
            }
            Token::Blank => self.game.iter_mut().for_each(|game| game.is_after_blank = true),
            Token::TooLong => self.stray(line, "the line is too long"),
            Token::Close | Token::Glyphs(_) | Token::Result(_) | Token::Number { .. } => {}
            _ => return false,
        }
        true
    }

    /// Adds a comment between games: to the last one, or after an empty line to the next one.
    fn comment(&mut self, line: usize, text: &str) {
        if let Some(game) = self.game.as_mut().filter(|game| !game.is_after_blank) {
            game.comment(line, text);
        } else if self.loose.len() < MAX_REMARKS {
            self.loose.push((line, text.to_string()));
        } else {
            self.stray(line, "too many comments between games, ignored");
        }
    }

    fn stray(&mut self, line: usize, what: &str) {
        if self.strays.len() < MAX_REMARKS {
            self.strays.push((line, what.to_string()));
        }
    }

    /// Passes on the current game.
    fn finish(&mut self) -> Result<()> {
        let Some(mut game) = self.game.take() else { return Ok(()) };
        if !game.is_over() {
            self.loose.drain(..).for_each(|(line, text)| game.comment(line, &text));
        }
        match game.done() {
            Ok(mut found) => {
                let strays =
                    self.strays.drain(..).map(|(line, what)| format!("line {line}: {what}"));
                if let Ok(record) = &mut found.record {
                    record.remarks.splice(0..0, strays);
                }
                (self.take)(found)
            }
            Err(what) => {
                if let Some((line, what)) = what {
                    self.stray(line, &format!("not a game: {what}"));
                }
                Ok(())
            }
        }
    }

    /// Ends the text. Comments after the last game belong to it; other text is reported.
    fn end(mut self) -> Result<()> {
        for (line, text) in std::mem::take(&mut self.loose) {
            match &mut self.game {
                Some(game) => game.comment(line, &text),
                None => self.stray(line, "a comment without a game"),
            }
        }
        self.finish()?;
        self.strays
            .drain(..)
            .try_for_each(|(line, what)| (self.take)(FileGame { line, record: Err(anyhow!(what)) }))
    }
}
