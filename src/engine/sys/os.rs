//! Operating system services: CPU time, remaining address space, large pages and polling of file descriptors.

#![allow(unsafe_code)]

use std::fs;
use std::time::Duration;

/// Returns the CPU time of all threads of this process since its start; `None` if the system does not report it. Only
/// 64-bit Linux is supported.
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
        /// Defined in Linux's time.h.
        const CLOCK_PROCESS_CPUTIME_ID: c_int = 2;
        let mut time = Time { seconds: 0, nanoseconds: 0 };
        // SAFETY: the pointer refers to a local of the type that the call fills in.
        let status = unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
        let time = Duration::new(time.seconds as u64, time.nanoseconds as u32);
        // A zero reading means that the clock is unsupported.
        Some(time).filter(|time| status == 0 && !time.is_zero())
    }
    #[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
    None
}

/// Returns how long this thread has waited for a CPU while ready to run, since its start; `None` if the system does not
/// report it. On Linux it is the second number of `schedstat`, in nanoseconds.
pub fn processor_wait() -> Option<Duration> {
    let numbers = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    numbers.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// Returns the remaining address space of this process, in bytes; `None` if it is unlimited or the system does not
/// report it.
pub fn memory_left() -> Option<u64> {
    // Columns, see proc(5): name, soft limit, hard limit.
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let taken: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(taken << 10))
}

/// Makes the allocator return blocks of at least 1 MiB to the system as soon as they are freed. By default the C
/// library keeps blocks of up to 32 MiB for each thread after the first one is freed.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::raw::c_int;
        extern "C" {
            fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        /// Defined in the C library's malloc.h.
        const M_MMAP_THRESHOLD: c_int = -3;
        // SAFETY: it sets a parameter of the allocator, which any thread may do.
        let _is_set = unsafe { mallopt(M_MMAP_THRESHOLD, 1 << 20) };
    }
}

/// Size of a large page of x86-64, in bytes.
const LARGE_PAGE: usize = 2 << 20;
/// Size of a word of a table, in bytes.
const WORD: usize = 8;

/// Asks the system to back these words by large pages; the words must not have been accessed yet. With small pages,
/// random reads of a table spend more time on address translation than on the data. If the system has no large pages,
/// nothing changes.
pub fn prefer_large_pages(words: &mut [u64]) {
    let before = (words.as_ptr() as usize).wrapping_neg() % LARGE_PAGE / WORD;
    if let Some(words) = words.get_mut(before..) {
        let page = LARGE_PAGE / WORD;
        let whole = words.len() / page * page;
        advise_large_pages(&mut words[..whole]);
    }
}

/// Asks the system to back these words, a whole number of large pages, by large pages. If it has none, nothing changes.
fn advise_large_pages(words: &mut [u64]) {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        use std::os::raw::{c_int, c_void};
        extern "C" {
            fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        /// Defined in Linux's mman-common.h.
        const MADV_HUGEPAGE: c_int = 14;
        let length = std::mem::size_of_val(words);
        // SAFETY: the range belongs to a mutably borrowed slice, and the advice changes no contents. If it fails,
        // nothing changes.
        let _status =
            unsafe { madvise(words.as_mut_ptr().cast::<c_void>(), length, MADV_HUGEPAGE) };
    }
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    let _ = words;
}

/// An event to wait for on a file descriptor.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// Bytes or the end of the input can be read.
    Readable,
    /// A line can be written, or the reader has closed the pipe.
    Writable,
}

/// Waits for an event on a file descriptor, at most `timeout_ms` milliseconds, or without limit if that is -1. Returns
/// whether the event has occurred; `None` if the system can't tell.
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
        // SAFETY: the pointer refers to one local of the type that the call reads and fills in.
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
