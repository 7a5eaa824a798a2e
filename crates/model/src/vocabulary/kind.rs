//! The stereotypes: their names, their order.

use super::own::OwnStereotype;

/// Declares the stereotypes of the profile, each with its name.
macro_rules! stereotypes {
    ($($variant:ident = $name:literal,)*) => {
        /// The stereotypes of the profile `prophet`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(
            missing_docs,
            reason = "the variants are the profile's own names; `Own` is a user's"
        )]
        pub enum StereotypeKind {
            $($variant,)*
            Own(&'static OwnStereotype),
        }

        impl StereotypeKind {
            /// All stereotypes of the profile, in its order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Name in the profile, as `action+`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Own(own) => own.name,
                }
            }
        }
    };
}

stereotypes! {
    ActionPlus = "action+",
    ActivityPlus = "activity+",
    LoopPlus = "loop+",
    BSend = "bsend",
    NbSend = "nbsend",
    BRecv = "brecv",
    NbRecv = "nbrecv",
    SendRecv = "sendrecv",
    Wait = "wait",
    Broadcast = "broadcast",
    Reduce = "reduce",
    Gather = "gather",
    Scatter = "scatter",
    AllReduce = "allreduce",
    AllGather = "allgather",
    AllToAll = "alltoall",
    ReduceScatter = "reducescatter",
    Scan = "scan",
    Barrier = "barrier",
    Parallel = "parallel",
    ParallelDo = "paralleldo",
    ParallelSections = "parallelsections",
    Critical = "critical",
    Single = "single",
    Master = "master",
    OmpBarrier = "ompbarrier",
    Atomic = "atomic",
    Delay = "delay",
    SendSignal = "sendsignal",
    AcceptSignal = "acceptsignal",
    Kernel = "kernel",
    Copy = "copy",
    Event = "event",
    Synchronize = "synchronize",
    Task = "task",
    File = "file",
    Workflow = "workflow",
}

impl StereotypeKind {
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

    /// Returns its number, from 0: first the stereotypes of the profile in its order, then the
    /// user-defined ones.
    pub fn number(self) -> usize {
        match self {
            Self::Own(own) => Self::ALL.len() + own.number,
            // The variants are declared in the order of the profile.
            _ => Self::ALL.binary_search(&self).unwrap_or_default(),
        }
    }
}
