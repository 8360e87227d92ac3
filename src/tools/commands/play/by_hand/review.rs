//! `analyse` in a session: marks the mistakes of the game.

use super::{refuse, CommandResult, Session};
use crate::tools::contracts::analysis::{Mark, Options};
use crate::tools::support::style::{self, painted};
use crate::tools::support::text::error_text;
use std::time::Duration;

/// Maximum time per move.
const MOVE_TIME: Duration = Duration::from_millis(200);
/// Maximum time for the whole game.
const GAME_TIME: Duration = Duration::from_secs(20);

impl Session<'_> {
    /// Shows the moves that the analysis of the game marks.
    pub(super) fn analyse(&mut self) -> CommandResult {
        let Some(analyse) = &self.game.tools.analyse else {
            return refuse(format!("{} has no analysis.", self.game.rules.title));
        };
        self.record_line()?;
        let record = self.record();
        let time = MOVE_TIME.min(GAME_TIME / self.texts.len().max(1) as u32);
        let mut options = Options::by_time(time);
        options.nodes = self.options.nodes;
        let found = (analyse.run)(&record, &options);
        let table = found.map_err(|error| error_text(&error) + ".")?.table;
        let is_marked = |line: &&str| Mark::ALL.iter().any(|mark| line.ends_with(mark.text()));
        let marked: Vec<&str> = table.lines().map(str::trim_end).filter(is_marked).collect();
        if marked.is_empty() {
            return self.say("No mistakes.\n");
        }
        let head =
            table.lines().find(|line| line.trim_start().starts_with("ply")).unwrap_or_default();
        self.say(&format!("{}\n", painted(head, style::HEAD)))?;
        marked.into_iter().try_for_each(|line| self.say(&format!("{line}\n")))
    }
}
