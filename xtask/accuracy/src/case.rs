//! Lists the cases in the order of the table.

use crate::{
    Places, Row, bandwidth, evaluation, kernel6, lapw0, laws, loops, nccl, sets, stencil, training,
    transpose, workflows,
};

/// A kind of program or data with predictions to check.
#[derive(Debug, Clone, Copy)]
pub struct AccuracyCase {
    /// Name in the first column, and in the marks around its part of the page.
    pub name: &'static str,
    /// What its figures depend on.
    pub kind: Kind,
    /// Computes its figures, or returns the reason why that isn't possible here.
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
    /// Rows of the table.
    pub rows: Vec<Row>,
    /// The case's own part of the page, in Markdown; may be empty.
    pub details: String,
}

/// All cases.
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
