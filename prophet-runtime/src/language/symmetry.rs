//! Defines the symmetries of programs: shifts that map ranks to ranks.

const DIMENSIONS_MAX: usize = 3;

/// A set of shifts, which map ranks to ranks. For each rank, the set contains exactly one shift
/// that maps rank 0 to that rank.
///
/// All shifts commute, and the set contains the inverse of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// The ranks of a ring. A shift adds a number, modulo the number of ranks.
    Ring,
    /// The corners of a hypercube. A shift flips some of the rank's bits.
    Cube,
    /// A periodic grid of these sizes. The first coordinate varies fastest.
    Torus([u32; DIMENSIONS_MAX]),
}

impl Symmetry {
    /// Returns the rank that the inverse shift maps rank 0 to, if the shift itself maps rank 0 to
    /// `shifted`. When all ranks send along the shift, rank 0 receives from this rank.
    pub(crate) fn inverse(self, shifted: u32, ranks: u32) -> u32 {
        match self {
            Self::Ring if shifted == 0 => 0,
            Self::Ring => ranks - shifted,
            Self::Cube => shifted,
            Self::Torus(sizes) => {
                let (mut rest, mut stride, mut inverse) = (shifted, 1, 0);
                for size in sizes {
                    inverse += (size - rest % size) % size * stride;
                    rest /= size;
                    stride *= size;
                }
                inverse
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_shift() {
        let torus = Symmetry::Torus([4, 3, 2]);
        for (symmetry, shifted, inverse) in [
            (Symmetry::Ring, 0, 0),
            (Symmetry::Ring, 5, 19),
            (Symmetry::Cube, 5, 5),
            (torus, 0, 0),
            (torus, 1, 3),
            (torus, 4, 8),
            (torus, 12, 12),
            (torus, 1 + 4 + 12, 3 + 8 + 12),
        ] {
            assert_eq!(symmetry.inverse(shifted, 24), inverse, "{symmetry:?}");
            assert_eq!(symmetry.inverse(inverse, 24), shifted, "{symmetry:?}");
        }
    }
}
