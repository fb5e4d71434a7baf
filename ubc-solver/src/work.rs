//! Work for all processors.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Does something with every item on all processors, and tells of each as it is done; the results
/// are in the order of the items.
///
/// Every item gets a thread of its own. z3's context belongs to a thread and remembers all that it
/// was ever told: in a used one the same question can take another path and ten times as long.
///
/// ```
/// use ubc_solver::work::for_each;
///
/// assert_eq!(for_each(&[1, 2, 3], |n| n * n, |n, square| println!("{n}: {square}")), [1, 4, 9]);
/// ```
pub fn for_each<I: Copy + Sync, T: Send>(
    items: &[I],
    work: impl Fn(I) -> T + Sync,
    tell: impl Fn(I, &T) + Sync,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(0..items.len());
    let done = Mutex::new(BTreeMap::new());
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            scope.spawn(|| {
                while let Some(n) = take() {
                    let worker = std::thread::scope(|scope| scope.spawn(|| work(items[n])).join());
                    let result = worker.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    tell(items[n], &result);
                    done.insert(n, result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}
