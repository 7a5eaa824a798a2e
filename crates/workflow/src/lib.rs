//! Workflows: tasks and files, predicted on hosts, storage and networks.
//!
//! | module | is |
//! |---|---|
//! | `problem` | problems of workflows and machines, as users read them |
//! | `graph` | workflows: tasks, files, and who waits for whom |

mod graph;
mod problem;

pub use graph::{Cost, Draft, FileId, Task, TaskId, Workflow};
pub use problem::{Problem, quoted};
