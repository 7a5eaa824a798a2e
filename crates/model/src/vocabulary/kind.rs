//! The stereotypes: their names, their order.

use super::OwnStereotype;

/// The stereotypes of the profile `prophet`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the variants are the profile's own names; `Own` is a user's"
)]
pub enum StereotypeKind {
    ActionPlus,
    ActivityPlus,
    LoopPlus,
    BSend,
    NbSend,
    BRecv,
    NbRecv,
    SendRecv,
    Wait,
    Broadcast,
    Reduce,
    Gather,
    Scatter,
    AllReduce,
    AllGather,
    AllToAll,
    ReduceScatter,
    Scan,
    Barrier,
    Parallel,
    ParallelDo,
    ParallelSections,
    Critical,
    Single,
    Master,
    OmpBarrier,
    Atomic,
    Delay,
    SendSignal,
    AcceptSignal,
    Kernel,
    Copy,
    Event,
    Synchronize,
    Task,
    File,
    Workflow,
    Own(&'static OwnStereotype),
}

impl StereotypeKind {
    /// All stereotypes of the profile, in its order.
    pub const ALL: [Self; 37] = [
        Self::ActionPlus,
        Self::ActivityPlus,
        Self::LoopPlus,
        Self::BSend,
        Self::NbSend,
        Self::BRecv,
        Self::NbRecv,
        Self::SendRecv,
        Self::Wait,
        Self::Broadcast,
        Self::Reduce,
        Self::Gather,
        Self::Scatter,
        Self::AllReduce,
        Self::AllGather,
        Self::AllToAll,
        Self::ReduceScatter,
        Self::Scan,
        Self::Barrier,
        Self::Parallel,
        Self::ParallelDo,
        Self::ParallelSections,
        Self::Critical,
        Self::Single,
        Self::Master,
        Self::OmpBarrier,
        Self::Atomic,
        Self::Delay,
        Self::SendSignal,
        Self::AcceptSignal,
        Self::Kernel,
        Self::Copy,
        Self::Event,
        Self::Synchronize,
        Self::Task,
        Self::File,
        Self::Workflow,
    ];

    /// True if the element has content of its own, which determines the cost.
    pub const fn has_content(self) -> bool {
        matches!(
            self,
            Self::ActivityPlus
                | Self::LoopPlus
                | Self::Parallel
                | Self::ParallelDo
                | Self::ParallelSections
        )
    }

    /// Number, from 0: those of the profile in its order, then the user-defined ones.
    pub fn number(self) -> usize {
        match self {
            Self::Own(own) => Self::ALL.len() + own.number,
            // The variants are declared in the order of the profile.
            _ => Self::ALL.binary_search(&self).unwrap_or_default(),
        }
    }

    /// Name in the profile, as `action+`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ActionPlus => "action+",
            Self::ActivityPlus => "activity+",
            Self::LoopPlus => "loop+",
            Self::BSend => "bsend",
            Self::NbSend => "nbsend",
            Self::BRecv => "brecv",
            Self::NbRecv => "nbrecv",
            Self::SendRecv => "sendrecv",
            Self::Wait => "wait",
            Self::Broadcast => "broadcast",
            Self::Reduce => "reduce",
            Self::Gather => "gather",
            Self::Scatter => "scatter",
            Self::AllReduce => "allreduce",
            Self::AllGather => "allgather",
            Self::AllToAll => "alltoall",
            Self::ReduceScatter => "reducescatter",
            Self::Scan => "scan",
            Self::Barrier => "barrier",
            Self::Parallel => "parallel",
            Self::ParallelDo => "paralleldo",
            Self::ParallelSections => "parallelsections",
            Self::Critical => "critical",
            Self::Single => "single",
            Self::Master => "master",
            Self::OmpBarrier => "ompbarrier",
            Self::Atomic => "atomic",
            Self::Delay => "delay",
            Self::SendSignal => "sendsignal",
            Self::AcceptSignal => "acceptsignal",
            Self::Kernel => "kernel",
            Self::Copy => "copy",
            Self::Event => "event",
            Self::Synchronize => "synchronize",
            Self::Task => "task",
            Self::File => "file",
            Self::Workflow => "workflow",
            Self::Own(own) => own.name,
        }
    }
}
