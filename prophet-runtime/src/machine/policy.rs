//! How units share the CPUs of a node, and what a waiting one does with its own.

use std::fmt;

use crate::language::quantity::engineering;

/// How the units of a node share its CPUs when there are more units than CPUs.
///
/// While there are not, all of them are the same: each unit computes at once and at full speed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum CpuDiscipline {
    /// First come, first served; those of one instant by process and thread.
    #[default]
    Fcfs,
    /// In turns: who has computed for the quantum while others wait goes to the end of the queue.
    /// Who asks at that very time comes before.
    RoundRobin {
        /// The longest turn, in seconds, above 0.
        quantum_s: f64,
    },
    /// All at once, each at the rate `min(1, CPUs / units)`.
    ProcessorSharing,
}

impl CpuDiscipline {
    /// The quantum when nobody gives one: 10 ms.
    pub const DEFAULT_QUANTUM_S: f64 = 0.01;

    /// The names of all.
    pub(crate) const NAMES: [&str; 3] = ["fcfs", "round-robin", "processor-sharing"];

    /// The discipline of a name, with that quantum if it has one.
    pub(crate) fn of_name(name: &str, quantum_s: f64) -> Option<Self> {
        let all = [
            Self::Fcfs,
            Self::RoundRobin { quantum_s },
            Self::ProcessorSharing,
        ];
        all.into_iter().find(|discipline| discipline.name() == name)
    }

    /// Its name.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Fcfs => Self::NAMES[0],
            Self::RoundRobin { .. } => Self::NAMES[1],
            Self::ProcessorSharing => Self::NAMES[2],
        }
    }
}

impl fmt::Display for CpuDiscipline {
    /// As the flags have it.
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

/// What a unit that waits for others does with its CPU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WaitPolicy {
    /// It has a CPU only while it computes.
    #[default]
    Release,
    /// It keeps a CPU from its start to its end, as an MPI that waits by polling does. Units for
    /// which there is no CPU start when another has ended.
    Hold,
}

impl WaitPolicy {
    /// The names of both.
    pub(crate) const NAMES: [&str; 2] = ["release", "hold"];

    /// The policy of a name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
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
