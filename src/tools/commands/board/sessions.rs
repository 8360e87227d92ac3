//! Sessions: one per open page, each with a thread that searches. A session has one search at a time; a new one stops
//! the one before.

use super::levels::MAX_SEARCH;
use super::slots::Slots;
use super::work::Worker;
use crate::engine::guarded;
use crate::engine::interrupt;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of sessions, each of which may hold two hash tables. Further pages are refused unless an idle session
/// can be ended.
const MAX_SESSIONS: usize = 16;
/// After this time without a job a session frees the memory of its searches.
const MEMORY_TIME: Duration = Duration::from_secs(60);
/// An idle session ends after this time; its page starts a new one when needed.
const IDLE_TIME: Duration = Duration::from_secs(15 * 60);

/// A job of a session's thread.
struct Job {
    stop: Arc<AtomicBool>,
    work: Box<dyn FnOnce(&mut Worker) + Send>,
}

/// An open page.
pub struct Session {
    jobs: Sender<Job>,
    /// Jobs that are not done.
    pending: Arc<AtomicUsize>,
    latest: Mutex<Latest>,
}

/// The latest job of a session.
struct Latest {
    stop: Arc<AtomicBool>,
    at: Instant,
}

/// Stops a search when dropped: the request has been cancelled.
pub struct Ticket {
    stop: Arc<AtomicBool>,
    ends: Instant,
}

impl Ticket {
    fn new(stop: Arc<AtomicBool>, time: Duration) -> Ticket {
        Ticket { stop, ends: Instant::now() + time }
    }

