//! Lists of parameters that share a part.

/// The parts as one list, whose length must be theirs together.
pub const fn joined<T: Copy, const N: usize>(parts: &[&[T]]) -> [T; N] {
    let mut all = [parts[0][0]; N];
    let (mut part, mut at, mut filled) = (0, 0, 0);
    while part < parts.len() {
        if at < parts[part].len() {
            all[filled] = parts[part][at];
            (at, filled) = (at + 1, filled + 1);
        } else {
            (part, at) = (part + 1, 0);
        }
    }
    assert!(filled == N, "the list is shorter than its type");
    all
}
