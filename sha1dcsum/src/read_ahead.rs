//! Reading while hashing: a thread of its own copies from the page cache, which alone takes a third
//! of the time that hashing does.

use std::io::{self, Read};
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

/// How much is read at a time: large enough that handing it over costs nothing beside hashing.
const PART: usize = 256 << 10;

/// How many parts there are: one being read, one being hashed, and one in between.
const PARTS: usize = 3;

/// Fills a part as far as the source goes.
fn fill(source: &mut impl Read, part: &mut Vec<u8>) -> io::Result<()> {
    part.resize(PART, 0);
    let mut length = 0;
    while length < PART {
        match source.read(&mut part[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    part.truncate(length);
    Ok(())
}

/// Hands all that a source holds to `take`, in order. A thread is started only if it fills a part; if
/// there is none to be had, this one does both.
pub(crate) fn read_ahead(
    mut source: impl Read + Send,
    mut take: impl FnMut(&[u8]),
) -> io::Result<()> {
    let mut part = Vec::new();
    fill(&mut source, &mut part)?;
    take(&part);
    if part.len() < PART {
        return Ok(());
    }
    let (filled, to_hash) = sync_channel::<Vec<u8>>(PARTS);
    let (used, to_fill) = channel();
    for _ in 0..PARTS {
        let _ = used.send(Vec::new());
    }
    let from = &mut source;
    let read = move || {
        // Ends when the source does, or when nobody hashes any more.
        for mut part in to_fill {
            fill(from, &mut part)?;
            let is_last = part.len() < PART;
            if filled.send(part).is_err() || is_last {
                break;
            }
        }
        Ok(())
    };
    let done = thread::scope(|scope| {
        let reader = thread::Builder::new().spawn_scoped(scope, read).ok()?;
        for part in to_hash {
            take(&part);
            let _ = used.send(part);
        }
        Some(reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    if let Some(done) = done {
        return done;
    }
    while part.len() == PART {
        fill(&mut source, &mut part)?;
        take(&part);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the length, all of it arrives in order.
    #[test]
    fn everything_arrives() {
        for length in [0, 1, PART - 1, PART, PART + 1, 3 * PART, 10 * PART + 7] {
            let source: Vec<u8> = (0..length).map(|n| (n * 31 / 7) as u8).collect();
            let mut arrived = Vec::new();
            read_ahead(&source[..], |part| arrived.extend_from_slice(part)).unwrap();
            assert_eq!(arrived, source);
        }
    }

    /// An error is told, wherever it comes.
    #[test]
    fn errors_are_told() {
        struct Fails(usize);
        impl Read for Fails {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let read = buffer.len().min(self.0);
                self.0 -= read;
                if read == 0 { Err(io::Error::other("broken")) } else { Ok(read) }
            }
        }
        for length in [0, 1, PART, 5 * PART + 1] {
            let mut arrived = 0;
            let error = read_ahead(Fails(length), |part| arrived += part.len()).unwrap_err();
            assert_eq!(error.to_string(), "broken");
            assert!(arrived <= length);
        }
    }
}
