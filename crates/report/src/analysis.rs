//! Analyzes the trace of a run.
//!
//! Everything is computed in passes over the rows of the trace: forward for sums, and backward for
//! the critical path. Memory use grows with the number of processes, not with the number of rows.
//!
//! | module | computes |
//! |---|---|
//! | [`totals`] | the time of each process and each element, by activity |
//! | `teams` | the share of a thread in its process's time |
//! | [`balance`] | load balance and efficiencies |
//! | [`messages`] | both ends of each message |
//! | [`matrix`] | the traffic between each two processes |
//! | [`utilization`] | the use of the CPUs and the links over time |
//! | [`availability`] | the bandwidth that messages find on links that they share |
//! | [`series`] | quantities over time, in intervals |
//! | [`path`] | the critical path and its parts |

pub mod availability;
pub mod balance;
pub mod matrix;
pub mod messages;
pub mod path;
pub mod rows;
pub mod series;
pub(crate) mod teams;
pub mod ticks;
pub mod totals;
pub mod utilization;
