//! Stops searches from outside, by a flag or by a watch for the end of the game. Both are per thread; searches check
//! them whenever they read the clock. Contest players never set the flag.

use super::pipes::Watch;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

thread_local! {
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// Sets the flag that stops the searches of this thread when it becomes true; `None` removes it.
pub fn set_flag(flag: Option<Arc<AtomicBool>>) {
    FLAG.with(|slot| *slot.borrow_mut() = flag);
}

/// Sets the watch that stops the searches of this thread when it returns true; `None` removes it.
pub fn set_watch(watch: Option<Watch>) {
    WATCH.with(|slot| *slot.borrow_mut() = watch);
}

/// Whether the searches of this thread must stop.
#[inline]
pub fn is_raised() -> bool {
    FLAG.with(|slot| slot.borrow().as_ref().map_or(false, |flag| flag.load(Ordering::Relaxed)))
        || WATCH.with(|slot| slot.borrow_mut().as_mut().map_or(false, |watch| watch()))
}

/// Polls during long work that does not stop half-done, e.g. reading a network: `Quit` ends the process.
pub fn poll() {
    let _ = is_raised();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_is_polled_until_it_is_removed() {
        let mut polls = 0;
        set_watch(Some(Box::new(move || {
            polls += 1;
            polls == 2
        })));
        assert!(!is_raised());
        assert!(is_raised());
        assert!(!is_raised());
        set_watch(None);
        assert!(!is_raised());
    }

    #[test]
    fn a_flag_applies_only_to_its_thread() {
        let flag = Arc::new(AtomicBool::new(false));
        set_flag(Some(flag.clone()));
        assert!(!is_raised());
        flag.store(true, Ordering::Relaxed);
        assert!(is_raised());
        assert!(!std::thread::spawn(is_raised).join().expect("no panic"));
        set_flag(None);
        assert!(!is_raised());
    }
}
