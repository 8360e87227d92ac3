//! Games by hand as records: show, save and load.

use super::terminal::Lines;
use super::{refuse, CommandResult, Session};
use crate::tools::contracts::record::Record;
use crate::tools::labs::game_reader::{self, Chosen};
use crate::tools::support::files::{ensure_replaceable, folder_of, replace_atomically};
use crate::tools::support::text::{count_of, error_text, sanitize};
use anyhow::Result;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

impl Session<'_> {
    /// Returns the game as a record: only the moves if they are recognised, otherwise a JSON object.
    pub(super) fn record_line(&self) -> Result<String, String> {
        if self.texts.is_empty() {
            return Err("Nothing has been played.".to_string());
        }
        Ok(game_reader::line_of(self.game.rules, self.start.as_deref(), &self.texts))
    }

    pub(super) fn show_record(&mut self) -> CommandResult {
        // Not wrapped, so that it can be copied.
        Ok(writeln!(self.screen, "{}", self.record_line()?)?)
    }

    /// Writes the record to a new file, or to the file of this game.
    pub(super) fn save(&mut self, file: &str) -> CommandResult {
        let line = self.record_line()?;
        let path = PathBuf::from(file);
        if path.exists() && self.saved.as_ref() != Some(&path) {
            return refuse(format!("{file:?} already exists. Choose another name."));
        }
        let folder = folder_of(&path);
        if !folder.is_dir() {
            return refuse(format!("There is no folder {folder:?}."));
        }
        ensure_replaceable(&path)
            .and_then(|()| replace_atomically(&path, format!("{line}\n").as_bytes()))
            .map_err(|error| error_text(&error) + ".")?;
        self.saved = Some(path);
        self.saved_line = Some(line);
        self.say(&format!(
            "{} saved, `cupbot analyse {file}` reads the file\n",
            count_of(self.texts.len(), "move")
        ))
    }

    /// Offers to save an unfinished game. Returns false if the user cancels and continues the game.
    pub(super) fn may_leave(&mut self, input: &mut dyn Lines) -> io::Result<bool> {
        let ended = self.end_lessons();
        self.show_failure(ended)?;
        let is_open = !self.texts.is_empty() && !self.player.is_over();
        while is_open && self.saved_line != self.record_line().ok() {
            let question = "Save the unfinished game? File name, Enter (don't save) or cancel > ";
            let answer = input.next_line(self.screen, question)?.unwrap_or_default();
            match answer.trim() {
                "" | "n" | "no" | "q" | "quit" | "exit" => break,
                "cancel" => return Ok(false),
                file => {
                    let file = match file {
                        "y" | "yes" => format!("{}-game.txt", self.game.rules.name),
                        file => file.to_string(),
                    };
                    let saved = self.save(&file);
                    self.show_failure(saved)?;
                }
            }
        }
        Ok(true)
    }

    /// Loads the game of a file, once it is completely verified.
    pub(super) fn load(&mut self, argument: &str) -> CommandResult {
        // A name may contain spaces.
        let (file, game) = match argument.rsplit_once(char::is_whitespace) {
            Some((file, game)) if !Path::new(argument).exists() => (file.trim_end(), Some(game)),
            _ => (argument, None),
        };
        let record = self.loaded(Path::new(file), game).map_err(|reason| format!("{reason}."))?;
        (self.start, self.texts, self.saved) = (record.start, record.moves, None);
        self.keep_continuation();
        self.saved_line = self.record_line().ok();
        self.spent = vec![Duration::ZERO; self.texts.len() + 1];
        self.warn(&record.remarks)?;
        self.say(&format!("{} loaded\n", count_of(self.texts.len(), "move")))?;
        self.show_board()
    }

    /// Reads a game and replays it.
    fn loaded(&mut self, path: &Path, name: Option<&str>) -> Result<Record, String> {
        let found = game_reader::choose_in(path, name);
        let (count, chosen) = found.map_err(|error| sanitize(&error_text(&error)))?;
        let record = match chosen {
            Chosen::One(record) => *record,
            Chosen::Bad(error) => return Err(sanitize(&format!("{path:?}: {error:#}"))),
            Chosen::Missing => {
                let games = count_of(count, "game");
                return Err(format!("{path:?} has {games}, but none of this number or id"));
            }
            Chosen::Several => {
                return Err(format!(
                    "{path:?} has {count} games: type `load FILE N` with a number or an id"
                ));
            }
        };
        if record.game != self.game.rules {
            let (other, own) = (record.game.title, self.game.rules.title);
            return Err(format!("{path:?} has a game of {other}, but this is {own}"));
        }
        if record.start.is_some() && (self.hand.player)(self.settings()).begin_at("").is_none() {
            return Err(format!("the game in {path:?} begins from a position, not from the start"));
        }
        record.replay().map_err(|error| format!("{path:?}: {error:#}"))?;
        self.player = self.player_after(self.settings(), record.start.as_deref(), &record.moves)?;
        Ok(record)
    }
}
