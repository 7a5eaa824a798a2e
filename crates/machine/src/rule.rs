//! Defines the rules that `auto` follows to choose the algorithm of a collective.

use super::algorithm::Algorithm;
use super::operation::Operation;
use crate::quantity::{ParseError, among, parse_error, quoted};

use Algorithm as A;

const KIB: u64 = 1024;

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Rule {
        #[default]
        Mpich = "mpich",
        /// `SimGrid`'s default selector.
        SimGrid = "simgrid",
        /// NCCL on Ampere, for the collectives that NCCL supports.
        NcclAmpere = "nccl-ampere",
        /// NCCL on Hopper.
        NcclHopper = "nccl-hopper",
        /// NCCL on Blackwell.
        NcclBlackwell = "nccl-blackwell",
    }
}

impl Rule {
    /// The key in place of a collective's name, as in `--collective rule=simgrid`.
    pub(super) const KEY: &str = "rule";

    /// Parses the name of a rule.
    ///
    /// # Errors
    ///
    /// Returns an error if no rule has this name.
    pub fn read(name: &str) -> Result<Self, ParseError> {
        Self::of_name(name).ok_or_else(|| {
            let names = among(name, Self::ALL.map(Self::name));
            parse_error!("unknown rule `{}` {names}", quoted(name))
        })
    }

    #[inline]
    pub(super) fn choose(self, operation: Operation, ranks: u32, bytes: u64) -> Algorithm {
        match self {
            Self::Mpich => Algorithm::auto(operation, ranks, bytes),
            Self::SimGrid => simgrid(operation, ranks, bytes),
            Self::NcclAmpere | Self::NcclHopper | Self::NcclBlackwell => {
                let nccl = self.formula(operation);
                nccl.unwrap_or_else(|| Algorithm::auto(operation, ranks, bytes))
            }
        }
    }

    /// Returns the formula that the rule chooses for a collective of any size; `None` if it chooses
    /// an algorithm.
    pub(super) fn formula(self, operation: Operation) -> Option<Algorithm> {
        let nccl = match self {
            Self::Mpich | Self::SimGrid => return None,
            Self::NcclAmpere => A::NcclAmpere,
            Self::NcclHopper => A::NcclHopper,
            Self::NcclBlackwell => A::NcclBlackwell,
        };
        let has_it = Algorithm::formulas(operation).contains(&nccl);
        has_it.then_some(nccl)
    }
}

/// Chooses the algorithm as `SimGrid` 3.32 to 4 do (`src/smpi/colls/smpi_default_selector.cpp`).
fn simgrid(operation: Operation, ranks: u32, bytes: u64) -> Algorithm {
    match operation {
        Operation::Broadcast => A::Binomial,
        Operation::Barrier
        | Operation::Reduce
        | Operation::Gather
        | Operation::Scatter
        | Operation::AllGather => A::Linear,
        Operation::AllReduce | Operation::ReduceScatter | Operation::Scan => A::SimGrid,
        Operation::AllToAll => all_to_all(ranks, bytes),
    }
}

/// Follows `alltoall__ompi` in `src/smpi/colls/smpi_openmpi_selector.cpp`, but treats algorithms
/// that send the same messages as equal.
fn all_to_all(ranks: u32, bytes: u64) -> Algorithm {
    let bruck = match ranks {
        16..32 => 4..512,
        32..64 | 512..2048 => 0..512,
        64..512 | 2048..4096 => 0..KIB,
        _ => 0..0,
    };
    let pairwise = match ranks {
        3..8 => 512 * KIB..KIB * KIB,
        64..256 | 512..1024 => 256 * KIB..u64::MAX,
        256..512 => 32 * KIB..u64::MAX,
        _ => 0..0,
    };
    if bruck.contains(&bytes) {
        A::Bruck
    } else if pairwise.contains(&bytes) {
        A::Pairwise
    } else {
        A::Linear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alltoall_has_the_algorithm_of_its_size() {
        // SimGrid 3.32's choices for 8, 16 and 40 ranks, inferred from its times with each
        // algorithm.
        for (bytes, ranks, algorithm) in [
            (2, 8, A::Linear),
            (700_000, 8, A::Linear),
            (2, 16, A::Linear),
            (100, 16, A::Bruck),
            (400, 16, A::Bruck),
            (600, 16, A::Linear),
            (700_000, 16, A::Linear),
            (400, 40, A::Bruck),
            (600, 40, A::Linear),
            // From its source.
            (600 << 10, 7, A::Pairwise),
            (600, 64, A::Bruck),
            (300 << 10, 64, A::Pairwise),
            (40 << 10, 300, A::Pairwise),
        ] {
            assert_eq!(all_to_all(ranks, bytes), algorithm, "{bytes} {ranks}");
        }
    }

    #[test]
    fn a_rule_is_read_by_its_name() {
        assert_eq!(Rule::read("simgrid").map(Rule::name), Ok("simgrid"));
        let error = Rule::read("simgird").unwrap_err().to_string();
        let expected = "unknown rule `simgird` (mpich, simgrid, nccl-ampere, nccl-hopper, \
                        nccl-blackwell); did you mean `simgrid`?";
        assert_eq!(error, expected);
    }
}
