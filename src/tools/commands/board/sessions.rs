//! Sessions: one per open page, each with a thread that searches. A session has one search at a time; a new one stops
//! the one before. A search holds no connection: the page fetches its news by short requests.

use super::levels::MAX_SEARCH;
use super::work::{News, Worker};
use crate::engine::guarded;
use crate::engine::interrupt;
use anyhow::{bail, Result};
use serde_json::Value;
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
/// A search ends if its page has not fetched its news for this time. Browsers delay hidden pages by up to a minute.
const UNHEARD_TIME: Duration = Duration::from_secs(2 * 60);
/// Maximum time that a request waits for news: a browser has only six connections for all its pages.
const NEWS_TIME: Duration = Duration::from_millis(50);

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
    /// Its number; 0 if there was none.
    job: u64,
    stop: Arc<AtomicBool>,
    begun: Instant,
    /// When the page last asked for its news.
    heard: Instant,
    news: Arc<Mutex<Receiver<News>>>,
}

impl Latest {
    fn new(job: u64, news: Receiver<News>) -> Latest {
        let (now, stop) = (Instant::now(), Arc::default());
        Latest { job, stop, begun: now, heard: now, news: Arc::new(Mutex::new(news)) }
    }
}

impl Session {
    fn start(running: Arc<AtomicUsize>, memory_time: Duration) -> io::Result<Session> {
        let (jobs, receiver) = channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let left = pending.clone();
        thread::Builder::new().spawn(move || work(&receiver, &running, &left, memory_time))?;
        Ok(Session { jobs, pending, latest: Mutex::new(Latest::new(0, channel().1)) })
    }

    /// Stops the current search, starts another one and returns its number.
    pub fn begin(&self, work: impl FnOnce(&mut Worker, &Sender<News>) + Send + 'static) -> u64 {
        let (sender, news) = channel();
        let mut latest = self.latest();
        latest.stop.store(true, Ordering::Relaxed);
        *latest = Latest::new(latest.job + 1, news);
        self.pending.fetch_add(1, Ordering::SeqCst);
        let work = Box::new(move |worker: &mut Worker| work(worker, &sender));
        // The thread ends only after its session.
        let _ = self.jobs.send(Job { stop: latest.stop.clone(), work });
        latest.job
    }

    /// Returns the latest news of a search, if there are any within [`NEWS_TIME`]. Fails if the search has failed or
    /// was stopped.
    pub fn news(&self, job: u64) -> Result<Option<Value>> {
        let (news, begun) = {
            let mut latest = self.latest();
            if latest.job != job {
                bail!("the search was stopped");
            }
            latest.heard = Instant::now();
            (latest.news.clone(), latest.begun)
        };
        let news = news.lock().unwrap_or_else(PoisonError::into_inner);
        match news.recv_timeout(NEWS_TIME) {
            // A slow page gets only the latest message.
            Ok(message) => news.try_iter().last().unwrap_or(message).map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) if begun.elapsed() >= MAX_SEARCH => {
                let minutes = MAX_SEARCH.as_secs() / 60;
                bail!("stopped: a search may take {minutes} minutes, this one is not done")
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the search was stopped"),
        }
    }

    /// Stops a search, unless another one has replaced it.
    pub fn stop(&self, job: u64) {
        let latest = self.latest();
        if latest.job == job {
            latest.stop.store(true, Ordering::Relaxed);
        }
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
        self.latest().stop.store(true, Ordering::Relaxed);
    }
}

