//! The collectives there are, and what a rank asks of one.

use std::fmt;

/// The collectives there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Operation {
    /// Each rank gets a block of every other's.
    AllGather,
    /// A vector of each rank, combined, for all.
    AllReduce,
    /// A block from every rank to every other.
    AllToAll,
    /// Nobody leaves before all have come.
    Barrier,
    /// A vector from one rank to all.
    Broadcast,
    /// A block from every rank to one.
    Gather,
    /// A vector of each rank, combined, for one.
    Reduce,
    /// A vector of each rank, combined, a part of it for each.
    ReduceScatter,
    /// A vector of each rank, combined with those of all ranks before it.
    Scan,
    /// A block from one rank to each.
    Scatter,
}

impl Operation {
    /// All of them, by name, each at the place that its number names.
    pub(crate) const ALL: [Self; 10] = [
        Self::AllGather,
        Self::AllReduce,
        Self::AllToAll,
        Self::Barrier,
        Self::Broadcast,
        Self::Gather,
        Self::Reduce,
        Self::ReduceScatter,
        Self::Scan,
        Self::Scatter,
    ];

    /// The stereotype.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::AllGather => "allgather",
            Self::AllReduce => "allreduce",
            Self::AllToAll => "alltoall",
            Self::Barrier => "barrier",
            Self::Broadcast => "broadcast",
            Self::Gather => "gather",
            Self::Reduce => "reduce",
            Self::ReduceScatter => "reducescatter",
            Self::Scan => "scan",
            Self::Scatter => "scatter",
        }
    }

    /// The collective of that name.
    pub(crate) fn of_kind(kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.kind() == kind)
    }

    /// Whether one of its ranks is the root.
    pub(crate) const fn is_rooted(self) -> bool {
        matches!(
            self,
            Self::Broadcast | Self::Gather | Self::Reduce | Self::Scatter
        )
    }

    /// Whether its size is that of one block, of which there is one for each rank; else it is that
    /// of the whole vector.
    pub(crate) const fn has_blocks(self) -> bool {
        matches!(
            self,
            Self::AllGather | Self::AllToAll | Self::Gather | Self::Scatter
        )
    }
}

/// What one rank asks of a collective: all ranks have to ask the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) operation: Operation,
    /// The root of a rooted collective as a rank of the communicator, else 0.
    pub(crate) root: u32,
    pub(crate) bytes: u64,
    /// Whether the ranks name its price.
    pub(crate) priced: bool,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, root, .. } = self;
        f.write_str(self.operation.kind())?;
        if self.operation != Operation::Barrier {
            write!(f, " of {bytes} bytes")?;
        }
        match self.operation {
            Operation::Broadcast | Operation::Scatter => write!(f, " from {root}")?,
            Operation::Reduce | Operation::Gather => write!(f, " to {root}")?,
            _ => {}
        }
        f.write_str(if self.priced {
            " with a cost"
        } else {
            " without a cost"
        })
    }
}
