//! Ctrl-C, SIGTERM and SIGHUP at a long job: the first one asks it to end with what it has, a second one
//! ends it at once.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::fs;
use std::process;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;

/// A program that a signal has ended has this status and the signal's number, as shells count.
const EXIT_SIGNAL: u8 = 128;

/// The first signal that was caught; 0: none.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// What a first signal does at once.
type Action = Box<dyn Fn() + Send>;
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

/// Catches the signals from now on, but those that the caller has this process ignore, as `nohup` does with
/// SIGHUP. Where they can't be caught, they end the program as ever.
pub fn catch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| listen(interrupted));
}

/// The signals do nothing to this process any more.
pub fn ignore() {
    listen(|_| ());
}

fn listen(act: impl Fn(i32) + Send + 'static) {
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter();
    // A shell has its background jobs ignore SIGINT, but who sends one there means it.
    let wanted = wanted.filter(|&signal| signal == SIGINT || ignored >> (signal - 1) & 1 == 0);
    if let Ok(mut signals) = Signals::new(wanted) {
        thread::spawn(move || signals.forever().for_each(act));
    }
}

/// A bit for each signal, the lowest for number 1, by Linux's /proc (man 5 proc). Other systems do not tell.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Lets the first signal do something at once, in another thread, if it is caught.
pub fn at_once(action: impl Fn() + Send + 'static) {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(action));
}

fn interrupted(signal: i32) {
    if CAUGHT.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        process::exit(exit_status().into());
    }
    let actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    actions.iter().for_each(|action| action());
}

/// Has a signal been caught?
pub fn is_interrupted() -> bool {
    CAUGHT.load(Ordering::SeqCst) != 0
}

/// The exit status of a program that the caught signal has ended.
pub fn exit_status() -> u8 {
    EXIT_SIGNAL + u8::try_from(CAUGHT.load(Ordering::SeqCst)).unwrap_or(0)
}
