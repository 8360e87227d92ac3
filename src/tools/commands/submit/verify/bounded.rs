//! Programs that run to their end, in bounded time and with bounded memory for what they say.

use crate::tools::arena::children::Children;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The part of a line that is kept, in bytes.
const LINE_BYTES: u64 = 500;
/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(10);
/// Its output may end so much later than the program: the last lines are still being read.
const LAST_LINES: Duration = Duration::from_secs(10);

/// The stream that is listened to; the other one goes nowhere.
#[derive(Clone, Copy, PartialEq)]
pub enum Stream {
    Output,
    Errors,
}

/// How a program ended, and what was taken of its lines.
pub struct Ended<T> {
    /// `None`: it took too long, and was killed with its children.
    pub status: Option<ExitStatus>,
    pub elapsed: Duration,
    pub heard: T,
}

/// Runs a program, and hands each line of one of its streams to `take`.
pub fn run<T: Default + Send + 'static>(
    command: &mut Command,
    children: &Children,
    limit: Duration,
    stream: Stream,
    take: impl Fn(&mut T, &str) + Send + 'static,
) -> io::Result<Ended<T>> {
    let piped = |wanted| if stream == wanted { Stdio::piped() } else { Stdio::null() };
    command.stdin(Stdio::null()).stdout(piped(Stream::Output)).stderr(piped(Stream::Errors));
    let started = Instant::now();
    let mut running = children.spawn(command)?;
    let heard: Arc<Mutex<T>> = Arc::default();
    let (open, end_of_output) = mpsc::channel::<()>();
    let writer = Arc::clone(&heard);
    let listen = move |stream: Box<dyn Read + Send>| {
        let _open = open;
        for_each_line(stream, |line| {
            take(&mut writer.lock().unwrap_or_else(PoisonError::into_inner), line)
        });
    };
    let (output, errors) = (running.process.stdout.take(), running.process.stderr.take());
    let output = output.map(|stream| Box::new(stream) as Box<dyn Read + Send>);
    let errors = errors.map(|stream| Box::new(stream) as Box<dyn Read + Send>);
    if let Some(stream) = output.or(errors) {
        thread::spawn(move || listen(stream));
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
    // With the children that it may have left behind.
    drop(running);
    let _ = end_of_output.recv_timeout(LAST_LINES);
    let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Ended { status, elapsed, heard })
}

/// The lines of a stream, without their ends and cut to [`LINE_BYTES`].
fn for_each_line(stream: impl Read, mut take: impl FnMut(&str)) {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(length) if length > 0 => take(String::from_utf8_lossy(&line).trim_end()),
            _ => return,
        }
        if line.last() != Some(&b'\n') && reader.skip_until(b'\n').is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration, stream: Stream) -> Ended<Vec<String>> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let take = |lines: &mut Vec<String>, line: &str| lines.push(line.to_string());
        run(&mut command, &Children::default(), limit, stream, take).expect("a shell")
    }

    #[test]
    fn a_program_is_heard_and_its_status_known() {
        let long = Duration::from_secs(60);
        let ended = shell("echo one; echo two >&2; exit 3", long, Stream::Errors);
        assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
        assert_eq!(ended.heard, ["two"]);
        assert_eq!(shell("echo one; echo two >&2", long, Stream::Output).heard, ["one"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let script = "head -c 3000000 /dev/zero; echo; echo end";
        let heard = shell(script, Duration::from_secs(60), Stream::Output).heard;
        assert_eq!(heard.iter().map(String::len).collect::<Vec<_>>(), [LINE_BYTES as usize, 3]);
    }

    #[test]
    fn a_slow_program_ends_with_its_children() {
        let folder = tempfile::tempdir().expect("a folder");
        let ids = folder.path().join("ids");
        let script = format!(
            "sleep 1000 & echo $! >{0}; echo $$ >>{0}; echo begun; kill -STOP $!; wait",
            ids.display()
        );
        // A busy machine may need longer for the shell to begin.
        let limits = (0..10).map(|doubled| Duration::from_millis(200 << doubled));
        let mut ended = limits.map(|limit| shell(&script, limit, Stream::Output));
        let ended = ended.find(|ended| !ended.heard.is_empty()).expect("it begins");
        assert_eq!((ended.status, ended.heard), (None, vec!["begun".to_string()]));
        let ids = std::fs::read_to_string(ids).expect("it has begun");
        assert_eq!(ids.lines().count(), 2);
        let started = Instant::now();
        while ids.lines().any(|id| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        }) {
            assert!(started.elapsed() < Duration::from_secs(60), "they go on");
        }
    }
}
