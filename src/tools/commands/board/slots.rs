//! Limits the number of concurrent searches to the number of cores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Interval at which a waiting search checks whether it is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// A counting semaphore whose waiters can be cancelled.
pub struct Slots {
    taken: Mutex<usize>,
    freed: Condvar,
    count: usize,
}

/// A slot, released when dropped.
pub struct Slot(Arc<Slots>);

impl Slots {
    /// Creates as many slots as the machine has cores.
    pub fn of_this_machine() -> Arc<Slots> {
        let count = thread::available_parallelism().map_or(1, usize::from);
        Arc::new(Slots { taken: Mutex::new(0), freed: Condvar::new(), count })
    }

    /// Number of running searches.
    pub fn taken(&self) -> usize {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot; returns `None` once `stop` is raised.
    pub fn take(self: &Arc<Slots>, stop: &AtomicBool) -> Option<Slot> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while !stop.load(Ordering::Relaxed) {
            if *taken < self.count {
                *taken += 1;
                return Some(Slot(self.clone()));
            }
            let waited = self.freed.wait_timeout(taken, LOOK_EVERY);
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        None
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiters_for_a_place_can_be_called_off() {
        let slots = Arc::new(Slots { taken: Mutex::new(0), freed: Condvar::new(), count: 1 });
        let stop = AtomicBool::new(false);
        let first = slots.take(&stop).expect("free");
        assert_eq!(slots.taken(), 1);
        let waiter = {
            let slots = slots.clone();
            thread::spawn(move || slots.take(&AtomicBool::new(false)).is_some())
        };
        stop.store(true, Ordering::Relaxed);
        assert!(slots.take(&stop).is_none());
        drop(first);
        assert!(waiter.join().expect("no panic"));
        assert_eq!(slots.taken(), 0);
    }
}
