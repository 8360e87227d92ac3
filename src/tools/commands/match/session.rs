//! Plays a match or tournament: opens or resumes the record, plays the games, and shows progress.

use super::options::Options;
use crate::tools::arena::match_file::{FaultRecord, GameRecord, IfExists, RecordFile};
use crate::tools::arena::runner::{Arena, Ended, Pairing};
use crate::tools::arena::spec::PlayerSpec;
use crate::tools::contracts::entry::Entry;
use crate::tools::contracts::game_files::FileFormat;
use crate::tools::labs::game_reader;
use crate::tools::support::ctrl_c;
use crate::tools::support::files::{self, Named};
use crate::tools::support::progress_bar::Progress;
use crate::tools::support::text::{count_of, shown_name};
use anyhow::{ensure, Context, Result};
use std::collections::{BTreeSet, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::ControlFlow;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

/// Aggregates results.
pub trait Scoreboard {
    /// Adds a game.
    fn add(&mut self, game: &GameRecord);

    /// Whether a game shows that a player can't play at all. Such a game is not counted and ends the session.
    fn is_void(&mut self, _game: &GameRecord) -> bool {
        false
    }

    /// Whether the session can stop early (SPRT decided).
    fn is_settled(&self) -> bool {
        false
    }

    /// Returns the current result in one line.
    fn line(&self) -> String;
}

/// Plays the scheduled games, or this shard's pairs, skipping games already in the record. After Ctrl-C the scoreboard
/// has the games that were finished.
pub fn play(
    options: &Options,
    arena: Arena,
    plan: &[Pairing],
    scoreboard: &mut dyn Scoreboard,
) -> Result<Ended> {
    let arena = Arc::new(arena);
    ctrl_c::finish_on_usr1();
    let is_whole = !arena.judge.is_match || options.stop_after.is_none_or(|games| games % 2 == 0);
    ensure!(is_whole, "--stop-after: expected an even number, since matches have two games");
    options.make_transcript_folder()?;
    let (mut outputs, mut recorded) = Outputs::open(options, &arena, plan)?;
    recorded.retain(|game| game.game < plan.len());
    recorded.iter().for_each(|game| scoreboard.add(game));
    let done: BTreeSet<usize> = recorded.iter().map(|game| game.game).collect();
    let mut games = own_games(options, plan);
    let planned = games.len();
    games.retain(|game| !done.contains(game));
    games.truncate(options.stop_after.map_or(usize::MAX, |games| games as usize));
    let mut progress = Progress::new("games", done.len() as u64, planned as u64);
    let mut ended = Ended::BrokenOff;
    let control = |spec: &PlayerSpec| spec.time_control(arena.limits.time);
    let controls: Vec<String> = arena.players.iter().map(control).collect();
    if !scoreboard.is_settled() {
        ended = arena.run(plan, &games, options.jobs(), |finished| {
            let pairing = plan[finished.index];
            let mut game =
                GameRecord::new(outputs.id(), arena.game, pairing, &arena.names, finished);
            game.time_controls = pairing.players.map(|player| controls[player].clone());
            if scoreboard.is_void(&game) {
                // The error that ends the session has the rest.
                let fault = game.fault.iter().filter(|fault| fault.stderr.len() > 1);
                fault.flat_map(FaultRecord::diagnosis).for_each(|line| progress.remark(&line));
                return Ok(ControlFlow::Break(()));
            }
            outputs.push(&mut game)?;
            scoreboard.add(&game);
            remarks(&game).iter().for_each(|remark| progress.remark(remark));
            progress.advance(|| scoreboard.line());
            let settled = scoreboard.is_settled();
            Ok(if settled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    // Read before `finish`, which fills the bar.
    let played = progress.done();
    progress.finish();
    let cause = match ended {
        Ended::Interrupted => Some("interrupted"),
        Ended::Complete if ctrl_c::is_finishing() => Some("stopped by SIGUSR1"),
        _ => None,
    };
    if let Some(cause) = cause {
        let hint = if outputs.record.is_some() { "; continue with --resume" } else { "" };
        progress.remark(&format!("{cause} after {played} of {}{hint}", count_of(planned, "game")));
    }
    Ok(ended)
}

/// Output files of a session.
struct Outputs {
    record: Option<RecordFile>,
    pgn: Option<PgnFile>,
}

impl Outputs {
    /// Opens the files. Also returns the games of a resumed record, and adds those missing from the PGN file.
    fn open(
        options: &Options,
        arena: &Arena,
        plan: &[Pairing],
    ) -> Result<(Outputs, Vec<GameRecord>)> {
        let open_pgn = |path| PgnFile::open(options.game, path);
        let mut pgn = options.pgn.as_deref().map(open_pgn).transpose()?;
        let mut record = None;
        let mut recorded = Vec::new();
        if let Some(path) = options.record_path() {
            let settings = options.settings(arena);
            // Shards consist of whole pairs, the unit from which the result is computed.
            let pairs = plan.last().map_or(0, |last| last.pair as u64 + 1);
            let settings = options.sharding.settings(settings, pairs);
            let (opened, games) = RecordFile::open(path, &settings, options.if_exists())?;
            record = Some(opened);
            recorded = games;
        }
        if let Some(pgn) = &mut pgn {
            if options.if_exists() == IfExists::Resume {
                pgn.complete(&recorded)?;
            }
            pgn.separate()?;
        }
        Ok((Outputs { record, pgn }, recorded))
    }

    /// Returns the id of the match in the record.
    fn id(&self) -> &str {
        self.record.as_ref().map_or("", RecordFile::id)
    }

    /// Appends a game.
    fn push(&mut self, game: &mut GameRecord) -> Result<()> {
        if let Some(record) = &mut self.record {
            record.push(game)?;
        }
        if let Some(pgn) = &mut self.pgn {
            pgn.push(game)?;
        }
        Ok(())
    }
}

/// Separator between PGN games: a line ending and an empty line.
const GAME_END: &[u8; 2] = b"\n\n";

/// Whether a file that begins with these bytes can be PGN: empty, or a tag, comment, escaped line or move.
fn may_be_pgn(head: &[u8]) -> bool {
    let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_none_or(|first| b"[{;%123456789".contains(first))
}

/// A PGN file open for appending.
struct PgnFile {
    file: File,
    format: &'static FileFormat,
    /// Keys of the games already in the file when the match was resumed.
    known: HashSet<String>,
}

impl PgnFile {
    fn open(game: &'static Entry, path: &Path) -> Result<PgnFile> {
        let format = game.require(&game.tools.format, "games in PGN")?;
        files::make_folder_of(path).named("opening", path)?;
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.named("opening", path)?;
        let mut head = [0; 64];
        let read = file.read_at(&mut head, 0).unwrap_or(0);
        ensure!(
            may_be_pgn(&head[..read]),
            "{} exists but is not the expected kind of file (games in PGN): choose another name",
            shown_name(path)
        );
        Ok(PgnFile { file, format, known: HashSet::new() })
    }

    /// Ends the existing contents with an empty line, so that the next game is separate.
    fn separate(&self) -> Result<()> {
        let mut end = [0; GAME_END.len()];
        let start = self.file.metadata()?.len().checked_sub(end.len() as u64);
        let has_end = start.map(|start| self.file.read_exact_at(&mut end, start).is_ok());
        if has_end == Some(true) && end != *GAME_END {
            (&self.file).write_all(GAME_END).context("writing the games in PGN")?;
        }
        Ok(())
    }

    fn text_of(&self, game: &GameRecord) -> Result<String> {
        let line = serde_json::to_string(game)?;
        let record = game_reader::parse(&line)?.context("not a game record")?;
        (self.format.write)(&record)
    }

    fn push(&mut self, game: &GameRecord) -> Result<()> {
        let text = self.text_of(game)?;
        if self.known.contains(&key(text.as_bytes())) {
            return Ok(());
        }
        self.file.write_all(text.as_bytes()).context("writing the games in PGN")
    }

    /// Adds recorded games that are missing after a kill, and truncates an incomplete last game.
    fn complete(&mut self, recorded: &[GameRecord]) -> Result<()> {
        let mut found =
            files::read_bytes_of_lines(&mut self.file).context("reading the games in PGN")?;
        let texts: Result<Vec<String>> = recorded.iter().map(|game| self.text_of(game)).collect();
        let texts = texts?;
        let Some(head) = texts.first().and_then(|text| text.split(' ').next()) else {
            return Ok(());
        };
        let head = head.as_bytes();
        // The last game, or an incomplete line that is not yet recognised as the start of a game.
        let last_line = found.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let is_torn = |start: &usize| {
            let rest = &found[*start..];
            let is_begun =
                |text: &String| text.len() > rest.len() && text.as_bytes().starts_with(rest);
            !rest.is_empty() && texts.iter().any(is_begun)
        };
        let last_start = starts(&found, head).last().copied();
        if let Some(torn) = last_start.into_iter().chain([last_line]).find(is_torn) {
            found.truncate(torn);
            self.file.set_len(torn as u64).context("truncating an incomplete game in PGN")?;
        }
        let starts = starts(&found, head);
        let ends = starts.iter().skip(1).copied().chain([found.len()]);
        self.known = starts.iter().zip(ends).map(|(&start, end)| key(&found[start..end])).collect();
        let missing = texts.iter().filter(|text| !self.known.contains(&key(text.as_bytes())));
        self.separate()?;
        for text in missing {
            self.file.write_all(text.as_bytes()).context("writing the games in PGN")?;
        }
        Ok(())
    }
}

/// Returns the words of a game without its date and the times of its moves, which differ when it is played again.
fn key(game: &[u8]) -> String {
    let text = String::from_utf8_lossy(game);
    let lines = text.lines().filter(|line| !line.starts_with("[Date "));
    let mut words = lines.flat_map(str::split_whitespace);
    let mut key = String::new();
    while let Some(word) = words.next() {
        if word.contains("[%emt") {
            words.next();
        } else {
            key += word;
            key.push(' ');
        }
    }
    key
}

/// Returns the offsets of the games in a file, which start at lines with this head.
fn starts(found: &[u8], head: &[u8]) -> Vec<usize> {
    let mut place = 0;
    let mut starts = Vec::new();
    for line in found.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(head) {
            starts.push(place);
        }
        place += line.len();
    }
    starts
}

/// Returns the indices of the scheduled games of this shard.
pub fn own_games(options: &Options, plan: &[Pairing]) -> Vec<usize> {
    let shard = options.sharding.shard();
    (0..plan.len()).filter(|&game| shard.owns(plan[game].pair)).collect()
}

/// Describes the fault of a game and errors after its end.
pub fn remarks(game: &GameRecord) -> Vec<String> {
    let name = |side: &str| game.side(side).map_or("", |side| &game.names[side.index()]);
    let number = game.number;
    let mut remarks = Vec::new();
    if let Some(fault) = &game.fault {
        let (side, cause, text) = (&fault.side, fault.kind.cause(), fault.text());
        remarks.push(format!("game {number}: {side} {:?} lost {cause}: {text}", name(side)));
        remarks.extend(fault.diagnosis());
    }
    for (side, complaint) in &game.complaints {
        remarks.push(format!("game {number}: {side} {:?} {complaint}", name(side)));
    }
    remarks
}
