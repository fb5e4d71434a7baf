//! A group of files: the small ones are read as a whole and hashed side by side, each long one is a
//! task by itself.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use rayon::ScopeFifo;
use sha1dc::{Collision, Digest, Hasher};

/// How many bytes of a long file are read at a time: few enough to stay in the nearest caches.
const PART: usize = 64 << 10;
/// How many bytes all threads together may have of small files in memory.
const MEMORY: usize = 32 << 20;
/// How many files are hashed together if they are as large as small ones may be: as many as the
/// widest vectors have lanes.
const TOGETHER: usize = 16;

/// The longest file that is small. (256 KiB instead of 64 make files of 65 to 250 KiB 1.6 times as
/// fast, and the rest no slower.)
pub(crate) fn small(threads: usize) -> usize {
    (MEMORY / (TOGETHER + 1) / threads.max(1)).min(256 << 10)
}

/// What became of a file: it could not be read, it holds an attack, or neither.
pub(crate) type Outcome = io::Result<Result<Digest, Collision>>;

/// Files that are taken up together.
pub(crate) struct Group<'s> {
    pub(crate) files: &'s [OsString],
    /// How long a small one may be.
    pub(crate) small: usize,
    /// Takes the outcome of each file, by its number; none for what has to be read when it is its turn:
    /// pipes, terminals and standard input, which can be named twice and must not be read by two.
    pub(crate) report: Sender<(usize, Option<Outcome>)>,
    /// Set when nobody wants to know the rest.
    pub(crate) stop: &'s AtomicBool,
}

/// What reading a file came to.
enum Taken {
    /// It is small, of so many bytes.
    Small(usize),
    /// It is long, and can be opened again.
    Long,
    /// It was hashed, for it turned out to be longer than it said.
    Hashed(Result<Digest, Collision>),
    /// It is no file that can be opened by many.
    Later,
}

thread_local! {
    /// Where small files are read to; made once a thread.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl<'s> Group<'s> {
    /// Hashes the files and reports each, in any order.
    pub(crate) fn hash(&self, scope: &ScopeFifo<'s>) {
        BUFFER.with_borrow_mut(|buffer| {
            if buffer.is_empty() {
                // Zeros that the system lends until they are written.
                *buffer = vec![0; (TOGETHER + 1) * self.small + 1];
            }
            let mut gathered: Vec<(usize, Range<usize>)> = Vec::new();
            let mut start = 0;
            for (n, file) in self.files.iter().enumerate() {
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                match self.take(file, &mut buffer[start..][..=self.small]) {
                    Ok(Taken::Small(len)) => {
                        gathered.push((n, start..start + len));
                        start += len;
                    }
                    Ok(Taken::Long) => self.hash_apart(scope, n, file),
                    Ok(Taken::Hashed(result)) => self.report(n, Some(Ok(result))),
                    Ok(Taken::Later) => self.report(n, None),
                    Err(error) => self.report(n, Some(Err(error))),
                }
                if start >= TOGETHER * self.small {
                    self.hash_together(&gathered, buffer);
                    gathered.clear();
                    start = 0;
                }
            }
            self.hash_together(&gathered, buffer);
        });
    }

    /// Reads a file into a buffer, if it is shorter than that.
    fn take(&self, file: &OsStr, buffer: &mut [u8]) -> io::Result<Taken> {
        if file == "-" {
            return Ok(Taken::Later);
        }
        let about = fs::metadata(file)?;
        if !about.is_file() {
            return Ok(Taken::Later);
        }
        if about.len() >= buffer.len() as u64 {
            return Ok(Taken::Long);
        }
        let mut source = Stoppable { source: File::open(file)?, stop: self.stop };
        let mut len = 0;
        while len < buffer.len() {
            match read(&mut source, &mut buffer[len..])? {
                0 => return Ok(Taken::Small(len)),
                more => len += more,
            }
        }
        let mut hasher = Hasher::new();
        hasher.update(buffer);
        hash_rest(hasher, source).map(Taken::Hashed)
    }

    fn hash_together(&self, gathered: &[(usize, Range<usize>)], buffer: &[u8]) {
        let messages: Vec<_> = gathered.iter().map(|(_, range)| &buffer[range.clone()]).collect();
        for ((n, _), result) in gathered.iter().zip(sha1dc::digest_many(&messages)) {
            self.report(*n, Some(Ok(result)));
        }
    }

    fn hash_apart(&self, scope: &ScopeFifo<'s>, n: usize, file: &'s OsStr) {
        let (report, small, stop) = (self.report.clone(), self.small, self.stop);
        scope.spawn_fifo(move |_| {
            let source = File::open(file).map(|file| Stoppable { source: file, stop });
            let outcome = source.and_then(|source| hash_rest(Hasher::new(), source));
            Self { files: &[], small, report, stop }.report(n, Some(outcome));
        });
    }

    fn report(&self, n: usize, outcome: Option<Outcome>) {
        // Who does not listen has stopped.
        let _ = self.report.send((n, outcome));
    }
}

/// A source that ends in an error when nobody wants to know the rest.
struct Stoppable<'s, S> {
    source: S,
    stop: &'s AtomicBool,
}

impl<S: Read> Read for Stoppable<'_, S> {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.source.read(part)
    }
}

/// Hashes a file, or standard input for `-`.
pub(crate) fn hash(file: &OsStr) -> Outcome {
    let hasher = Hasher::new();
    if file == "-" {
        hash_rest(hasher, io::stdin().lock())
    } else {
        hash_rest(hasher, File::open(file)?)
    }
}

/// Hashes what a source still holds. (A thread that reads ahead makes it slower where two processors
/// share a core: 2.7 s for 4 GiB instead of 2.4 s.)
fn hash_rest(mut hasher: Hasher, mut source: impl Read) -> Outcome {
    let mut part = vec![0; PART];
    loop {
        match read(&mut source, &mut part)? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&part[..read]),
        }
    }
}

/// Reads some bytes, none at the end, whatever interrupts.
fn read(source: &mut impl Read, part: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
