//! Explains the result of a run: [`analysis`] computes where the time of a trace went, [`page`] is
//! the HTML report, and [`of_trace`] builds its data from a trace.
//!
//! Every generated program compiles this library for its `--report`. Code that only the `report`
//! command needs is behind the feature `command`.
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
