//! Progress of long jobs on stderr: a bar if stderr is a terminal, otherwise a plain line at intervals.

use super::style::{folded, has_unicode};
use console::Term;
use indicatif::{
    HumanDuration, ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle,
};
use std::fmt;
use std::time::{Duration, Instant};

/// Minimum interval between progress lines when stderr is not a terminal.
const REPORT_EVERY: Duration = Duration::from_secs(15);
/// Units that are done before the time left is estimated.
const MIN_DONE: u64 = 2;
/// Maximum estimate of the time left, in seconds: 1000 days.
const MAX_LEFT: f64 = 86_400_000.0;
/// Minimum width of a terminal that shows all parts of a bar, in columns.
const NARROW: u16 = 70;
/// Template of all bars on a narrow terminal. The message is cut at its width.
const NARROW_TEMPLATE: &str = "{elapsed_precise} {pos}/{len}{left} {wide_msg}";
/// Characters of bars (done, current, left) and spinners if the terminal has only ASCII.
const ASCII_BAR: &str = "=> ";
const ASCII_TICKS: &str = "|/-\\ ";
/// Refresh interval of spinners.
const TICK: Duration = Duration::from_millis(100);

/// Progress of a job that consists of counted units.
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    reported: Option<Instant>,
}

impl Progress {
    /// Creates the progress of a job of `total` units (e.g. `games`), of which `done` were done by an earlier run.
    pub fn new(unit: &'static str, done: u64, total: u64) -> Progress {
        // The message comes last, since it is cut at the width of the terminal.
        let bar = bar(total, done, "{elapsed_precise} {pos}/{len} {prefix}{left} {wide_msg}");
        Progress { bar: bar.with_prefix(unit).with_position(done), unit, reported: None }
    }

    /// Counts one more unit. `line` is called only if a message is shown.
    pub fn advance(&mut self, line: impl FnOnce() -> String) {
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            self.bar.set_message(line());
        } else if self.reported.is_none_or(|last| last.elapsed() >= REPORT_EVERY) {
            self.reported = Some(Instant::now());
            self.print(&line());
        }
    }

    /// Prints a line that stays above the bar.
    pub fn remark(&self, text: &str) {
        self.bar.suspend(|| tell!("{text}"));
    }

    /// Returns the number of units done.
    pub fn done(&self) -> u64 {
        self.bar.position()
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Removes the bar and prints a final line.
    pub fn finish_with(&self, line: &str) {
        self.finish();
        self.print(line);
    }

    fn print(&self, line: &str) {
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        tell_folded(format!("{done}/{total} {} {line}", self.unit).trim_end());
    }
}

/// Prints text to stderr, wrapped at the width of the terminal.
pub fn tell_folded(text: &str) {
    let columns = Term::stderr().size_checked().map_or(usize::MAX, |(_, columns)| columns.into());
    tell!("{}", folded(text, columns));
}

/// Returns the progress bar of a training epoch.
pub fn epoch_bar(epoch: u64, batches: u64) -> ProgressBar {
    bar(batches, 0, "{prefix} {wide_bar} {pos}/{len} {msg}{left}")
        .with_prefix(format!("epoch {epoch}"))
}

/// Progress callback: `(moves done, total moves)`.
pub type Listener = Box<dyn Fn(u64, u64) + Send>;

/// Progress of a game analysis.
pub struct MovesBar<'a> {
    bar: ProgressBar,
    listener: Option<&'a Listener>,
}

impl MovesBar<'_> {
    /// Counts `moves` more analysed moves.
    pub fn inc(&self, moves: u64) {
        self.bar.inc(moves);
        self.notify();
    }

    /// Removes the bar.
    pub fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }

    fn notify(&self) {
        if let Some(notify) = self.listener {
            notify(self.bar.position(), self.bar.length().unwrap_or(0));
        }
    }
}

/// Creates the progress of the analysis of a game with this number of moves. It goes to the listener, or without one to
/// the terminal.
pub fn moves_bar(moves: usize, listener: Option<&Listener>) -> MovesBar<'_> {
    let bar = match listener {
        Some(_) => ProgressBar::with_draw_target(Some(moves as u64), ProgressDrawTarget::hidden()),
        None => bar(moves as u64, 0, "{elapsed_precise} {wide_bar} {pos}/{len} moves{left}"),
    };
    let bar = MovesBar { bar, listener };
    bar.notify();
    bar
}

/// Returns a running spinner for the time that the program thinks; invisible if stderr is not a terminal.
pub fn thinking() -> ProgressBar {
    spinner("{spinner} cupbot thinks, {elapsed}", "")
}

/// Returns a running spinner for a stage of a job; prints a line if stderr is not a terminal.
pub fn stage(name: &'static str) -> ProgressBar {
    let bar = spinner("{elapsed_precise} {spinner} {msg}", name);
    if bar.is_hidden() {
        tell!("{name}");
    }
    bar
}

fn spinner(template: &str, message: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let mut style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    if !has_unicode() {
        style = style.tick_chars(ASCII_TICKS);
    }
    let bar = ProgressBar::new_spinner().with_style(style).with_message(message);
    let bar = bar.with_finish(ProgressFinish::AndClear);
    bar.tick();
    bar.enable_steady_tick(TICK);
    bar
}

/// Creates a bar from a template, in which `{left}` is the speed and the time left; an invalid template gives the
/// default bar. A narrow terminal has its own template. `done` units were done before.
fn bar(total: u64, done: u64, template: &str) -> ProgressBar {
    let is_narrow = Term::stderr().size().1 < NARROW;
    let template = if is_narrow { NARROW_TEMPLATE } else { template };
    let style = ProgressStyle::with_template(template);
    let mut style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    if !has_unicode() {
        style = style.progress_chars(ASCII_BAR);
    }
    let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let (pos, total) = (state.pos(), state.len().unwrap_or(0));
        // Writing fails only if the bar can't be drawn.
        let _ = out.write_str(&left_text(
            pos.saturating_sub(done),
            total.saturating_sub(pos),
            state.elapsed(),
            is_narrow,
        ));
    };
    ProgressBar::new(total).with_style(style.with_key("left", left))
}

/// Formats the speed of a job and its time left, which are unknown until [`MIN_DONE`] units are done; on a narrow
/// terminal only the time left, in short.
fn left_text(done: u64, left: u64, elapsed: Duration, is_narrow: bool) -> String {
    if done < MIN_DONE || elapsed.is_zero() {
        return String::new();
    }
    let speed = done as f64 / elapsed.as_secs_f64();
    let time = Duration::from_secs_f64((left as f64 / speed).ceil().min(MAX_LEFT));
    match is_narrow {
        true => format!(", {:#} left", HumanDuration(time)),
        false => format!(", {speed:.1}/s, {} left", HumanDuration(time)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_estimated_from_this_run() {
        let after = |done, left| left_text(done, left, Duration::from_secs(10), false);
        assert_eq!(after(1, 45), "");
        assert_eq!(after(5, 41), ", 0.5/s, 82 seconds left");
        assert_eq!(after(5, 0), ", 0.5/s, 0 seconds left");
        assert_eq!(left_text(5, 5, Duration::ZERO, false), "");
        assert_eq!(left_text(5, 41, Duration::from_secs(10), true), ", 82s left");
    }
}
