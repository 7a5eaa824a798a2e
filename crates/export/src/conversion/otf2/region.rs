//! Determines the paradigm and role of OTF2 regions.
//!
//! Tools use them to divide the time of a run among user code, MPI and OpenMP.

use prophet_trace::{Record, UnitState};

/// A region's paradigm, with the format's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Paradigm {
    User = 1,
    OpenMp = 3,
    Mpi = 4,
}

/// A region's role, with the format's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Role {
    Function = 1,
    Loop = 3,
    Code = 4,
    Parallel = 5,
    Sections = 6,
    Single = 9,
    Master = 11,
    Critical = 12,
    Atomic = 14,
    Barrier = 15,
    ImplicitBarrier = 16,
    OneToAll = 23,
    AllToOne = 24,
    AllToAll = 25,
    OtherCollective = 26,
    PointToPoint = 28,
    Artificial = 31,
}

pub(super) type Meaning = (Paradigm, Role);

/// Returns what an execution of an element with this stereotype means. User-defined elements count
/// as functions.
pub(super) fn of_kind(kind: &str) -> Meaning {
    use Paradigm::{Mpi, OpenMp, User};
    match kind {
        "loop+" => (User, Role::Loop),
        "bsend" | "nbsend" | "brecv" | "nbrecv" | "sendrecv" | "wait" => (Mpi, Role::PointToPoint),
        "broadcast" | "scatter" => (Mpi, Role::OneToAll),
        "reduce" | "gather" => (Mpi, Role::AllToOne),
        "allreduce" | "allgather" | "alltoall" | "reducescatter" => (Mpi, Role::AllToAll),
        "scan" => (Mpi, Role::OtherCollective),
        "barrier" => (Mpi, Role::Barrier),
        "parallel" => (OpenMp, Role::Parallel),
        "paralleldo" => (OpenMp, Role::Loop),
        "parallelsections" | "fork" => (OpenMp, Role::Sections),
        "single" => (OpenMp, Role::Single),
        "master" => (OpenMp, Role::Master),
        "critical" => (OpenMp, Role::Critical),
        "atomic" => (OpenMp, Role::Atomic),
        "ompbarrier" => (OpenMp, Role::Barrier),
        _ => (User, Role::Function),
    }
}

/// Returns `true` if elements with this stereotype can contain a record of another element.
pub(super) fn has_others(kind: Option<&str>, record: &Record) -> bool {
    kind.is_none_or(|kind| match of_kind(kind) {
        (Paradigm::User, _) => kind != "action+",
        // Activities during a wait belong to the elements that started them.
        (Paradigm::Mpi, _) => kind == "wait" && record.began_s().is_none(),
        (Paradigm::OpenMp, role) => !matches!(role, Role::Barrier | Role::Atomic),
    })
}

/// Returns what a record in this state means; `kind` is the stereotype of its element, or `None`
/// outside elements.
pub(super) fn of_state(state: UnitState, kind: Option<&str>) -> Meaning {
    let own = kind.map(of_kind);
    let own_of = |paradigm, other| {
        own.filter(|own| own.0 == paradigm)
            .map_or(other, |own| own.1)
    };
    match state {
        // This is user code, even in an OpenMP region.
        UnitState::Compute => (Paradigm::User, own_of(Paradigm::User, Role::Code)),
        UnitState::Send | UnitState::Receive => (Paradigm::Mpi, Role::PointToPoint),
        UnitState::Collective => (Paradigm::Mpi, own_of(Paradigm::Mpi, Role::OtherCollective)),
        UnitState::Synchronize => (
            Paradigm::OpenMp,
            match own {
                Some((
                    Paradigm::OpenMp,
                    role @ (Role::Critical | Role::Atomic | Role::Barrier),
                )) => role,
                _ => Role::ImplicitBarrier,
            },
        ),
        UnitState::Wait | UnitState::Hold | UnitState::Content => {
            own.unwrap_or((Paradigm::User, Role::Artificial))
        }
    }
}

/// A collective, with the format's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Collective {
    Barrier = 0,
    Broadcast = 1,
    Gather = 2,
    Scatter = 4,
    AllGather = 6,
    AllToAll = 8,
    AllReduce = 11,
    Reduce = 12,
    ReduceScatter = 13,
    Scan = 14,
}

impl Collective {
    pub(super) fn of(kind: &str) -> Option<Self> {
        Some(match kind {
            "barrier" => Self::Barrier,
            "broadcast" => Self::Broadcast,
            "gather" => Self::Gather,
            "scatter" => Self::Scatter,
            "allgather" => Self::AllGather,
            "alltoall" => Self::AllToAll,
            "allreduce" => Self::AllReduce,
            "reduce" => Self::Reduce,
            "reducescatter" => Self::ReduceScatter,
            "scan" => Self::Scan,
            _ => return None,
        })
    }

    /// Returns how many bytes one of `ranks` ranks sends and receives in the operation, including
    /// bytes to itself, if every rank sends `bytes` bytes to every other rank.
    pub(super) fn sizes(self, bytes: u64, rank: u64, ranks: u64, is_root: bool) -> (u64, u64) {
        let times = |ranks: u64| bytes.saturating_mul(ranks);
        let at_root = if is_root { times(ranks) } else { 0 };
        match self {
            Self::Barrier => (0, 0),
            Self::Broadcast | Self::Scatter => (at_root, bytes),
            Self::Gather | Self::Reduce => (bytes, at_root),
            Self::AllGather | Self::AllToAll | Self::AllReduce => (times(ranks), times(ranks)),
            Self::ReduceScatter => (bytes, bytes),
            Self::Scan => (
                times(ranks.saturating_sub(rank)),
                times(rank.saturating_add(1)),
            ),
        }
    }
}
