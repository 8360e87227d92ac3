//! Ending searches from outside: by a flag, or by something that looks for the end of the game. The
//! thread's searches ask both where they read the clock. A contest's player never sets a flag.

use super::pipes::Watch;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

thread_local! {
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// From now on the searches of this thread end soon after this flag is raised; `None`: only their
/// limits end them.
pub fn set_flag(flag: Option<Arc<AtomicBool>>) {
    FLAG.with(|slot| *slot.borrow_mut() = flag);
}

/// From now on the searches of this thread end soon after this watch says so; `None`: nothing is watched.
pub fn set_watch(watch: Option<Watch>) {
    WATCH.with(|slot| *slot.borrow_mut() = watch);
}

/// Must the searches of this thread end?
#[inline]
pub fn is_raised() -> bool {
    FLAG.with(|slot| slot.borrow().as_ref().map_or(false, |flag| flag.load(Ordering::Relaxed)))
        || WATCH.with(|slot| slot.borrow_mut().as_mut().map_or(false, |watch| watch()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_is_asked_until_it_is_taken_away() {
        let mut asked = 0;
        set_watch(Some(Box::new(move || {
            asked += 1;
            asked == 2
        })));
        assert!(!is_raised());
        assert!(is_raised());
        assert!(!is_raised());
        set_watch(None);
        assert!(!is_raised());
    }

    #[test]
    fn a_flag_holds_for_its_thread_alone() {
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
