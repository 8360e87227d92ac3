//! Ctrl-C at a long job: the first one asks it to end with what it has, a second one ends it at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The exit status of a program that Ctrl-C has ended, as shells count: 128 and the number of SIGINT.
pub const EXIT_INTERRUPTED: u8 = 130;

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What a first Ctrl-C does at once.
type Action = Box<dyn Fn() + Send>;
static ACTIONS: Mutex<Vec<Action>> = Mutex::new(Vec::new());

/// Catches Ctrl-C from now on. Where the signal can't be caught, it ends the program as ever.
pub fn catch() {
    // Once a process: a second call changes nothing.
    let _ = ctrlc::try_set_handler(interrupted);
}

/// Lets the first Ctrl-C do something at once, in another thread, if it is caught.
pub fn at_once(action: impl Fn() + Send + 'static) {
    ACTIONS.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(action));
}

fn interrupted() {
    if IS_INTERRUPTED.swap(true, Ordering::SeqCst) {
        process::exit(EXIT_INTERRUPTED.into());
    }
    let actions = ACTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    actions.iter().for_each(|action| action());
}

/// Has Ctrl-C been caught?
pub fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}
