//! Time for tests: while a [`FakeTime`] lives, the clocks of its thread show what the test says.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// The clock readings of a thread.
#[derive(Clone, Copy)]
pub struct Reading {
    pub now: Instant,
    /// Processor time of the process.
    pub worked: Duration,
    /// Time that the thread has waited for a processor.
    pub waited: Duration,
    /// How far time moves by every reading.
    tick: Duration,
}

thread_local! {
    static READING: Cell<Option<Reading>> = const { Cell::new(None) };
}

/// Reads the fake time of this thread; `None` if it has none.
pub fn read() -> Option<Reading> {
    READING.with(|cell| {
        let reading = cell.get();
        cell.set(reading.map(|reading| Reading { now: reading.now + reading.tick, ..reading }));
        reading
    })
}

/// Replaces the time of this thread until it is dropped. Time moves only by its methods, in milliseconds.
pub struct FakeTime(());

impl FakeTime {
    pub fn start() -> FakeTime {
        FakeTime::ticking(Duration::ZERO)
    }

    /// Moves time at every reading, as work does between two readings.
    pub fn ticking(tick: Duration) -> FakeTime {
        let nothing = Duration::ZERO;
        let reading = Reading { now: Instant::now(), worked: nothing, waited: nothing, tick };
        READING.with(|cell| cell.set(Some(reading)));
        FakeTime(())
    }

    /// The thread works.
    pub fn work(&self, ms: u64) {
        self.advance(ms, ms, 0);
    }

    /// The thread is ready to run and waits for a processor.
    pub fn wait(&self, ms: u64) {
        self.advance(ms, 0, ms);
    }

    /// The thread sleeps, or its process is suspended.
    pub fn sleep(&self, ms: u64) {
        self.advance(ms, 0, 0);
    }

    /// Moves the wall time, the processor time of the process and the thread's waits for a processor.
    pub fn advance(&self, wall: u64, worked: u64, waited: u64) {
        let ms = Duration::from_millis;
        READING.with(|cell| {
            let reading = cell.get().expect("the fake time of this thread");
            cell.set(Some(Reading {
                now: reading.now + ms(wall),
                worked: reading.worked + ms(worked),
                waited: reading.waited + ms(waited),
                ..reading
            }));
        });
    }
}

impl Drop for FakeTime {
    fn drop(&mut self) {
        READING.with(|cell| cell.set(None));
    }
}
