//! Watches the memory and the threads of a process, by Linux's /proc (man 5 proc).

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The peak use of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// The number of samples.
    pub samples: u64,
    /// The largest address space, in KiB.
    pub address_space_kib: u64,
    /// The largest resident set, in KiB.
    pub resident_kib: u64,
    /// The largest number of threads at any of the samples.
    pub threads: u64,
}

/// How often the process is looked at. Memory can't hide in between: the kernel keeps its peaks.
const INTERVAL: Duration = Duration::from_millis(5);

/// A process being watched.
pub struct Watch {
    stopped: Arc<AtomicBool>,
    watcher: JoinHandle<Peak>,
}

impl Watch {
    /// Begins to watch the process with this id.
    pub fn start(id: u32) -> Watch {
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        let watcher = thread::spawn(move || {
            let mut peak = Peak::default();
            loop {
                peak.look(id);
                // Tested last, so that even a watcher that had to wait itself looks once.
                if stop.load(Ordering::Relaxed) {
                    return peak;
                }
                thread::sleep(INTERVAL);
            }
        });
        Watch { stopped, watcher }
    }

    /// Ends watching.
    pub fn stop(self) -> Peak {
        self.stopped.store(true, Ordering::Relaxed);
        self.watcher.join().unwrap_or_default()
    }
}

impl Peak {
    /// Takes in how the process with this id stands now.
    #[cfg(target_os = "linux")]
    fn look(&mut self, id: u32) {
        let Ok(status) = fs::read(format!("/proc/{id}/status")) else { return };
        let status = String::from_utf8_lossy(&status);
        let field = |name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        self.take_in(field("VmPeak:"), field("VmHWM:"), field("Threads:").unwrap_or(0));
    }

    /// No other system shows its processes like this.
    #[cfg(not(target_os = "linux"))]
    fn look(&mut self, _: u32) {}

    /// Takes in the peaks of the address space and of the resident set, in KiB, and the threads.
    fn take_in(&mut self, address_space: Option<u64>, resident: Option<u64>, threads: u64) {
        // Without memory the process has ended, and only its entry is left.
        let Some(address_space) = address_space else { return };
        self.samples += 1;
        self.address_space_kib = self.address_space_kib.max(address_space);
        self.resident_kib = self.resident_kib.max(resident.unwrap_or(0));
        self.threads = self.threads.max(threads);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_peaks_and_skips_the_dead() {
        let mut peak = Peak::default();
        peak.take_in(Some(77), Some(20), 3);
        peak.take_in(Some(99), Some(30), 1);
        peak.take_in(None, None, 9);
        let expected = Peak { samples: 2, address_space_kib: 99, resident_kib: 30, threads: 3 };
        assert_eq!(peak, expected);
    }

    #[test]
    fn a_process_that_has_ended_is_skipped() {
        let mut child = std::process::Command::new("true").spawn().expect("a program");
        let looked_at = |id| {
            let mut peak = Peak::default();
            peak.look(id);
            peak
        };
        // Until it is waited for it stays as an entry without memory.
        let started = std::time::Instant::now();
        while looked_at(child.id()) != Peak::default() {
            assert!(started.elapsed() < Duration::from_secs(60), "it never ends");
        }
        child.wait().expect("it has ended");
        assert_eq!(looked_at(child.id()), Peak::default());
    }

    #[test]
    fn watches_a_process() {
        let watch = Watch::start(std::process::id());
        let peak = watch.stop();
        assert!(peak.samples > 0 && peak.resident_kib > 0 && peak.threads > 1, "{peak:?}");
    }
}
