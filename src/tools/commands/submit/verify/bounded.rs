//! Runs programs to completion with a time limit and bounded memory for their output.

use crate::tools::arena::children;
use crate::tools::arena::lines::for_each_line;
use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of bytes kept of a line.
const LINE_BYTES: u64 = 500;
/// Interval between checks whether the program has ended.
const POLL: Duration = Duration::from_millis(10);
/// Maximum time to read the remaining output after the program has ended.
const LAST_LINES: Duration = Duration::from_secs(10);

/// The output stream to read; the other one is discarded.
#[derive(Clone, Copy, PartialEq)]
pub enum Stream {
    Output,
    Errors,
}

/// How a program ended, and what was collected from its lines.
pub struct Ended<T> {
    /// Exit status; `None` if the program exceeded the time limit and was killed with its children.
    pub status: Option<ExitStatus>,
    pub elapsed: Duration,
    pub collected: T,
}

/// Runs a program and passes each line of one of its output streams to `take`.
pub fn run<T: Default + Send + 'static>(
    command: &mut Command,
    limit: Duration,
    stream: Stream,
    take: impl Fn(&mut T, &str) + Send + 'static,
) -> io::Result<Ended<T>> {
    let piped = |wanted| if stream == wanted { Stdio::piped() } else { Stdio::null() };
    command.stdin(Stdio::null()).stdout(piped(Stream::Output)).stderr(piped(Stream::Errors));
    let started = Instant::now();
    let mut running = children::spawn(command)?;
    let collected: Arc<Mutex<T>> = Arc::default();
    let (open, end_of_output) = mpsc::channel::<()>();
    let writer = Arc::clone(&collected);
    let read_lines = move |stream: Box<dyn Read + Send>| {
        let _open = open;
        for_each_line(stream, LINE_BYTES, |line| {
            take(&mut writer.lock().unwrap_or_else(PoisonError::into_inner), line)
        });
    };
    let (output, errors) = (running.process.stdout.take(), running.process.stderr.take());
    let output = output.map(|stream| Box::new(stream) as Box<dyn Read + Send>);
    let errors = errors.map(|stream| Box::new(stream) as Box<dyn Read + Send>);
    if let Some(stream) = output.or(errors) {
        thread::Builder::new().spawn(move || read_lines(stream))?;
    }
    let status = loop {
        if let Some(status) = running.process.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > limit {
            break None;
        }
        thread::sleep(POLL);
    };
    let elapsed = started.elapsed();
    // Also kills children that are still running.
    drop(running);
    let _ = end_of_output.recv_timeout(LAST_LINES);
    let collected = std::mem::take(&mut *collected.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Ended { status, elapsed, collected })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration, stream: Stream) -> Ended<Vec<String>> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let take = |lines: &mut Vec<String>, line: &str| lines.push(line.to_string());
        run(&mut command, limit, stream, take).expect("a shell")
    }

    #[test]
    fn output_and_status_are_returned() {
        let long = Duration::from_secs(60);
        let ended = shell("echo one; echo two >&2; exit 3", long, Stream::Errors);
        assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
        assert_eq!(ended.collected, ["two"]);
        assert_eq!(shell("echo one; echo two >&2", long, Stream::Output).collected, ["one"]);
    }

    #[test]
    fn long_lines_are_truncated() {
        let script = "head -c 3000000 /dev/zero; echo; echo end";
        let collected = shell(script, Duration::from_secs(60), Stream::Output).collected;
        assert_eq!(collected.iter().map(String::len).collect::<Vec<_>>(), [LINE_BYTES as usize, 3]);
    }

    #[test]
    fn a_program_over_time_is_killed_with_its_children() {
        let folder = tempfile::tempdir().expect("a folder");
        let ids = folder.path().join("ids");
        let script = format!(
            "sleep 1000 & echo $! >{0}; echo $$ >>{0}; echo begun; kill -STOP $!; wait",
            ids.display()
        );
        // On a busy machine the shell may need longer to start.
        let limits = (0..10).map(|doubled| Duration::from_millis(200 << doubled));
        let mut ended = limits.map(|limit| shell(&script, limit, Stream::Output));
        let ended = ended.find(|ended| !ended.collected.is_empty()).expect("the shell starts");
        assert_eq!((ended.status, ended.collected), (None, vec!["begun".to_string()]));
        let ids = std::fs::read_to_string(ids).expect("a file of process ids");
        assert_eq!(ids.lines().count(), 2);
        let started = Instant::now();
        while ids.lines().any(|id| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        }) {
            assert!(started.elapsed() < Duration::from_secs(60), "the processes are still running");
        }
    }
}
