//! Many files: hashed on all cores, and told in order.
//!
//! Files are taken up in groups, a task each; what a task finds out is told as soon as it is the
//! turn of its file. So few groups are under way at a time that what waits for its turn stays small,
//! however many files there are.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::group::{Group, Outcome, hash, small};

/// How many files are taken up together, at most: enough to keep all lanes busy.
const GROUP: usize = 64;
/// For how many groups a thread the work is laid out in advance.
const AHEAD: usize = 8;

/// Hashes files and reports them in their order. Ends when a report fails.
pub(crate) fn each<'f>(
    files: &'f [OsString],
    mut report: impl FnMut(&'f OsStr, Outcome) -> io::Result<()>,
) -> io::Result<()> {
    match threads(files.len()) {
        Some(pool) => in_parallel(&pool, files, report),
        None => files.iter().try_for_each(|file| report(file, hash(file))),
    }
}

/// No more threads than files; none where one would do, or the system has none to give.
fn threads(files: usize) -> Option<ThreadPool> {
    if files < 2 {
        return None;
    }
    let mut builder = ThreadPoolBuilder::new();
    if thread::available_parallelism().is_ok_and(|cores| cores.get() > files) {
        builder = builder.num_threads(files);
    }
    builder.build().ok()
}

fn in_parallel<'f>(
    pool: &ThreadPool,
    files: &'f [OsString],
    mut report: impl FnMut(&'f OsStr, Outcome) -> io::Result<()>,
) -> io::Result<()> {
    let stop = AtomicBool::new(false);
    pool.in_place_scope_fifo(|scope| {
        let threads = pool.current_num_threads();
        // A part of the files for each thread, even if they are few.
        let most = files.len().div_ceil(threads).min(GROUP);
        let mut groups = files.chunks(most);
        let mut under_way = VecDeque::new();
        loop {
            while under_way.len() < AHEAD * threads
                && let Some(files) = groups.next()
            {
                let (report, results) = mpsc::channel();
                under_way.push_back((files, results));
                let group = Group { files, small: small(threads), report, stop: &stop };
                scope.spawn_fifo(move |scope| group.hash(scope));
            }
            let Some((group, results)) = under_way.pop_front() else { return Ok(()) };
            let told = in_order(group, &results, &mut report);
            if told.is_err() {
                // Nobody wants to know the rest.
                stop.store(true, Ordering::Relaxed);
                return told;
            }
        }
    })
}

/// Reports what is found out of a group in the order of its files, and reads what waits for its turn.
fn in_order<'f>(
    files: &'f [OsString],
    results: &Receiver<(usize, Option<Outcome>)>,
    report: &mut impl FnMut(&'f OsStr, Outcome) -> io::Result<()>,
) -> io::Result<()> {
    let mut early: Vec<Option<Option<Outcome>>> = files.iter().map(|_| None).collect();
    let mut next = 0;
    for (n, outcome) in results {
        early[n] = Some(outcome);
        while let Some(outcome) = early.get_mut(next).and_then(Option::take) {
            let file = &files[next];
            report(file, outcome.unwrap_or_else(|| hash(file)))?;
            next += 1;
        }
    }
    Ok(())
}
