//! Algorithms of collectives: which exist, which fit a collective, and which MPICH chooses.

use super::operation::Operation;

prophet_text::named_enum! {
    /// Algorithm of a collective without a cost.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Algorithm {
        /// By a formula: all processes leave that long after the last has come.
        Analytic = "analytic",
        /// Along a binomial tree.
        Binomial = "binomial",
        /// Bruck's: blocks travel together.
        Bruck = "bruck",
        /// To a rank at a doubling distance, from one at the same distance.
        Dissemination = "dissemination",
        /// Directly, in rank order.
        Linear = "linear",
        /// By NCCL's own model, for GPUs of NVIDIA's generation Ampere.
        NcclAmpere = "nccl-ampere",
        /// NCCL's model for Hopper.
        NcclHopper = "nccl-hopper",
        /// NCCL's model for Blackwell.
        NcclBlackwell = "nccl-blackwell",
        /// With each rank in turn.
        Pairwise = "pairwise",
        /// Rabenseifner's: the vector halved and put together again.
        Rabenseifner = "rabenseifner",
        /// With partners at doubling distances.
        RecursiveDoubling = "recursive-doubling",
        /// With partners at halving distances, for halves of the vector.
        RecursiveHalving = "recursive-halving",
        /// From neighbor to neighbor.
        Ring = "ring",
        /// As `SimGrid`'s default selector: through rank 0, or to all ranks behind.
        SimGrid = "simgrid",
    }
}

use Algorithm as A;

impl Algorithm {
    /// Lists the algorithms of a collective that are formulas.
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

    /// True if a formula tells the time, and no messages are sent.
    pub const fn is_formula(self) -> bool {
        matches!(
            self,
            A::Analytic | A::NcclAmpere | A::NcclHopper | A::NcclBlackwell
        )
    }

    /// Lists the message-based algorithms of a collective.
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

    /// Chooses the algorithm that `auto` stands for, for a collective of `bytes` among `ranks`. The
    /// choice is MPICH 3.3.2's (`MPIR_*_intra_auto` in `src/mpi/coll`) for contiguous data,
    /// commutative operations and a network that does not distinguish nodes, with a byte as an
    /// element.
    #[expect(clippy::match_same_arms, reason = "the collectives in order")]
    #[inline]
    pub fn auto(operation: Operation, ranks: u32, bytes: u64) -> Self {
        // The largest power of two among the ranks.
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
