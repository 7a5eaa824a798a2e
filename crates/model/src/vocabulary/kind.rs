//! Lists the profile's stereotypes in order, with their names.

use super::own::OwnStereotype;

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
            /// All stereotypes, in the order of the profile.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Returns the name in the profile, such as `action+`.
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
    /// Returns `true` if the element contains other elements, whose costs add up to its cost.
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

    /// Returns the stereotype's number, counted from 0. The profile's stereotypes come first,
    /// followed by custom ones.
    pub fn number(self) -> usize {
        match self {
            Self::Own(own) => Self::ALL.len() + own.number,
            // The variants are in the profile's order.
            _ => Self::ALL.binary_search(&self).unwrap_or_default(),
        }
    }
}
