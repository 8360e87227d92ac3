//! What the system knows or gives: the time that the processor has worked for us, and large pages.

use super::kernels::{advise_large_pages, system_clock};
use std::fs;
use std::time::Duration;

/// Whose processor time.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// All threads of this process since its start.
    Process,
    /// This thread alone.
    Thread,
}

/// The processor time that somebody has had; `None` where the system does not report it.
pub fn cpu_time(whose: Whose) -> Option<Duration> {
    // CLOCK_PROCESS_CPUTIME_ID and CLOCK_THREAD_CPUTIME_ID of Linux's time.h.
    let clock = match whose {
        Whose::Process => 2,
        Whose::Thread => 3,
    };
    // A clock that stands at zero measures nothing.
    system_clock(clock).filter(|time| !time.is_zero())
}

/// How long this thread, while ready to run, has waited for a processor since its start; `None` where the
/// system does not report it. On Linux it is the second number of `schedstat`, in nanoseconds.
pub fn processor_wait() -> Option<Duration> {
    let numbers = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    numbers.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// The bytes of address space that this process may still take; `None` where they are not limited, or the
/// system does not report it.
pub fn memory_left() -> Option<u64> {
    // The columns of proc(5): the name, the soft limit, the hard limit.
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let taken: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(taken << 10))
}

/// A large page of x86-64, in bytes.
const LARGE_PAGE: usize = 2 << 20;
const WORD: usize = 8;

/// Asks the system for large pages under these words, which must not have been used yet. Random
/// reads in a table of small pages wait longer for the address than for the data. Where the system
/// has no large pages to give, nothing changes.
pub fn prefer_large_pages(words: &mut [u64]) {
    let before = (words.as_ptr() as usize).wrapping_neg() % LARGE_PAGE / WORD;
    if let Some(words) = words.get_mut(before..) {
        let page = LARGE_PAGE / WORD;
        let whole = words.len() / page * page;
        advise_large_pages(&mut words[..whole]);
    }
}
