//! The command `fit`: from files of measurements to cost functions in models.
//!
//! What is measured is read by `prophet-measurements`, and fitted by `prophet-fit`; this crate
//! chooses, shows and writes.
//!
//! | module | is |
//! |---|---|
//! | [`command`] | the command line |
//! | `chosen` | the measurements that the user chose |
//! | `fitted` | a cost function with all that is said of it |
//! | `names` | names of parameters and elements as those of the cost language |
//! | `table`, `json` | what is found, for people and for programs |
//! | `page`, `plot` | a page with curves, and its drawings |
//! | `insertion` | a cost function in the file of a model |
//! | `parameters` | parameters of a model or machine, fitted to times of whole runs |
//! | `distribution` | a variate for times that vary |

mod chosen;
pub mod command;
mod distribution;
mod fitted;
mod insertion;
mod json;
mod names;
mod page;
mod parameters;
mod plot;
mod table;