    /// Whether the search has reached the time limit.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.ends
    }

    /// Creates a ticket without a search, for tests.
    #[cfg(test)]
    pub fn of_time(time: Duration) -> Ticket {
        Ticket::new(Arc::default(), time)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Session {
    fn start(slots: Arc<Slots>, memory_time: Duration) -> io::Result<Session> {
        let (jobs, receiver) = channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let left = pending.clone();
        let work = move || work(&receiver, &slots, &left, memory_time);
        thread::Builder::new().spawn(work)?;
        let stop = Arc::new(AtomicBool::new(true));
        Ok(Session { jobs, pending, latest: Mutex::new(Latest { stop, at: Instant::now() }) })
    }

    /// Stops the current search and starts another one as soon as a core is free.
    pub fn begin(&self, work: impl FnOnce(&mut Worker) + Send + 'static) -> Ticket {
        let stop = Arc::new(AtomicBool::new(false));
        let ticket = Ticket::new(stop.clone(), MAX_SEARCH);
        self.replace(stop.clone());
        self.pending.fetch_add(1, Ordering::SeqCst);
        // The thread ends only after its session.
        let _ = self.jobs.send(Job { stop, work: Box::new(work) });
        ticket
    }

    /// Stops the current search.
    pub fn stop(&self) {
        self.replace(Arc::new(AtomicBool::new(true)));
    }

    fn replace(&self, stop: Arc<AtomicBool>) {
        let mut latest = self.latest();
        latest.stop.store(true, Ordering::Relaxed);
        *latest = Latest { stop, at: Instant::now() };
    }

    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_busy(&self) -> bool {
        self.pending.load(Ordering::SeqCst) > 0
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The thread of a session.
fn work(jobs: &Receiver<Job>, slots: &Arc<Slots>, pending: &AtomicUsize, memory_time: Duration) {
    let mut worker = Worker::default();
    loop {
        let Job { stop, work } = match jobs.recv_timeout(memory_time) {
            Ok(job) => job,
            Err(RecvTimeoutError::Timeout) => {
                worker = Worker::default();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if let Some(_slot) = slots.take(&stop) {
            interrupt::set_flag(Some(stop));
            let done = guarded(|| work(&mut worker));
            interrupt::set_flag(None);
            if done.is_none() {
                // Its state may be inconsistent.
                worker = Worker::default();
            }
        }
        pending.fetch_sub(1, Ordering::SeqCst);
    }
}

/// All sessions.
pub struct Sessions {
    open: Mutex<HashMap<String, Arc<Session>>>,
    slots: Arc<Slots>,
}

impl Sessions {
    /// Creates an empty list.
    pub fn new() -> Sessions {
        Sessions { open: Mutex::default(), slots: Slots::of_this_machine() }
    }

    /// Starts a session and returns its name, which can't be guessed. Fails if there are too many.
    pub fn open(&self) -> Result<String, String> {
        let mut open = self.all();
        if open.len() >= MAX_SESSIONS {
            let idle = open.iter().filter(|(_, session)| !session.is_busy());
            let oldest = idle.min_by_key(|(_, session)| session.latest().at);
            let oldest = oldest.ok_or("too many boards are busy: close one")?.0.clone();
            open.remove(&oldest);
        }
        let name = format!("{:032x}", rand::random::<u128>());
        let session = Session::start(self.slots.clone(), MEMORY_TIME);
        let session = session.map_err(|error| format!("starting a thread: {error}"))?;
        open.insert(name.clone(), Arc::new(session));
        Ok(name)
    }

    /// Returns the session with this name.
    pub fn find(&self, name: &str) -> Option<Arc<Session>> {
        self.all().get(name).cloned()
    }

    /// Ends a session.
    pub fn close(&self, name: &str) {
        self.all().remove(name);
    }

    /// Returns the numbers of sessions and of running searches.
    pub fn counts(&self) -> (usize, usize) {
        (self.all().len(), self.slots.taken())
    }

    /// Ends sessions that have been idle too long and searches that have run too long.
    pub fn tidy(&self) {
        self.all().retain(|_, session| {
            let since = session.latest().at.elapsed();
            if session.is_busy() {
                if since > MAX_SEARCH {
                    session.stop();
                }
                return true;
            }
            since < IDLE_TIME
        });
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{sync_channel, TryRecvError};

    /// Runs until it is stopped; reports its start and its end.
    fn endless(said: std::sync::mpsc::SyncSender<&'static str>) -> impl FnOnce(&mut Worker) + Send {
        move |_| {
            let _ = said.send("begun");
            while !interrupt::is_raised() {
                thread::yield_now();
            }
            let _ = said.send("stopped");
        }
    }

    #[test]
    fn a_new_search_stops_the_one_before() {
        let sessions = Sessions::new();
        let name = sessions.open().expect("room");
        let session = sessions.find(&name).expect("open");
        let (said, heard) = sync_channel(9);
        let first = session.begin(endless(said.clone()));
        assert_eq!(heard.recv(), Ok("begun"));
        let second = session.begin(endless(said.clone()));
        assert_eq!((heard.recv(), heard.recv()), (Ok("stopped"), Ok("begun")));
        assert_eq!(heard.try_recv(), Err(TryRecvError::Empty));
        drop(second);
        assert_eq!(heard.recv(), Ok("stopped"));
        drop(first);
        // Ending a session stops its search.
        let _third = session.begin(endless(said));
        assert_eq!(heard.recv(), Ok("begun"));
        drop(session);
        sessions.close(&name);
        assert_eq!(heard.recv(), Ok("stopped"));
    }

    #[test]
    fn an_idle_session_frees_its_memory() {
        let session = Session::start(Slots::of_this_machine(), Duration::from_millis(1));
        let session = session.expect("a thread");
        let (said, heard) = sync_channel(9);
        let _ticket = session.begin(|worker| worker.fill());
        let is_empty = || {
            let said = said.clone();
            let _ticket = session.begin(move |worker| said.send(worker.is_empty()).expect("heard"));
            heard.recv()
        };
        while is_empty() != Ok(true) {}
    }

    #[test]
    fn a_panic_ends_its_job_alone() {
        let sessions = Sessions::new();
        let session = sessions.find(&sessions.open().expect("room")).expect("open");
        let _ticket = session.begin(|_| panic!("on purpose"));
        let (said, heard) = sync_channel(9);
        let ticket = session.begin(endless(said));
        assert_eq!(heard.recv(), Ok("begun"));
        drop(ticket);
        assert_eq!(heard.recv(), Ok("stopped"));
    }

    #[test]
    fn the_oldest_idle_session_makes_room() {
        let sessions = Sessions::new();
        let names: Vec<String> = (0..MAX_SESSIONS).filter_map(|_| sessions.open().ok()).collect();
        let last = sessions.open().expect("room is made");
        assert_eq!(sessions.counts().0, MAX_SESSIONS);
        assert!(sessions.find(&names[0]).is_none() && sessions.find(&last).is_some());
        sessions.tidy();
        assert_eq!(sessions.counts().0, MAX_SESSIONS);
    }
}
