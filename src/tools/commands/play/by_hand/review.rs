//! `analyse` in a session: marks the mistakes of the game.

use super::{refuse, Obeyed, Session};
use crate::tools::contracts::analysis::{Mark, Options};
use crate::tools::labs::game_reader;
use crate::tools::support::style::{self, painted};
use std::time::Duration;

/// Maximum time per move.
const MOVE_TIME: Duration = Duration::from_millis(200);
/// Maximum time for the whole game.
const GAME_TIME: Duration = Duration::from_secs(20);

impl Session<'_> {
    /// Shows the moves that the analysis of the game marks.
    pub(super) fn analyse(&mut self) -> Obeyed {
        let Some(analyse) = &self.game.tools.analyse else {
            return refuse(format!("{} has no analysis.", self.game.rules.title));
        };
        let record = game_reader::parse(&self.record_line()?).map_err(|error| error.to_string())?;
        let Some(record) = record else { return refuse("The game can't be analysed.") };
        let time = MOVE_TIME.min(GAME_TIME / self.texts.len().max(1) as u32);
        let mut options = Options::by_time(time, self.settings().hash_mb as u64);
        options.nodes = self.options.nodes;
        let found = (analyse.run)(&record, &options);
        let table = found.map_err(|error| format!("{error:#}."))?.table;
        let is_marked = |line: &&str| Mark::ALL.iter().any(|mark| line.ends_with(mark.text()));
        let marked: Vec<&str> = table.lines().map(str::trim_end).filter(is_marked).collect();
        if marked.is_empty() {
            return self.say("No mistakes.\n");
        }
        let head = table.lines().find(|line| line.starts_with("ply")).unwrap_or_default();
        self.say(&format!("{}\n", painted(head, style::HEAD)))?;
        marked.into_iter().try_for_each(|line| self.say(&format!("{line}\n")))
    }
}
