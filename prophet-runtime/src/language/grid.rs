//! Finds the neighbors of processes on Cartesian grids.
//!
//! The first coordinate varies fastest: on a grid of nx by ny by nz processes, the process at (x,
//! y, z) has the number x + nx (y + ny z). This is the order of `MPI_Cart_create` for the
//! dimensions nz, ny and nx.

use crate::language::fault::{Fault, FaultKind};
use crate::language::number::Int;

/// A partner that doesn't exist. As with `MPI_PROC_NULL`, sending to it and receiving from it does
/// nothing and takes no time.
///
/// ```
/// use prophet_runtime::{BRecv, BSend, ByMachine, Message, Model, PROC_NULL, Simulation, System};
///
/// const SEND: BSend = BSend::new(0, "Send", 1);
/// const RECV: BRecv = BRecv::new(1, "Recv", 2);
/// let model = Model::new("Border", &[], 2);
/// let simulation = Simulation::new(&model, System::default());
/// let outcome = simulation.run(async |ctx| {
///     SEND.execute(ctx, PROC_NULL, Message::bytes(8), 2.5).await?;
///     RECV.execute(ctx, PROC_NULL, Message::any_size(), ByMachine).await
/// })?;
/// assert_eq!(outcome.predicted_time_s, 0.0);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
pub const PROC_NULL: Int = Int(-1);

const DIMENSIONS_MAX: usize = 3;

macro_rules! directions {
    ($($name:ident($axis:literal, $step:literal): $doc:literal;)+) => {$(
        #[doc = $doc]
        ///
        /// `sizes` contains the size of the grid in each dimension. There can be up to three. At
        /// the border of a grid that isn't `periodic`, the neighbor is [`PROC_NULL`].
        ///
        /// # Errors
        ///
        /// Returns a fault if a size isn't positive, or if the process isn't on the grid.
        ///
        /// # Panics
        ///
        /// Panics if the grid has more than three dimensions, or lacks the dimension of this
        /// direction.
        pub fn $name(
            process: impl Into<Int>,
            sizes: &[Int],
            periodic: bool,
        ) -> Result<Int, Fault> {
            neighbor(process.into(), sizes, periodic, ($axis, $step))
        }
    )+};
}

directions! {
    grid_left(0, -1): "The process whose first coordinate is one less.";
    grid_right(0, 1): "The process whose first coordinate is one more.";
    grid_up(1, -1): "The process whose second coordinate is one less.";
    grid_down(1, 1): "The process whose second coordinate is one more.";
    grid_front(2, -1): "The process whose third coordinate is one less.";
    grid_back(2, 1): "The process whose third coordinate is one more.";
}

fn neighbor(
    process: Int,
    sizes: &[Int],
    periodic: bool,
    (axis, step): (usize, i64),
) -> Result<Int, Fault> {
    assert!(axis < sizes.len() && sizes.len() <= DIMENSIONS_MAX);
    let (mut stride, mut count) = (1_i64, 1_i64);
    for (at, size) in sizes.iter().enumerate() {
        if at == axis {
            stride = count;
        }
        // If the grid has more processes than there are numbers, it contains all of them.
        count = count.saturating_mul(size.0);
        if size.0 < 1 {
            return Err(outside(process, sizes));
        }
    }
    if !(0..count).contains(&process.0) {
        return Err(outside(process, sizes));
    }
    let size = sizes[axis].0;
    let at = process.0 / stride % size;
    if (0..size).contains(&(at + step)) {
        return Ok(Int(process.0.wrapping_add(step.wrapping_mul(stride))));
    }
    if !periodic {
        return Ok(PROC_NULL);
    }
    // From one end to the other.
    let across = step.wrapping_mul(size - 1).wrapping_mul(stride);
    Ok(Int(process.0.wrapping_sub(across)))
}

#[cold]
fn outside(process: Int, sizes: &[Int]) -> Fault {
    let mut all = [None; DIMENSIONS_MAX];
    for (to, size) in all.iter_mut().zip(sizes) {
        *to = Some(size.0);
    }
    let process = process.0;
    FaultKind::OutsideGrid {
        process,
        sizes: all,
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Direction = fn(i64, &[Int], bool) -> Result<Int, Fault>;

    const ALL: [(Direction, [i64; 3]); 6] = [
        (|p, s, b| grid_left(p, s, b), [-1, 0, 0]),
        (|p, s, b| grid_right(p, s, b), [1, 0, 0]),
        (|p, s, b| grid_up(p, s, b), [0, -1, 0]),
        (|p, s, b| grid_down(p, s, b), [0, 1, 0]),
        (|p, s, b| grid_front(p, s, b), [0, 0, -1]),
        (|p, s, b| grid_back(p, s, b), [0, 0, 1]),
    ];

    /// Computes the neighbor from its coordinates.
    fn expected(at: [i64; 3], sizes: [i64; 3], shift: [i64; 3], periodic: bool) -> Int {
        let mut to = [0; 3];
        for axis in 0..3 {
            let moved = at[axis] + shift[axis];
            if !periodic && !(0..sizes[axis]).contains(&moved) {
                return PROC_NULL;
            }
            to[axis] = moved.rem_euclid(sizes[axis]);
        }
        Int(to[0] + sizes[0] * (to[1] + sizes[1] * to[2]))
    }

    #[test]
    fn neighbors_are_those_of_the_coordinates() {
        for sizes in [[4, 3, 2], [1, 1, 1], [2, 1, 5], [7, 1, 1]] {
            let all = sizes.map(Int);
            for process in 0..sizes.iter().product() {
                let (x, rest) = (process % sizes[0], process / sizes[0]);
                let at = [x, rest % sizes[1], rest / sizes[1]];
                for (direction, shift) in ALL {
                    for periodic in [false, true] {
                        let found = direction(process, &all, periodic).unwrap();
                        assert_eq!(
                            found,
                            expected(at, sizes, shift, periodic),
                            "{at:?} {shift:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn dimensions_that_are_left_out_are_of_one_process() {
        for process in 0..12 {
            for periodic in [false, true] {
                let flat = grid_down(process, &[Int(4), Int(3)], periodic);
                assert_eq!(
                    flat,
                    grid_down(process, &[Int(4), Int(3), Int(1)], periodic)
                );
            }
        }
        assert_eq!(grid_right(2, &[Int(3)], true), Ok(Int(0)));
    }

    #[test]
    fn wrong_sizes_are_told() {
        let told = |found: Result<Int, Fault>| found.unwrap_err().to_string();
        assert_eq!(
            told(grid_left(12, &[Int(4), Int(3)], true)),
            "process 12 is not on the grid of 4 x 3 processes, which are numbered 0 to 11"
        );
        assert_eq!(
            told(grid_up(-1, &[Int(i64::MAX), Int(i64::MAX)], false)),
            "process -1 is not on the grid of 9223372036854775807 x 9223372036854775807 processes"
        );
        assert_eq!(
            told(grid_left(0, &[Int(-4), Int(-3)], true)),
            "a grid of -4 x -3 processes is empty: each size must be at least 1"
        );
    }
}
