//! Contains loops that repeat a single operation. In most of them, each operation waits for the
//! previous one.
//!
//! Each function runs the given number of iterations, with [`STEPS`] operations per iteration.
//! Operands come from `black_box`, so that the compiler doesn't know their values. A compiler could
//! still shorten some loops, such as a sum of equal numbers, so these are written in a way that it
//! can't shorten. For example, it can't replace sums of Fibonacci numbers with a product.

use std::hint::black_box;

/// Number of operations per iteration. It is so large that the loop itself runs in parallel with
/// them.
pub(crate) const STEPS: u32 = 16;

/// Repeats a statement once for each operation of an iteration.
macro_rules! steps {
    ($step:stmt) => {
        $step $step $step $step $step $step $step $step
        $step $step $step $step $step $step $step $step
    };
}

/// Makes a chain in which each value is computed from the previous one, in a register.
macro_rules! chain {
    ($name:ident, $kind:ty, $start:expr, $operand:expr, $x:ident, $y:ident, $next:expr) => {
        pub(crate) fn $name(turns: u64) {
            let (mut $x, $y): ($kind, $kind) = (black_box($start), black_box($operand));
            for _ in 0..turns {
                steps!($x = $next);
            }
            black_box(($x, $y));
        }
    };
}

chain!(add_f32, f32, 1.0, 1e-9, x, y, x + y);
chain!(add_f64, f64, 1.0, 1e-9, x, y, x + y);
chain!(multiply_f32, f32, 1.5, 1.0, x, y, x * y);
chain!(multiply_f64, f64, 1.5, 1.0, x, y, x * y);
chain!(divide_f32, f32, 1.7, 3.1, x, y, y / x);
chain!(divide_f64, f64, 1.7, 3.1, x, y, y / x);
chain!(multiply_long, u64, 3, 1, x, _y, x.wrapping_mul(x));
chain!(
    divide_long,
    u64,
    31_622_776,
    1_000_000_000_000_000,
    x,
    y,
    y / x
);
chain!(and_add_long, u64, 1, 0xff, x, y, (x & y).wrapping_add(y));

pub(crate) fn add_long(turns: u64) {
    let (mut x, mut y): (u64, u64) = (black_box(1), black_box(1));
    for _ in 0..turns {
        steps!((x, y) = (y, x.wrapping_add(y)));
    }
    black_box((x, y));
}

/// Chains in which each value is stored, and loaded again for the next operation.
pub(crate) mod stored {
    use std::hint::black_box;

    /// Makes a chain with a value in memory, where the compiler can't see it.
    macro_rules! stored {
        ($name:ident, $kind:ty, $start:expr, $operand:expr, $x:ident, $y:ident, $next:expr) => {
            pub(crate) fn $name(turns: u64) {
                let (mut memory, $y): (Box<$kind>, $kind) = (Box::new($start), black_box($operand));
                for _ in 0..turns {
                    steps!({
                        let $x = *memory;
                        *memory = $next;
                        black_box(&mut *memory);
                    });
                }
                black_box($y);
            }
        };
    }

    stored!(add_f32, f32, 1.0, 1e-9, x, y, x + y);
    stored!(add_f64, f64, 1.0, 1e-9, x, y, x + y);
    stored!(multiply_f32, f32, 1.5, 1.0, x, y, x * y);
    stored!(multiply_f64, f64, 1.5, 1.0, x, y, x * y);
    stored!(divide_f32, f32, 1.7, 3.1, x, y, y / x);
    stored!(divide_f64, f64, 1.7, 3.1, x, y, y / x);
    stored!(add_long, u64, 1, 1, x, y, x.wrapping_add(y));
    stored!(multiply_long, u64, 3, 1, x, y, x.wrapping_mul(y));
    stored!(
        divide_long,
        u64,
        31_622_776,
        1_000_000_000_000_000,
        x,
        y,
        y / x
    );

