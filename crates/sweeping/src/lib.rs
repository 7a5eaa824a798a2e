//! The command `sweep`: many predictions of a model, to explore designs.
//!
//! Points are evaluated by `prophet-sweep`; this crate reads the command line and the model, and
//! writes what is found.
//!
//! | module | is |
//! |---|---|
//! | [`command`] | the command line |
//! | `cluster` | sweeps in chunks, for clusters |
//! | `study` | a model with the points at which it is evaluated |
//! | `subject` | the model, checked and ready to be interpreted |
//! | `goal` | the least value, the best compromises, what matters |
//! | `rows` | the evaluation of points, whose rows go to a file |
//! | `readers` | what else takes rows: goals, and the page |
//! | `records` | results in full, as a repository keeps them |
//! | `output` | rows as CSV, JSON Lines or a table |
//! | `keeping` | rows of a sweep that is not done yet |
//! | `page` | the HTML page of `--report` |
//! | `progress` | the line on the terminal that tells how far it has come |
//! | `interrupt` | Ctrl-C |

mod cluster;
pub mod command;
mod goal;
mod interrupt;
mod keeping;
mod output;
mod page;
mod progress;
mod readers;
mod records;
mod rows;
mod study;
mod subject;
