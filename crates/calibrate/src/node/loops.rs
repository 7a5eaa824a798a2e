//! Loops that move bytes, wait for loads, or compute.

use std::hint::black_box;

/// Bytes that an iteration of the triad loads and stores, as STREAM counts them.
pub(crate) const TRIAD_BYTES: usize = 24;

/// Three arrays of doubles of one length.
#[derive(Debug)]
pub(crate) struct Triad {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Triad {
    /// Arrays of `bytes` bytes together, each page of which has been written.
    pub(crate) fn new(bytes: u64) -> Self {
        let length = usize::try_from(bytes).unwrap_or(usize::MAX) / TRIAD_BYTES;
        let length = length.max(8);
        Self {
            a: vec![1.0; length],
            b: vec![2.0; length],
            c: vec![0.5; length],
        }
    }

    /// Bytes that one round moves.
    pub(crate) fn bytes(&self) -> u64 {
        (self.a.len() * TRIAD_BYTES) as u64
    }

    /// Goes over the arrays `rounds` times.
    #[inline(never)]
    pub(crate) fn run(&mut self, rounds: u64) {
        for _ in 0..rounds {
            let factor = black_box(0.5);
            let operands = self.b.iter().zip(&self.c);
            for (a, (b, c)) in self.a.iter_mut().zip(operands) {
                *a = b + factor * c;
            }
            black_box(&mut self.a);
        }
    }
}

/// Lines of memory, each with the number of the next one, in one cycle in no order.
#[derive(Debug)]
pub(crate) struct Chase {
    next: Vec<[usize; 8]>,
    at: usize,
}

impl Chase {
    /// A cycle through `bytes` bytes (S. Sattolo, 1986).
    pub(crate) fn new(bytes: u64) -> Self {
        let lines = (usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<[usize; 8]>()).max(2);
        let mut order: Vec<usize> = (0..lines).collect();
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        for last in (1..lines).rev() {
            state = scrambled(state);
            let other = ((state >> 33) % last as u64) as usize;
            order.swap(last, other);
        }
        let next = order.into_iter().map(|next| [next; 8]).collect();
        Self { next, at: 0 }
    }

    pub(crate) fn lines(&self) -> u64 {
        self.next.len() as u64
    }

    /// Makes `loads` loads, each of which waits for the previous load.
    #[inline(never)]
    pub(crate) fn run(&mut self, loads: u64) {
        let mut at = self.at;
        for _ in 0..loads {
            at = self.next[at][0];
        }
        self.at = black_box(at);
    }
}

/// Words that are loaded from places in no order; no load waits for another.
#[derive(Debug)]
pub(crate) struct Gather {
    from: Vec<u64>,
    order: Vec<[u32; 8]>,
}

impl Gather {
    pub(crate) fn new(bytes: u64) -> Self {
        let length = u32::try_from(bytes / 8).unwrap_or(u32::MAX).max(8);
        let mut state: u64 = 1;
        let mut place = |_| {
            state = scrambled(state);
            u32::try_from((state >> 33) % u64::from(length)).unwrap_or(0)
        };
        Self {
            order: (0..length / 8).map(|_| [0; 8].map(&mut place)).collect(),
            from: vec![1; length as usize],
        }
    }

    /// Number of loads of a round.
    pub(crate) fn loads(&self) -> u64 {
        8 * self.order.len() as u64
    }

    /// Goes over all places `rounds` times.
    #[inline(never)]
    pub(crate) fn run(&self, rounds: u64) {
        for _ in 0..rounds {
            let mut sum = 0_u64;
            for places in &self.order {
                for place in places {
                    sum = sum.wrapping_add(self.from[*place as usize]);
                }
            }
            black_box(sum);
        }
    }
}

/// A column of a matrix whose rows are so long that its elements, and the entries of their pages in
/// the page table, are in lines of their own.
#[derive(Debug)]
pub(crate) struct MatrixColumn(Vec<u64>);

impl MatrixColumn {
    /// Words from an element to the next one: pages of 4 KiB, eight of which have their entries in
    /// a line, and a line.
    const STRIDE: usize = (9 * 4096 + 64) / 8;

    /// Bytes of addresses, few of them in use, of a column of as many elements.
    pub(crate) const fn bytes(elements: usize) -> usize {
        8 * Self::STRIDE * elements
    }

    /// A column of as many elements; no other page is in use.
    pub(crate) fn new(elements: usize) -> Self {
        let mut words = vec![0; Self::STRIDE * elements];
        words
            .iter_mut()
            .step_by(Self::STRIDE)
            .for_each(|it| *it = 1);
        Self(words)
    }

