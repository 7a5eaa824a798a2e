//! Lists the cases, in the order of the table.

use crate::{
    Places, Row, bandwidth, evaluation, kernel6, lapw0, laws, loops, nccl, sets, stencil, training,
    transpose, workflows,
};

/// A kind of program or data whose predictions are checked.
#[derive(Debug, Clone, Copy)]
pub struct AccuracyCase {
    /// Name in the first column of the table, and in the marks around the case's part of the page.
    pub name: &'static str,
    /// What the figures of the case depend on.
    pub kind: Kind,
    /// Computes the figures of the case, or returns the reason why that isn't possible here.
    pub run: fn(&Places) -> Result<Found, String>,
}

/// What the figures of a case depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Only on the project: a test compares the page with them.
    Computed,
    /// Only on the project, but a test would take minutes.
    Long,
    /// On the machine: the page says which one.
    Measured,
}

/// The figures of a case.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The case's rows in the table.
    pub rows: Vec<Row>,
    /// The case's own part of the page, in Markdown; can be empty.
    pub details: String,
}

/// All cases whose figures are on the page.
pub const CASES: &[AccuracyCase] = &[
    AccuracyCase {
        name: "LAPW0",
        kind: Kind::Computed,
        run: lapw0::found,
    },
    AccuracyCase {
        name: "Scaling sets",
        kind: Kind::Computed,
        run: sets::found,
    },
    AccuracyCase {
        name: "Random laws",
        kind: Kind::Long,
        run: laws::found,
    },
    AccuracyCase {
        name: "Megatron-LM",
        kind: Kind::Computed,
        run: training::found,
    },
    AccuracyCase {
        name: "Training",
        kind: Kind::Computed,
        run: training::found_held_out,
    },
    AccuracyCase {
        name: "Workflows",
        kind: Kind::Computed,
        run: workflows::found,
    },
    AccuracyCase {
        name: "NCCL",
        kind: Kind::Computed,
        run: nccl::found,
    },
    AccuracyCase {
        name: "Cores of a node",
        kind: Kind::Computed,
        run: bandwidth::found,
    },
    AccuracyCase {
        name: "Livermore kernel 6",
        kind: Kind::Measured,
        run: kernel6::found,
    },
    AccuracyCase {
        name: "CPU loops",
        kind: Kind::Measured,
        run: loops::found,
    },
    AccuracyCase {
        name: "MPI programs",
        kind: Kind::Measured,
        run: stencil::found,
    },
    AccuracyCase {
        name: "MPI transposition",
        kind: Kind::Measured,
        run: transpose::found,
    },
    AccuracyCase {
        name: "Evaluation",
        kind: Kind::Measured,
        run: evaluation::found,
    },
];
