//! Explains the result of a run: [`analysis`] determines what the time in a trace was spent on,
//! [`page`] renders the HTML report, and [`of_trace`] builds the report's data from a trace.
//!
//! Every generated program contains this library for its flag `--report`. Code that only the
//! `report` command needs requires the feature `command`.
//!
//! | module | is |
//! |---|---|
//! | `analysis` | sums, the matrix, utilization, the critical path of a trace |
//! | `order` | order of rows by size |
//! | `page` | the HTML page: its data, its scripts and style sheets |
//! | `thinned` | a list of limited length that stands for one of any length |
//! | `fill` | the data of a page, from a trace |
//! | `command` | the command `report`: findings as text or JSON, of several runs compared |

pub mod analysis;
#[cfg(feature = "command")]
pub mod command;
mod fill;
mod order;
pub mod page;
mod thinned;

pub use fill::{DRAWN, Extras, PARTIAL, of_trace};
pub use page::write_page;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
