//! Defines how units share the CPUs of a node, and what waiting units do with their CPUs.

use std::fmt;

use crate::quantity::engineering;

/// How the units of a node share its CPUs if there are more units than CPUs.
///
/// If there are enough CPUs, all disciplines are equivalent: each unit computes immediately and at
/// full speed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum CpuDiscipline {
    /// First come, first served; simultaneous requests are ordered by process and thread number.
    #[default]
    Fcfs,
    /// Units take turns. A unit that has computed for the quantum goes to the end of the queue if
    /// other units are waiting; a unit that requests a CPU at that very time goes before it.
    RoundRobin {
        /// Length of the longest turn, in seconds; above 0.
        quantum_s: f64,
    },
    /// All units compute at the same time, each at the rate `min(1, CPUs / units)`.
    ProcessorSharing,
}

impl CpuDiscipline {
    /// 10 ms.
    pub const DEFAULT_QUANTUM_S: f64 = 0.01;

    pub const NAMES: [&str; 3] = ["fcfs", "round-robin", "processor-sharing"];

    /// Returns the discipline with this name; `None` if the name is unknown. Only round-robin uses
    /// `quantum_s`.
    pub fn of_name(name: &str, quantum_s: f64) -> Option<Self> {
        let all = [
            Self::Fcfs,
            Self::RoundRobin { quantum_s },
            Self::ProcessorSharing,
        ];
        all.into_iter().find(|discipline| discipline.name() == name)
    }

    pub const fn name(&self) -> &'static str {
        match self {
            Self::Fcfs => Self::NAMES[0],
            Self::RoundRobin { .. } => Self::NAMES[1],
            Self::ProcessorSharing => Self::NAMES[2],
        }
    }
}

impl fmt::Display for CpuDiscipline {
    /// Writes the discipline as flags.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::RoundRobin { quantum_s } => {
                write!(f, " --quantum {}", engineering(*quantum_s, "s"))
            }
            Self::Fcfs | Self::ProcessorSharing => Ok(()),
        }
    }
}

/// What a unit does with its CPU while it waits for other units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WaitPolicy {
    /// The unit has a CPU only while it computes.
    #[default]
    Release,
    /// The unit keeps its CPU from start to end, as with an MPI library that polls while it waits.
    /// If no CPU is free, a unit starts only after another one has ended.
    Hold,
}

impl WaitPolicy {
    pub const NAMES: [&str; 2] = ["release", "hold"];

    pub fn of_name(name: &str) -> Option<Self> {
        let both = [Self::Release, Self::Hold];
        both.into_iter().find(|policy| policy.to_string() == name)
    }
}

impl fmt::Display for WaitPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Release => "release",
            Self::Hold => "hold",
        })
    }
}
