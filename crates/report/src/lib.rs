//! Explains the result of a run: [`analysis`] says where the time of a trace went, [`page`] is the
//! HTML report, and [`of_trace`] is what it shows of a trace.
//!
//! Every generated program compiles this library, for its `--report`; what only `cargo xtask
//! report` needs is in the program `prophet-report`.
//!
//! | module | is |
//! |---|---|
//! | `analysis` | what a trace says: sums, the matrix, utilization, the critical path |
//! | `fill` | what a page shows of a trace |
//! | `page` | the HTML page: its data, its scripts and style sheets |

pub mod analysis;
mod fill;
mod order;
pub mod page;

pub use fill::{Extras, PARTIAL, of_trace};
pub use page::write_page;
