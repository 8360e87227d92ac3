//! CPU time of whole process trees, from Linux's /proc (man 5 proc).

use std::fs;
use std::time::Duration;

/// The kernel counts the CPU time of processes in ticks of this length.
const TICK: Duration = Duration::from_millis(10);

/// What a process's stat file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    id: u32,
    parent: u32,
    group: u32,
    /// User and system time, that of children waited for included, in ticks.
    ticks: u64,
}

/// The CPU time of a process and all its descendants so far, those that ended and were waited for
/// included. Descendants whose parent has ended count as long as they stay in the process group that
/// `root` leads. `None` where nothing of it lives.
pub fn tree_cpu_time(root: u32) -> Option<Duration> {
    let ticks = tree_ticks(root, &processes())?;
    Some(TICK * u32::try_from(ticks).unwrap_or(u32::MAX))
}

/// All processes of the system.
fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let ids = names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    // A process may end between the listing and the reading.
    ids.filter_map(|id| parse_stat(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)).collect()
}

/// Reads a stat file. The second field, the name in parentheses, may hold blanks and parentheses.
fn parse_stat(text: &str) -> Option<Process> {
    let id = text.split_whitespace().next()?.parse().ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    // utime, stime, cutime, cstime are the fields 14 to 17 of the file, so 11 to 14 after the name.
    let ticks = field(11)? + field(12)? + field(13)? + field(14)?;
    Some(Process { id, parent: field(1)? as u32, group: field(2)? as u32, ticks })
}

fn tree_ticks(root: u32, processes: &[Process]) -> Option<u64> {
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
    Some(members.iter().map(|member| member.ticks).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_stat_file_with_a_wild_name() {
        let text = "42 (a) b (c)) S 7 9 9 0 -1 4194304 10 20 0 0 5 6 70 800 20 0 1 0 99";
        let process = parse_stat(text).expect("well formed");
        assert_eq!(process, Process { id: 42, parent: 7, group: 9, ticks: 881 });
        assert_eq!(parse_stat("42 (cut) S 7"), None);
    }

    #[test]
    fn a_tree_has_its_descendants_and_its_orphans() {
        let process = |id, parent, group, ticks| Process { id, parent, group, ticks };
        let processes = [
            process(30, 20, 30, 4), // a grandchild in a group of its own, listed before its parent
            process(10, 1, 10, 1),
            process(20, 10, 10, 2),
            process(40, 1, 10, 8), // an orphan
            process(50, 1, 50, 1000),
        ];
        assert_eq!(tree_ticks(10, &processes), Some(15));
        assert_eq!(tree_ticks(99, &processes), None);
    }
}
