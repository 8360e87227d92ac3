//! CPU time of whole process trees, from Linux's /proc (man 5 proc).

use std::fs;
use std::time::Duration;

/// What the system says of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    id: i32,
    parent: i32,
    group: i32,
    /// User and system time, that of children waited for included.
    cpu: Duration,
}

/// The CPU time of a process and all its descendants so far, those that ended and were waited for
/// included. Descendants whose parent has ended count as long as they stay in the process group that
/// `root` leads. `None` where nothing of it lives.
pub fn tree_cpu_time(root: u32) -> Option<Duration> {
    tree_time(i32::try_from(root).ok()?, &processes())
}

/// All processes of the system.
#[cfg(target_os = "linux")]
fn processes() -> Vec<Process> {
    let ticks_per_second = rustix::param::clock_ticks_per_second() as f64;
    let listed = fs::read_dir("/proc").into_iter().flatten().flatten();
    // A process may end between the listing and the reading; other folders have no such file.
    let stats = listed.filter_map(|folder| fs::read(folder.path().join("stat")).ok());
    stats.filter_map(|stat| parse(&String::from_utf8_lossy(&stat), ticks_per_second)).collect()
}

/// No other system shows its processes like this.
#[cfg(not(target_os = "linux"))]
fn processes() -> Vec<Process> {
    Vec::new()
}

/// A process by its file `stat`.
#[cfg(target_os = "linux")]
fn parse(stat: &str, ticks_per_second: f64) -> Option<Process> {
    let (id, rest) = stat.split_once(" (")?;
    // The name of the program may have brackets itself.
    let (_, fields) = rest.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let number = |field: usize| fields.get(field)?.parse::<i64>().ok();
    let id_in = |field| i32::try_from(number(field)?).ok();
    // User and system time, and those of children waited for.
    let ticks = (11..=14).map(number).sum::<Option<i64>>()?;
    let cpu = Duration::try_from_secs_f64(ticks as f64 / ticks_per_second).ok()?;
    Some(Process { id: id.parse().ok()?, parent: id_in(1)?, group: id_in(2)?, cpu })
}

fn tree_time(root: i32, processes: &[Process]) -> Option<Duration> {
    let mut members: Vec<Process> = Vec::new();
    let belongs = |process: &Process, members: &[Process]| {
        process.id == root
            || process.group == root
            || members.iter().any(|member| member.id == process.parent)
    };
    loop {
        let known = members.len();
        for process in processes {
            if !members.contains(process) && belongs(process, &members) {
                members.push(*process);
            }
        }
        if members.len() == known {
            break;
        }
    }
    if members.is_empty() {
        return None;
    }
    Some(members.iter().map(|member| member.cpu).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_its_descendants_and_its_orphans() {
        let process = |id, parent, group, ms| {
            let cpu = Duration::from_millis(ms);
            Process { id, parent, group, cpu }
        };
        let processes = [
            process(30, 20, 30, 4), // a grandchild in a group of its own, listed before its parent
            process(10, 1, 10, 1),
            process(20, 10, 10, 2),
            process(40, 1, 10, 8), // an orphan
            process(50, 1, 50, 1000),
        ];
        assert_eq!(tree_time(10, &processes), Some(Duration::from_millis(15)));
        assert_eq!(tree_time(99, &processes), None);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod linux_tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    #[test]
    fn children_that_were_waited_for_count() {
        let numbers = "S 7 9 9 0 -1 4194304 10 20 0 0 5 6 70 800 20 0 1 0 99 1 1 1".to_string();
        let text = format!("42 (a) b (c)) {numbers}{}", " 0".repeat(30));
        let process = parse(&text, 100.0).expect("well formed");
        let cpu = Duration::from_millis(8810);
        assert_eq!(process, Process { id: 42, parent: 7, group: 9, cpu });
        for wrong in ["", "42 (a", "42 (a) R 1", "x (a) R 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"] {
            assert_eq!(parse(wrong, 100.0), None, "{wrong}");
        }
    }

    #[test]
    fn this_process_is_listed() {
        let id = i32::try_from(std::process::id()).expect("a process id");
        let listed = processes();
        let this = listed.iter().find(|process| process.id == id).expect("this process");
        assert!(listed.len() > 1 || this.parent == 0, "{listed:?}");
    }

    /// A shell in a group of its own, whose child works until the shell's input ends.
    #[test]
    fn time_grows_until_the_tree_has_ended() {
        let mut command = Command::new("sh");
        command.args(["-c", "(while :; do :; done) & read line; kill $!; wait"]);
        let mut shell = command.process_group(0).stdin(Stdio::piped()).spawn().expect("a shell");
        let started = Instant::now();
        let worked = || tree_cpu_time(shell.id()).expect("it lives") > Duration::from_millis(50);
        while !worked() {
            assert!(started.elapsed() < Duration::from_secs(60), "the child never works");
        }
        drop(shell.stdin.take());
        let id = shell.id();
        shell.wait().expect("it ends");
        while tree_cpu_time(id).is_some() {
            assert!(started.elapsed() < Duration::from_secs(60), "the child never ends");
        }
    }
}
