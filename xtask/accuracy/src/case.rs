//! Cases, in the order of the table.

use crate::{
    Places, Row, bandwidth, evaluation, kernel6, lapw0, laws, loops, sets, stencil, training,
    transpose, workflows,
};

/// A kind of program, or of data, that predictions of are checked.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Name in the first column, and in the marks around its part of the page.
    pub name: &'static str,
    /// Dependence of its figures on the machine.
    pub kind: Kind,
    /// Gives its figures, or the reason why they can't be had here.
    pub run: fn(&Places) -> Result<Found, String>,
}

/// Things that the figures of a case depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The project alone: a test checks that the page has them.
    Computed,
    /// The project alone, but a test would take minutes.
    Long,
    /// The machine: the page says which one.
    Measured,
}

/// Figures of a case.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Rows of the table.
    pub rows: Vec<Row>,
    /// The case's own part of the page, in Markdown; empty for none.
    pub details: String,
}

/// All cases.
pub const CASES: &[Case] = &[
    Case {
        name: "LAPW0",
        kind: Kind::Computed,
        run: lapw0::found,
    },
    Case {
        name: "Scaling sets",
        kind: Kind::Computed,
        run: sets::found,
    },
    Case {
        name: "Random laws",
        kind: Kind::Long,
        run: laws::found,
    },
    Case {
        name: "Megatron-LM",
        kind: Kind::Computed,
        run: training::found,
    },
    Case {
        name: "Training",
        kind: Kind::Computed,
        run: training::found_held_out,
    },
    Case {
        name: "Workflows",
        kind: Kind::Computed,
        run: workflows::found,
    },
    Case {
        name: "Cores of a node",
        kind: Kind::Computed,
        run: bandwidth::found,
    },
    Case {
        name: "Livermore kernel 6",
        kind: Kind::Measured,
        run: kernel6::found,
    },
    Case {
        name: "Loops of a CPU",
        kind: Kind::Measured,
        run: loops::found,
    },
    Case {
        name: "Programs with MPI",
        kind: Kind::Measured,
        run: stencil::found,
    },
    Case {
        name: "Transposition with MPI",
        kind: Kind::Measured,
        run: transpose::found,
    },
    Case {
        name: "Evaluation",
        kind: Kind::Measured,
        run: evaluation::found,
    },
];
