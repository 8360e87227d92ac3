//! `cupbot replay`: writes a game as a self-contained HTML page.
//!
//! The page is that of `cupbot board` without its server; see [`page`].

use crate::tools::commands::board::replay::page;
use crate::tools::labs::game_reader::Source;
use crate::tools::labs::registry::entry;
use crate::tools::support::ctrl_c;
use crate::tools::support::text::warn;
use anyhow::{ensure, Context, Result};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

/// Write a game as an interactive HTML page to stdout
///
/// The page is self-contained and works offline. If the record has scores, e.g. from `cupbot analyse --json`, it shows
/// a score graph, the best moves and the mistakes. `page.html#17` opens the position after move 17.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Write PGN instead of a page: the chosen game, or all games of the file
    #[arg(long)]
    pgn: bool,
}

/// Prints the page of a game.
pub fn run(args: Args) -> Result<ExitCode> {
    ctrl_c::start_over();
    if let Some(list) = args.source.list(false)? {
        say_part!("{list}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.pgn {
        return write_pgn(&args.source);
    }
    let page = page(&args.source.read()?)?;
    io::stdout().lock().write_all(page.as_bytes()).context("writing the page")?;
    Ok(ExitCode::SUCCESS)
}

/// Prints games in PGN, and says in a line which ones have none.
fn write_pgn(source: &Source) -> Result<ExitCode> {
    let mut written = 0;
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    source.read_several(|record| {
        let Some(format) = &entry(record.game).tools.format else {
            *left_out.entry(record.game.title).or_default() += 1;
            return Ok(());
        };
        written += 1;
        Ok(say_part!("{}", (format.write)(&record)?)?)
    })?;
    let games = left_out.iter().map(|(title, count)| format!("{title} ({count})"));
    let games = games.collect::<Vec<_>>().join(", ");
    ensure!(written > 0, "no game can be written in PGN: {games}");
    if !games.is_empty() {
        warn(&format!("left out, since they can't be written in PGN: {games}"));
    }
    Ok(ExitCode::SUCCESS)
}
