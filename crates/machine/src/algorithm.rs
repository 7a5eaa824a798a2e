//! Defines the algorithms of collectives, and chooses among them as MPICH does.

use super::operation::Operation;

prophet_text::named_enum! {
    /// The algorithm of a collective. A collective that has its own cost doesn't use one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Algorithm {
        /// A formula: all processes leave a fixed time after the last one has arrived.
        Analytic = "analytic",
        /// Messages along a binomial tree.
        Binomial = "binomial",
        /// Bruck's algorithm: blocks travel together.
        Bruck = "bruck",
        /// In each step, sends to one rank and receives from another; their distance doubles from
        /// step to step.
        Dissemination = "dissemination",
        /// Direct messages, in rank order.
        Linear = "linear",
        /// NCCL's own model, for NVIDIA GPUs of the Ampere generation.
        NcclAmpere = "nccl-ampere",
        /// NCCL's model for Hopper.
        NcclHopper = "nccl-hopper",
        /// NCCL's model for Blackwell.
        NcclBlackwell = "nccl-blackwell",
        /// Exchanges with every other rank, one at a time.
        Pairwise = "pairwise",
        /// Rabenseifner's algorithm: the vector is halved repeatedly, and then reassembled.
        Rabenseifner = "rabenseifner",
        /// Exchanges with partners at distances that double from step to step.
        RecursiveDoubling = "recursive-doubling",
        /// Exchanges of half vectors with partners at distances that halve from step to step.
        RecursiveHalving = "recursive-halving",
        /// Every rank sends to its neighbor.
        Ring = "ring",
        /// The algorithm of `SimGrid`'s default selector. Messages go through rank 0, or to all
        /// higher ranks.
        SimGrid = "simgrid",
    }
}

use Algorithm as A;

impl Algorithm {
    /// Lists the formulas that can price a collective.
    #[inline]
    pub const fn formulas(operation: Operation) -> &'static [Self] {
        const ALL: [Algorithm; 4] = [A::Analytic, A::NcclAmpere, A::NcclHopper, A::NcclBlackwell];
        match operation {
            Operation::AllGather
            | Operation::AllReduce
            | Operation::Broadcast
            | Operation::Reduce
            | Operation::ReduceScatter => &ALL,
            _ => &[A::Analytic],
        }
    }

    /// Returns `true` if the algorithm is a formula, which computes the time without sending
    /// messages.
    pub const fn is_formula(self) -> bool {
        matches!(
            self,
            A::Analytic | A::NcclAmpere | A::NcclHopper | A::NcclBlackwell
        )
    }

    /// Lists the algorithms of a collective that send messages.
    #[inline]
    pub const fn of(operation: Operation) -> &'static [Self] {
        match operation {
            Operation::AllGather => &[A::Linear, A::RecursiveDoubling, A::Ring, A::Bruck],
            Operation::AllReduce => &[
                A::Linear,
                A::Binomial,
                A::RecursiveDoubling,
                A::Ring,
                A::Rabenseifner,
                A::SimGrid,
            ],
            Operation::AllToAll => &[A::Linear, A::Pairwise, A::Bruck],
            Operation::Barrier => &[
                A::Linear,
                A::Binomial,
                A::RecursiveDoubling,
                A::Dissemination,
            ],
            Operation::Broadcast => &[A::Linear, A::Binomial, A::RecursiveDoubling, A::Ring],
            Operation::Gather | Operation::Scatter => &[A::Linear, A::Binomial],
            Operation::Reduce => &[A::Linear, A::Binomial, A::Rabenseifner],
            Operation::ReduceScatter => &[
                A::Linear,
                A::RecursiveHalving,
                A::Ring,
                A::Pairwise,
                A::SimGrid,
            ],
            Operation::Scan => &[A::Linear, A::RecursiveDoubling, A::SimGrid],
        }
    }

    /// Chooses the algorithm that `auto` uses for a collective of `bytes` bytes among `ranks`
    /// ranks. The choice is the same as in MPICH 3.3.2 (`MPIR_*_intra_auto` in `src/mpi/coll`) for
    /// contiguous data with one-byte elements, commutative operations, and a network that doesn't
    /// distinguish nodes.
    #[expect(clippy::match_same_arms, reason = "the collectives in order")]
    #[inline]
    pub fn auto(operation: Operation, ranks: u32, bytes: u64) -> Self {
        // The largest power of two up to the number of ranks.
        let core = 1_u64 << ranks.max(1).ilog2();
        let all_bytes = bytes.saturating_mul(u64::from(ranks));
        match operation {
            Operation::Broadcast if bytes < 12_288 || ranks < 8 => A::Binomial,
            Operation::Broadcast if bytes < 524_288 && ranks.is_power_of_two() => {
                A::RecursiveDoubling
            }
            Operation::Broadcast => A::Ring,
            Operation::Reduce if bytes <= 2048 || bytes < core => A::Binomial,
            Operation::Reduce => A::Rabenseifner,
            Operation::AllReduce if bytes <= 2048 || bytes < core => A::RecursiveDoubling,
            Operation::AllReduce => A::Rabenseifner,
            Operation::AllGather if all_bytes < 524_288 && ranks.is_power_of_two() => {
                A::RecursiveDoubling
            }
            Operation::AllGather if all_bytes < 81_920 => A::Bruck,
            Operation::AllGather => A::Ring,
            Operation::AllToAll if bytes <= 256 && ranks >= 8 => A::Bruck,
            Operation::AllToAll if bytes <= 32_768 => A::Linear,
            Operation::AllToAll => A::Pairwise,
            Operation::ReduceScatter if bytes < 524_288 => A::RecursiveHalving,
            Operation::ReduceScatter => A::Pairwise,
            Operation::Gather | Operation::Scatter => A::Binomial,
            Operation::Scan => A::RecursiveDoubling,
            Operation::Barrier => A::Dissemination,
        }
    }
}
