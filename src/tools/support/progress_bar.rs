//! How a long job goes, on stderr: a bar where that is a terminal, else a plain line now and then.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Plain lines come no faster than this.
const REPORT_EVERY: Duration = Duration::from_secs(15);
/// A spinner turns so often.
const SPINNER_TICK: Duration = Duration::from_millis(100);

/// A sign that something goes on moves so often.
const TICK: Duration = Duration::from_millis(100);

/// The progress of a job, with a line that says how it goes.
pub struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    reported: Option<Instant>,
}

impl Progress {
    /// A job of `total` units (`games`), of which an earlier run has done some.
    pub fn new(unit: &'static str, done: u64, total: u64) -> Progress {
        // The line comes last: it may be longer than the terminal is wide.
        let bar = bar(total, "{elapsed_precise} {bar:20} {pos}/{len} {prefix} eta {eta} {msg}");
        Progress { bar: bar.with_prefix(unit).with_position(done), unit, reported: None }
    }

    /// One more is done. `line` is asked only if it is shown.
    pub fn advance(&mut self, line: impl FnOnce() -> String) {
        self.bar.inc(1);
        if !self.bar.is_hidden() {
            self.bar.set_message(line());
        } else if self.reported.is_none_or(|last| last.elapsed() >= REPORT_EVERY) {
            self.reported = Some(Instant::now());
            self.print(&line());
        }
    }

    /// Shows a remark that is to stay.
    pub fn remark(&self, text: &str) {
        self.bar.suspend(|| tell!("{text}"));
    }

    /// How many are done.
    pub fn done(&self) -> u64 {
        self.bar.position()
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Takes the bar away and leaves a last line.
    pub fn finish_with(&self, line: &str) {
        self.finish();
        self.print(line);
    }

    fn print(&self, line: &str) {
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let text = format!("{done}/{total} {} {line}", self.unit);
        tell!("{}", text.trim_end());
    }
}

/// The stages of a job that can't be counted: a spinner with the time so far where stderr is a
/// terminal, else a line for each.
pub struct Stages {
    bar: ProgressBar,
}

impl Stages {
    /// A job that begins with this stage.
    pub fn begin(stage: &'static str) -> Stages {
        let style = ProgressStyle::with_template("{elapsed_precise} {spinner} {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(SPINNER_TICK);
        let stages = Stages { bar };
        stages.next(stage);
        stages
    }

    /// The next stage has begun.
    pub fn next(&self, stage: &'static str) {
        if self.bar.is_hidden() {
            tell!("{stage}");
        } else {
            self.bar.set_message(stage);
        }
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The bar of an epoch of a training.
pub fn epoch_bar(epoch: u64, batches: u64) -> ProgressBar {
    bar(batches, "{prefix} {wide_bar} {pos}/{len} {msg} {eta}")
        .with_prefix(format!("epoch {epoch}"))
}

/// Is told how many of how many moves are done.
pub type Listener = Box<dyn Fn(u64, u64)>;

thread_local! {
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
}

/// From now on the analyses of games in this thread tell somebody how far they are, instead of the
/// terminal; `None`: the terminal again.
pub fn listen(listener: Option<Listener>) {
    LISTENER.set(listener);
}

/// The progress of the analysis of a game.
pub struct MovesBar(ProgressBar);

impl MovesBar {
    /// So many moves more are done.
    pub fn inc(&self, moves: u64) {
        self.0.inc(moves);
        self.tell();
    }

    /// Takes it away.
    pub fn finish_and_clear(&self) {
        self.0.finish_and_clear();
    }

    fn tell(&self) {
        LISTENER.with_borrow(|listener| {
            listener.iter().for_each(|tell| tell(self.0.position(), self.0.length().unwrap_or(0)));
        });
    }
}

/// A bar for the moves of a game under analysis.
pub fn moves_bar(moves: usize) -> MovesBar {
    let bar = match LISTENER.with_borrow(Option::is_some) {
        true => ProgressBar::with_draw_target(Some(moves as u64), ProgressDrawTarget::hidden()),
        false => bar(moves as u64, "{bar:30} {pos}/{len} moves, {eta} left"),
    };
    let bar = MovesBar(bar);
    bar.tell();
    bar
}

/// A sign that the program thinks, moving by itself; nothing where stderr is no terminal.
pub fn thinking() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} cupbot thinks, {elapsed}");
    let sign = ProgressBar::new_spinner();
    sign.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    sign.tick();
    sign.enable_steady_tick(TICK);
    sign
}

/// A bar of this form. A wrong template makes the ordinary one.
fn bar(total: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
