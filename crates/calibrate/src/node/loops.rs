//! Contains loops that move bytes, wait for loads, or compute.

use std::hint::black_box;

/// Bytes that an iteration of the triad loads and stores, counted as in STREAM.
pub(crate) const TRIAD_BYTES: usize = 24;

#[derive(Debug)]
pub(crate) struct Triad {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Triad {
    /// Allocates arrays with `bytes` bytes in total, and writes to each of their pages.
    pub(crate) fn new(bytes: u64) -> Self {
        let length = usize::try_from(bytes).unwrap_or(usize::MAX) / TRIAD_BYTES;
        let length = length.max(8);
        Self {
            a: vec![1.0; length],
            b: vec![2.0; length],
            c: vec![0.5; length],
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.a.len() * TRIAD_BYTES) as u64
    }

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

/// Cache lines that form a single cycle in random order. Each contains the number of the next one.
#[derive(Debug)]
pub(crate) struct Chase {
    next: Vec<[usize; 8]>,
    at: usize,
}

impl Chase {
    /// Makes a cycle through `bytes` bytes of memory (S. Sattolo, 1986).
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

    /// Makes `loads` loads. Each load waits for the previous one.
    #[inline(never)]
    pub(crate) fn run(&mut self, loads: u64) {
        let mut at = self.at;
        for _ in 0..loads {
            at = self.next[at][0];
        }
        self.at = black_box(at);
    }
}

/// Words that are loaded from random places. No load waits for another one.
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

    pub(crate) fn loads(&self) -> u64 {
        8 * self.order.len() as u64
    }

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

/// A column of a matrix. Its elements are so far apart that each has its own cache line, and so
/// does the page table entry of its page.
#[derive(Debug)]
pub(crate) struct MatrixColumn(Vec<u64>);

impl MatrixColumn {
    /// Words from one element to the next: nine pages of 4 KiB (because a cache line contains the
    /// entries of eight pages), plus a cache line.
    const STRIDE: usize = (9 * 4096 + 64) / 8;

    /// Returns the address space of a column with this number of elements, in bytes. Little of it
    /// is used.
    pub(crate) const fn bytes(elements: usize) -> usize {
        8 * Self::STRIDE * elements
    }

    /// Makes a column with this number of elements. No other pages are used.
    pub(crate) fn new(elements: usize) -> Self {
        let mut words = vec![0; Self::STRIDE * elements];
        words
            .iter_mut()
            .step_by(Self::STRIDE)
            .for_each(|it| *it = 1);
        Self(words)
    }

    #[inline(never)]
    pub(crate) fn run(&self, rounds: u64) {
        for _ in 0..rounds {
            let words = black_box(&self.0).iter().step_by(Self::STRIDE);
            black_box(words.fold(0_u64, |sum, word| sum.wrapping_add(*word)));
        }
    }
}

/// A matrix that is written column by column, as in a transposition.
#[derive(Debug)]
pub(crate) struct Turned {
    words: Vec<f64>,
    columns: usize,
}

impl Turned {
    /// Number of rows if the length of a row is a power of 2. It is larger than the number of ways
    /// in a cache set, but small enough for a near cache to contain the rows' lines.
    const ROWS: usize = 512;

    /// Makes a square matrix of nearly 2^`power` bytes. Its rows start at different offsets within
    /// cache lines. The length of a row isn't close to a power of 2, because then the lines of a
    /// column would compete for the same set.
    pub(crate) fn square(power: u32) -> Self {
        let side = (1_usize << power.saturating_sub(3)).isqrt();
        let side = (side * 27 / 28) | 1;
        Self::new(side, side)
    }

    pub(crate) fn with_rows_of(power: u32) -> Self {
        Self::new(Self::ROWS, 1 << power.saturating_sub(3))
    }

    fn new(rows: usize, columns: usize) -> Self {
        Self {
            words: vec![1.0; rows * columns],
            columns,
        }
    }

    pub(crate) fn stores(&self) -> u64 {
        self.words.len() as u64
    }

    /// Writes all columns, `rounds` times.
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

/// Sums of products. Each sum is added up in order.
#[derive(Debug)]
pub(crate) struct Sums([Vec<f64>; 2]);

impl Sums {
    /// Number of products in a short sum, which is longer than processors look ahead, and in a sum
    /// that takes much longer.
    pub(crate) const ROW: usize = 256;
    pub(crate) const ALL: usize = 2048;

    pub(crate) fn new() -> Self {
        Self([vec![1e-6; Self::ALL], vec![0.01; Self::ALL]])
    }

    /// Computes sums of `row` products each over the arrays, `rounds` times.
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

/// Returns the next state of a random number generator (D. Knuth's MMIX).
const fn scrambled(state: u64) -> u64 {
    state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1)
}

/// Number of operations per iteration of [`vector`]: eight for each of 64 doubles.
pub(crate) const VECTOR: u32 = 8 * 64;

/// Multiplies and adds many values in a loop that the compiler vectorizes. The chains are so short
/// that a processor works on as many of them as it can.
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
