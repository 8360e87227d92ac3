//! Calls of the operating system: the time that the processor has worked for us, the memory that is left, large
//! pages, and waiting for bytes.

#![allow(unsafe_code)]

use std::fs;
use std::time::Duration;

/// Returns the processor time of all threads of this process since its start; `None` where the system does not
/// report it (anywhere but on Linux with 64 bits).
pub fn cpu_time() -> Option<Duration> {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    {
        use std::os::raw::{c_int, c_long};
        /// `struct timespec` of the C library.
        #[repr(C)]
        struct Time {
            seconds: c_long,
            nanoseconds: c_long,
        }
        extern "C" {
            fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
        }
        /// From Linux's time.h.
        const CLOCK_PROCESS_CPUTIME_ID: c_int = 2;
        let mut time = Time { seconds: 0, nanoseconds: 0 };
        // SAFETY: the pointer is to a local of the type that the call fills in.
        let status = unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
        let time = Duration::new(time.seconds as u64, time.nanoseconds as u32);
        // A zero reading means that the clock is unsupported.
        Some(time).filter(|time| status == 0 && !time.is_zero())
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    None
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

/// Asks the system for large pages under these words, which should be whole ones. Where it has none
/// to give, nothing changes.
fn advise_large_pages(words: &mut [u64]) {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        use std::os::raw::{c_int, c_void};
        extern "C" {
            fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        /// From Linux's mman-common.h.
        const MADV_HUGEPAGE: c_int = 14;
        let length = std::mem::size_of_val(words);
        // SAFETY: the range is that of a slice that is borrowed mutably, and the advice changes no
        // contents. A refusal leaves everything as it was.
        let _refused =
            unsafe { madvise(words.as_mut_ptr().cast::<c_void>(), length, MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    let _ = words;
}

/// What to wait for at a descriptor.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// Bytes to read, or the end of them.
    Readable,
    /// Room for the bytes of a line, or a reader that has gone.
    Writable,
}

/// Waits for an event at a descriptor, for so many milliseconds at most, or for ever (-1): has it come?
/// `None` where the system can't say.
pub fn await_event(descriptor: i32, event: Event, timeout_ms: i32) -> Option<bool> {
    #[cfg(unix)]
    {
        use std::os::raw::{c_int, c_short};
        #[cfg(target_os = "linux")]
        type Count = std::os::raw::c_ulong;
        #[cfg(not(target_os = "linux"))]
        type Count = std::os::raw::c_uint;
        /// `struct pollfd` of the C library.
        #[repr(C)]
        struct Poll {
            descriptor: c_int,
            events: c_short,
            returned: c_short,
        }
        extern "C" {
            fn poll(polls: *mut Poll, count: Count, timeout_ms: c_int) -> c_int;
        }
        let events = match event {
            Event::Readable => 1,
            Event::Writable => 4,
        };
        let mut one = Poll { descriptor, events, returned: 0 };
        // SAFETY: the pointer is to one local of the type that the call reads and fills in.
        let count = unsafe { poll(&mut one, 1, timeout_ms) };
        if count < 0 {
            None
        } else {
            Some(count > 0)
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (descriptor, event, timeout_ms);
        None
    }
}
