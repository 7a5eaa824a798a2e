//! What the trace of a run says.
//!
//! All of it is computed in passes over the trace's rows, forward for sums and backward for the
//! critical path, in memory that grows with the processes and not with the rows.
//!
//! | module | computes |
//! |---|---|
//! | [`totals`] | how each process and each element spent its time |
//! | `teams` | of how many parts of its process's time a thread's is one |
//! | [`balance`] | load balance and efficiencies |
//! | [`messages`] | both ends of each message |
//! | [`matrix`] | who sent how much to whom |
//! | [`utilization`] | how busy the CPUs and the links were over time |
//! | [`series`] | what is over time, in intervals |
//! | [`path`] | the critical path and what it is made of |

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
