//! What built-in players of all games have in common: their time is measured, their panics are
//! caught.

use super::{overrun, Answer, Fault, FaultKind, Usage};
use crate::engine::system::{cpu_time, Whose};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// Lets a built-in player choose and charges `usage` for it. The error says how it failed.
pub fn charged(
    usage: &mut Usage,
    budget: Option<Duration>,
    choose: impl FnOnce() -> Option<Answer>,
) -> Result<Answer, Fault> {
    let started = Instant::now();
    let cpu_before = cpu_time(Whose::Thread);
    let chosen = catch_unwind(AssertUnwindSafe(choose));
    let wall = started.elapsed();
    let cpu = cpu_before.and_then(|before| cpu_time(Whose::Thread)?.checked_sub(before));
    usage.wall += wall;
    usage.cpu += cpu.unwrap_or(wall);
    let answer = chosen.map_err(|_| Fault::new(FaultKind::Panic, "the search panicked"))?;
    let answer = answer.ok_or_else(|| Fault::new(FaultKind::NoMove, "found no move"))?;
    match budget {
        Some(budget) if usage.cpu > budget => {
            Err(Fault::new(FaultKind::CpuTime, overrun(usage.cpu, budget)))
        }
        _ => Ok(answer),
    }
}