    /// Makes a chain that copies a value back and forth between two places in memory.
    macro_rules! moved {
        ($name:ident, $kind:ty, $start:expr) => {
            pub(crate) fn $name(turns: u64) {
                let mut memory: Box<[$kind; 2]> = Box::new([$start; 2]);
                for _ in 0..turns {
                    for _ in 0..crate::cpu::chains::STEPS / 2 {
                        memory[1] = memory[0];
                        black_box(&mut *memory);
                        memory[0] = memory[1];
                        black_box(&mut *memory);
                    }
                }
            }
        };
    }

    moved!(assign_f32, f32, 1.5);
    moved!(assign_f64, f64, 1.5);
    moved!(assign_long, u64, 1);
}

/// Operations that don't wait for anything, so that a processor overlaps them with others.
pub(crate) mod alone {
    use std::hint::black_box;

    macro_rules! assign {
        ($name:ident, $kind:ty, $start:expr) => {
            pub(crate) fn $name(turns: u64) {
                let value: $kind = black_box($start);
                let mut memory: Box<$kind> = Box::new($start);
                for _ in 0..turns {
                    steps!({
                        *memory = value;
                        black_box(&mut *memory);
                    });
                }
            }
        };
    }

    assign!(assign_f32, f32, 1.5);
    assign!(assign_f64, f64, 1.5);
    assign!(assign_long, u64, 1);

    /// Makes a loop that loads and compares a value, followed by a jump that always goes the same
    /// way.
    macro_rules! compare {
        ($name:ident, $kind:ty, $start:expr) => {
            pub(crate) fn $name(turns: u64) {
                let other: $kind = black_box($start);
                let mut memory: Box<$kind> = Box::new($start);
                for _ in 0..turns {
                    steps!({
                        black_box(&mut *memory);
                        if *memory < other {
                            black_box(());
                        }
                    });
                }
            }
        };
    }

    compare!(compare_f32, f32, 1.5);
    compare!(compare_f64, f64, 1.5);
    compare!(compare_long, u64, 1);

    /// Runs the loop of a comparison without the comparison. The difference is the comparison's
    /// time.
    pub(crate) fn nothing(turns: u64) {
        let mut memory: Box<u64> = Box::new(1);
        for _ in 0..turns {
            steps!({
                black_box(&mut *memory);
            });
        }
    }

    /// Runs a loop with an empty body, to measure what an iteration itself takes.
    pub(crate) fn turn(turns: u64) {
        for _ in 0..turns * u64::from(crate::cpu::chains::STEPS) {
            black_box(());
        }
    }
}

/// Arrays in the nearest cache. Each element contains the index of the next one.
pub(crate) mod element {
    use std::hint::black_box;

    /// Size of each dimension. With it, an array with four dimensions just fits in the nearest
    /// cache.
    const EXTENT: usize = 4;

    /// Makes a chain through the elements of an array, with one to four indices.
    macro_rules! element {
        ($name:ident, $kind:ty, $x:ident, $extent:ident, $index:expr) => {
            #[allow(clippy::cast_possible_truncation, reason = "all elements are small")]
            pub(crate) fn $name(turns: u64) {
                let elements: [$kind; 256] = black_box([1; 256]);
                let $extent = black_box(EXTENT);
                let mut $x: usize = black_box(1);
                for _ in 0..turns {
                    steps!($x = elements[$index & 255] as usize);
                }
                black_box(($x, $extent));
            }
        };
    }

    element!(one_u32, u32, x, _extent, x);
    element!(two_u32, u32, x, extent, x * extent + x);
    element!(three_u32, u32, x, extent, (x * extent + x) * extent + x);
    element!(
        four_u32,
        u32,
        x,
        extent,
        ((x * extent + x) * extent + x) * extent + x
    );
    element!(one_u64, u64, x, _extent, x);
    element!(two_u64, u64, x, extent, x * extent + x);
    element!(three_u64, u64, x, extent, (x * extent + x) * extent + x);
    element!(
        four_u64,
        u64,
        x,
        extent,
        ((x * extent + x) * extent + x) * extent + x
    );
}