    /// Goes down the column `rounds` times.
    #[inline(never)]
    pub(crate) fn run(&self, rounds: u64) {
        for _ in 0..rounds {
            let words = black_box(&self.0).iter().step_by(Self::STRIDE);
            black_box(words.fold(0_u64, |sum, word| sum.wrapping_add(*word)));
        }
    }
}

/// A matrix whose columns are written one after another, as in a transposition.
#[derive(Debug)]
pub(crate) struct Turned {
    words: Vec<f64>,
    columns: usize,
}

impl Turned {
    /// Number of rows of a matrix whose rows are as long as a power of 2: more than a cache has
    /// places for in one set, so few that their lines are near.
    const ROWS: usize = 512;

    /// A square matrix of nearly 2^`power` bytes, whose rows begin at all places of lines and have
    /// no length near a power of 2, at which the lines of a column compete.
    pub(crate) fn square(power: u32) -> Self {
        let side = (1_usize << power.saturating_sub(3)).isqrt();
        let side = (side * 27 / 28) | 1;
        Self::new(side, side)
    }

    /// A matrix whose rows have 2^`power` bytes.
    pub(crate) fn with_rows_of(power: u32) -> Self {
        Self::new(Self::ROWS, 1 << power.saturating_sub(3))
    }

    fn new(rows: usize, columns: usize) -> Self {
        Self {
            words: vec![1.0; rows * columns],
            columns,
        }
    }

    /// Number of stores of a round.
    pub(crate) fn stores(&self) -> u64 {
        self.words.len() as u64
    }

    /// Writes all columns `rounds` times.
    #[inline(never)]
    pub(crate) fn run(&mut self, rounds: u64) {
        for _ in 0..rounds {
            for column in 0..self.columns {
                let value = black_box(0.5);
                let words = self.words.iter_mut().skip(column).step_by(self.columns);
                words.for_each(|word| *word = value);
            }
            black_box(&mut self.words);
        }
    }
}

/// Sums of products, each of which adds in order.
#[derive(Debug)]
pub(crate) struct Sums([Vec<f64>; 2]);

impl Sums {
    /// Products of a sum, more than a processor looks ahead, and of one that takes much longer.
    pub(crate) const ROW: usize = 256;
    pub(crate) const ALL: usize = 2048;

    pub(crate) fn new() -> Self {
        Self([vec![1e-6; Self::ALL], vec![0.01; Self::ALL]])
    }

    /// Computes the sums of `row` products each over the arrays, `rounds` times.
    #[inline(never)]
    pub(crate) fn run(&self, row: usize, rounds: u64) {
        for _ in 0..rounds {
            let [a, b] = black_box(&self.0);
            for (a, b) in a.chunks_exact(row).zip(b.chunks_exact(row)) {
                black_box(a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b));
            }
        }
    }
}

/// Next state of a generator of numbers (D. Knuth's MMIX).
const fn scrambled(state: u64) -> u64 {
    state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1)
}

/// Operations of a turn of [`vector`]: eight for each of 64 doubles.
pub(crate) const VECTOR: u32 = 8 * 64;

/// Additions and multiplications of many values, which the compiler joins to vectors: chains, so
/// short that a processor works on as many as it can.
pub(crate) fn vector(turns: u64) {
    let (factor, more) = (black_box(0.999), black_box(1e-3));
    let mut x = [1.0_f64; VECTOR as usize / 8];
    for _ in 0..turns {
        for value in black_box(&mut x) {
            for _ in 0..4 {
                *value = *value * factor + more;
            }
        }
    }
    black_box(x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chase_comes_to_all_lines() {
        let mut chase = Chase::new(64 * 1000);
        let mut seen = [false; 1000];
        for _ in 0..1000 {
            chase.run(1);
            seen[chase.at] = true;
        }
        assert!(seen.iter().all(|it| *it) && chase.at == 0);
    }

    #[test]
    fn a_turned_matrix_is_written_everywhere() {
        let mut matrix = Turned::square(10);
        assert_eq!(Turned::square(15).columns, 61);
        assert_eq!((matrix.columns, matrix.stores()), (11, 121));
        matrix.run(1);
        assert!(matrix.words.iter().all(|it| (it - 0.5).abs() < 1e-12));
        let rows = Turned::with_rows_of(6);
        assert_eq!((rows.columns, rows.stores()), (8, 4096));
    }

    #[test]
    fn a_triad_is_computed() {
        let mut triad = Triad::new(24 * 100);
        assert_eq!(triad.bytes(), 2400);
        triad.run(1);
        assert!(triad.a.iter().all(|it| (it - 2.25).abs() < 1e-12));
    }
}
