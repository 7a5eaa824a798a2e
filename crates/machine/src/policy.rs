//! Policies of the CPUs of a node: sharing among units, and use by a waiting unit.

use std::fmt;

use crate::quantity::engineering;

/// Discipline by which the units of a node share its CPUs when there are more units than CPUs.
///
/// With enough CPUs, all disciplines are equal: each unit computes immediately and at full speed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum CpuDiscipline {
    /// First come, first served; requests of one instant by process and thread.
    #[default]
    Fcfs,
    /// In turns: a unit that has computed for the quantum while others wait goes to the end of the
    /// queue. A unit that requests a CPU at that very time comes before it.
    RoundRobin {
        /// The longest turn, in seconds, above 0.
        quantum_s: f64,
    },
    /// All at the same time, each at the rate `min(1, CPUs / units)`.
    ProcessorSharing,
}

impl CpuDiscipline {
    /// Default quantum: 10 ms.
    pub const DEFAULT_QUANTUM_S: f64 = 0.01;

    /// Names of all disciplines.
    pub const NAMES: [&str; 3] = ["fcfs", "round-robin", "processor-sharing"];

    /// Finds the discipline of a name, with that quantum if it has one.
    pub fn of_name(name: &str, quantum_s: f64) -> Option<Self> {
        let all = [
            Self::Fcfs,
            Self::RoundRobin { quantum_s },
            Self::ProcessorSharing,
        ];
        all.into_iter().find(|discipline| discipline.name() == name)
    }

    /// Name.
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

/// Use of its CPU by a unit that waits for others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WaitPolicy {
    /// The unit has a CPU only while it computes.
    #[default]
    Release,
    /// The unit keeps a CPU from its start to its end, as an MPI that waits by polling does. Units
    /// for which there is no CPU start when another has ended.
    Hold,
}

impl WaitPolicy {
    /// Names of both policies.
    pub const NAMES: [&str; 2] = ["release", "hold"];

    /// Finds the policy of a name.
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
