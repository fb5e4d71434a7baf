//! Which bits of a tied group conditions have connected so far: a part number for every bit.

/// Joins the parts of two bits; whether they were apart.
pub(crate) fn join<T: Copy + PartialEq>(parts: &mut [T], i: usize, j: usize) -> bool {
    let (from, to) = (parts[i], parts[j]);
    parts.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
    from != to
}