/// The thread of a session. `running` counts the running searches of all sessions.
fn work(jobs: &Receiver<Job>, running: &AtomicUsize, pending: &AtomicUsize, memory_time: Duration) {
    let mut worker = Worker::default();
    loop {
        let Job { stop, work } = match jobs.recv_timeout(memory_time) {
            Ok(job) => job,
            Err(RecvTimeoutError::Timeout) => {
                worker.free();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        if !stop.load(Ordering::Relaxed) {
            running.fetch_add(1, Ordering::SeqCst);
            interrupt::set_flag(Some(stop));
            let done = guarded(|| work(&mut worker));
            interrupt::set_flag(None);
            running.fetch_sub(1, Ordering::SeqCst);
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
    /// Number of running searches.
    running: Arc<AtomicUsize>,
}

impl Sessions {
    /// Creates an empty list.
    pub fn new() -> Sessions {
        Sessions { open: Mutex::default(), running: Arc::default() }
    }

    /// Starts a session and returns its name, which can't be guessed. Fails if there are too many.
    pub fn open(&self) -> Result<String, String> {
        let mut open = self.all();
        if open.len() >= MAX_SESSIONS {
            let idle = open.iter().filter(|(_, session)| !session.is_busy());
            let oldest = idle.min_by_key(|(_, session)| session.latest().heard);
            let oldest = oldest.ok_or("too many boards are busy: close one")?.0.clone();
            open.remove(&oldest);
        }
        let name = format!("{:032x}", rand::random::<u128>());
        let session = Session::start(self.running.clone(), MEMORY_TIME);
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
        (self.all().len(), self.running.load(Ordering::SeqCst))
    }

    /// Ends sessions that have been idle too long, and searches that have run too long or whose page is gone.
    pub fn tidy(&self) {
        self.all().retain(|_, session| {
            let latest = session.latest();
            if session.is_busy() {
                let is_lost = latest.heard.elapsed() > UNHEARD_TIME;
                if is_lost || latest.begun.elapsed() > MAX_SEARCH {
                    latest.stop.store(true, Ordering::Relaxed);
                }
                return true;
            }
            latest.heard.elapsed() < IDLE_TIME
        });
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::mpsc::{sync_channel, SyncSender, TryRecvError};

    /// Runs until it is stopped; reports its start and its end.
    fn endless(
        said: SyncSender<&'static str>,
    ) -> impl FnOnce(&mut Worker, &Sender<News>) + Send + 'static {
        move |_, _| {
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
        // A late request to stop the first search does not stop the second one.
        session.stop(first);
        assert_eq!(heard.try_recv(), Err(TryRecvError::Empty));
        session.stop(second);
        assert_eq!(heard.recv(), Ok("stopped"));
        // Ending a session stops its search.
        session.begin(endless(said));
        assert_eq!(heard.recv(), Ok("begun"));
        drop(session);
        sessions.close(&name);
        assert_eq!(heard.recv(), Ok("stopped"));
    }

    #[test]
    fn news_are_fetched_until_the_search_ends() {
        let sessions = Sessions::new();
        let session = sessions.find(&sessions.open().expect("room")).expect("open");
        let (go, goes) = channel();
        let job = session.begin(move |_, news| {
            let _ = goes.recv();
            (1..=3).for_each(|count| news.send(Ok(json!(count))).expect("heard"));
        });
        assert_eq!(session.news(job).expect("no failure"), None);
        go.send(()).expect("waiting");
        let mut last = None;
        let end = loop {
            match session.news(job) {
                Ok(news) => last = news.or(last),
                Err(error) => break error.to_string(),
            }
        };
        assert_eq!((last, &*end), (Some(json!(3)), "the search was stopped"));
        // The time limit has another message, and an error is passed on.
        session.latest().begun = Instant::now() - MAX_SEARCH;
        assert!(session.news(job).unwrap_err().to_string().contains("15 minutes"));
        let job = session.begin(|_, news| news.send(bailed()).expect("heard"));
        let error = loop {
            if let Err(error) = session.news(job) {
                break error;
            }
        };
        assert_eq!(error.to_string(), "on purpose");
        assert!(session.news(job - 1).is_err());
    }

    fn bailed() -> News {
        bail!("on purpose")
    }

    #[test]
    fn a_search_that_nobody_follows_is_stopped() {
        let sessions = Sessions::new();
        let session = sessions.find(&sessions.open().expect("room")).expect("open");
        let (said, heard) = sync_channel(9);
        session.begin(endless(said));
        assert_eq!(heard.recv(), Ok("begun"));
        sessions.tidy();
        assert_eq!(heard.try_recv(), Err(TryRecvError::Empty));
        session.latest().heard = Instant::now() - 2 * UNHEARD_TIME;
        sessions.tidy();
        assert_eq!(heard.recv(), Ok("stopped"));
    }

    #[test]
    fn an_idle_session_frees_its_memory() {
        let session = Session::start(Arc::default(), Duration::from_millis(1));
        let session = session.expect("a thread");
        let (said, heard) = sync_channel(9);
        session.begin(|worker, _| worker.fill());
        let is_empty = || {
            let said = said.clone();
            session.begin(move |worker, _| said.send(worker.is_empty()).expect("heard"));
            heard.recv()
        };
        while is_empty() != Ok(true) {}
    }

    #[test]
    fn a_panic_ends_only_its_job() {
        let sessions = Sessions::new();
        let session = sessions.find(&sessions.open().expect("room")).expect("open");
        session.begin(|_, _| panic!("on purpose"));
        let (said, heard) = sync_channel(9);
        let job = session.begin(endless(said));
        assert_eq!(heard.recv(), Ok("begun"));
        session.stop(job);
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
