//! Measures the memory and threads of a process from Linux's /proc (man 5 proc).

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Peak usage of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// Number of samples.
    pub samples: u64,
    /// Peak address space, in KiB.
    pub address_space_kib: u64,
    /// Peak resident set, in KiB.
    pub resident_kib: u64,
    /// Maximum number of threads in any sample.
    pub threads: u64,
}

/// Interval between samples. Memory peaks between samples are not missed: the kernel records them.
const INTERVAL: Duration = Duration::from_millis(5);

/// A background thread that samples a process.
pub struct Watch {
    stopped: Arc<AtomicBool>,
    watcher: JoinHandle<Peak>,
}

impl Watch {
    /// Starts sampling the process with this id.
    pub fn start(id: u32) -> io::Result<Watch> {
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopped);
        let watcher = thread::Builder::new().spawn(move || {
            let mut peak = Peak::default();
            loop {
                peak.sample(id);
                // Checked after sampling, so that there is at least one sample.
                if stop.load(Ordering::Relaxed) {
                    return peak;
                }
                thread::sleep(INTERVAL);
            }
        })?;
        Ok(Watch { stopped, watcher })
    }

    /// Stops sampling and returns the peaks.
    pub fn stop(self) -> Peak {
        self.stopped.store(true, Ordering::Relaxed);
        self.watcher.join().unwrap_or_default()
    }
}

impl Peak {
    /// Samples the process with this id.
    #[cfg(target_os = "linux")]
    fn sample(&mut self, id: u32) {
        let Ok(status) = fs::read(format!("/proc/{id}/status")) else { return };
        let status = String::from_utf8_lossy(&status);
        let field = |name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        self.add_sample(field("VmPeak:"), field("VmHWM:"), field("Threads:").unwrap_or(0));
    }

    /// Does nothing: only Linux has this /proc.
    #[cfg(not(target_os = "linux"))]
    fn sample(&mut self, _: u32) {}

    /// Adds a sample: the peaks of the address space and of the resident set, in KiB, and the number of threads.
    fn add_sample(&mut self, address_space: Option<u64>, resident: Option<u64>, threads: u64) {
        // A process without memory has ended and is a zombie.
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
    fn peaks_are_kept_and_ended_processes_skipped() {
        let mut peak = Peak::default();
        peak.add_sample(Some(77), Some(20), 3);
        peak.add_sample(Some(99), Some(30), 1);
        peak.add_sample(None, None, 9);
        let expected = Peak { samples: 2, address_space_kib: 99, resident_kib: 30, threads: 3 };
        assert_eq!(peak, expected);
    }

    #[test]
    fn a_process_that_has_ended_is_skipped() {
        let mut child = std::process::Command::new("true").spawn().expect("a program");
        let sample_of = |id| {
            let mut peak = Peak::default();
            peak.sample(id);
            peak
        };
        // Until it is waited for, it is a zombie without memory.
        let started = std::time::Instant::now();
        while sample_of(child.id()) != Peak::default() {
            assert!(started.elapsed() < Duration::from_secs(60), "the process never ends");
        }
        child.wait().expect("the process has ended");
        assert_eq!(sample_of(child.id()), Peak::default());
    }

    #[test]
    fn a_running_process_is_measured() {
        let watch = Watch::start(std::process::id()).expect("a thread");
        let peak = watch.stop();
        assert!(peak.samples > 0 && peak.resident_kib > 0 && peak.threads > 1, "{peak:?}");
    }
}
