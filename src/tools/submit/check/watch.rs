//! Watches the memory and the threads of a process.

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
                let status = fs::read_to_string(format!("/proc/{id}/status"));
                peak.look(&status.unwrap_or_default());
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
    /// Takes in a text of `/proc/PID/status` (man 5 proc).
    fn look(&mut self, status: &str) {
        // Without memory the process has ended, and only its entry is left.
        let Some(address_space) = field(status, "VmPeak:") else { return };
        self.samples += 1;
        self.address_space_kib = self.address_space_kib.max(address_space);
        self.resident_kib = self.resident_kib.max(field(status, "VmHWM:").unwrap_or(0));
        self.threads = self.threads.max(field(status, "Threads:").unwrap_or(0));
    }
}

/// The number behind a name.
fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_peaks_and_skips_the_dead() {
        let mut peak = Peak::default();
        peak.look("Name:\tx\nVmPeak:\t  77 kB\nVmHWM:\t 20 kB\nThreads:\t3\n");
        peak.look("Name:\tx\nVmPeak:\t  99 kB\nVmHWM:\t 30 kB\nThreads:\t1\n");
        peak.look("Name:\tx\nState:\tZ (zombie)\nThreads:\t9\n");
        let expected = Peak { samples: 2, address_space_kib: 99, resident_kib: 30, threads: 3 };
        assert_eq!(peak, expected);
    }

    #[test]
    fn watches_a_process() {
        let watch = Watch::start(std::process::id());
        let peak = watch.stop();
        assert!(peak.samples > 0 && peak.resident_kib > 0 && peak.threads > 1, "{peak:?}");
    }
}
