//! Signal handling of long jobs (Ctrl-C, SIGTERM, SIGHUP): after the first signal the job saves its results and exits;
//! a second signal exits immediately.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use std::fs;
use std::io::{self, IsTerminal};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

/// Exit status of a program killed by signal N is this plus N, by the convention of shells.
const EXIT_SIGNAL: u8 = 128;

/// Message of commands that keep nothing.
pub const START_OVER: &str = ": nothing is kept; the same command starts again from the beginning";
/// Time that a job has to stop by itself.
const PATIENCE: Duration = Duration::from_millis(700);

/// The first caught signal; 0 if none.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// Whether SIGUSR1 was caught.
static FINISHING: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// An action that runs immediately on the first signal.
type Action = Box<dyn Fn() + Send>;
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

/// Installs the handlers, except for signals that the parent process has set to be ignored, as `nohup` does with
/// SIGHUP. If the handlers can't be installed, signals end the process as usual. Ends the process if no thread can be
/// started.
pub fn catch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(listen);
}

fn listen() {
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
    // Shells set SIGINT to be ignored in background jobs; one that arrives there was sent on purpose.
    let wanted = wanted.filter(|&signal| signal == SIGINT || ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(wanted) else { return };
    if let Err(error) = thread::Builder::new().spawn(move || signals.forever().for_each(on_signal))
    {
        tell!("cupbot: starting a thread: {error}");
        process::exit(2);
    }
}

/// Returns the ignored signals as a bit mask, with signal 1 in the lowest bit, from Linux's /proc (man 5 proc); 0 on
/// other systems.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Registers an action that runs on the signal thread when the first signal is caught, before those registered earlier,
/// or now if a signal was caught before.
pub fn on_first_signal(action: impl Fn() + Send + 'static) {
    let mut actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if is_interrupted() {
        action();
    }
    actions.push(Box::new(action));
}

/// Ends the process on the first signal with a message, for commands whose results are already in files.
pub fn end_with(message: String) {
    on_first_signal(move || end(&message));
    catch();
}

/// Ends the process on the first signal, for commands that keep nothing.
pub fn start_over() {
    end_with(START_OVER.to_string());
}

/// Lets the job stop by itself after the first signal, to print what is done. Ends the process if that takes longer
/// than [`PATIENCE`].
pub fn stop_soon() {
    on_first_signal(|| {
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            end(START_OVER);
        });
    });
    catch();
}

/// Ends the process with a message, after a signal.
pub fn end(message: &str) -> ! {
    // Over a progress bar.
    let clear = if io::stderr().is_terminal() { "\r\u{1b}[K" } else { "" };
    tell!("{clear}interrupted{message}");
    process::exit(exit_status().into());
}

/// Blocks until the process ends, if a signal was caught. For jobs that don't stop by themselves: the signal kills
/// their programs before it ends the process, and a program that was killed must not be reported as faulty.
pub fn wait_if_ending() {
    while is_interrupted() {
        thread::park();
    }
}

/// Acts as if Ctrl-C had been pressed, for terminals in raw mode.
pub fn interrupt() {
    on_signal(SIGINT);
}

fn on_signal(signal: i32) {
    if CAUGHT.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        process::exit(exit_status().into());
    }
    let actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    actions.iter().rev().for_each(|action| action());
}

/// From now on SIGUSR1 asks the job to finish what has begun and then to stop; see [`is_finishing`].
pub fn finish_on_usr1() {
    // If it can't be caught, the signal ends the process as usual.
    let _ = signal_hook::flag::register(SIGUSR1, Arc::clone(&FINISHING));
}

/// Whether SIGUSR1 has been caught.
pub fn is_finishing() -> bool {
    FINISHING.load(Ordering::SeqCst)
}

/// Whether a signal has been caught.
pub fn is_interrupted() -> bool {
    CAUGHT.load(Ordering::SeqCst) != 0
}

/// Returns the exit status for a program ended by the caught signal.
pub fn exit_status() -> u8 {
    EXIT_SIGNAL + u8::try_from(CAUGHT.load(Ordering::SeqCst)).unwrap_or(0)
}
