//! Compiles and runs the skeleton with the machine's MPI.

use prophet_text::{Problem, problem};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use prophet_result::RunResult;
use serde_json::Value;

use super::limited;
use super::result::{Measurement, ValidateFailure, not_started, read_result, succeeded};

/// How a skeleton spends the time of costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Costs {
    /// Computes for as long as the cost says, as measured on an idle CPU.
    #[default]
    Spin,
    /// Sleeps, so that it needs no CPU.
    Sleep,
}

impl Costs {
    /// Returns the value for the skeleton's flag.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spin => "spin",
            Self::Sleep => "sleep",
        }
    }
}

/// How to run a skeleton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    pub costs: Costs,
    /// How many seconds a cost of one second takes.
    pub scale: f64,
    /// Time limit for each run, because a real program can hang.
    pub timeout: Duration,
}

/// The MPI implementation on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mpi {
    /// Flags that let mpirun start more processes than there are CPUs, with several threads each.
    flags: &'static [&'static str],
}

impl Mpi {
    /// Finds the programs that compile and run MPI programs.
    ///
    /// # Errors
    ///
    /// Returns an error that names the missing program.
    pub fn find() -> Result<Self, Problem> {
        for program in ["make", "mpicc", "mpirun"] {
            if version(program).is_none() {
                return Err(problem!(
                    "{program} is not installed; install MPI, such as Debian's openmpi-bin and \
                     libopenmpi-dev, and make"
                ));
            }
        }
        let is_open_mpi = version("mpirun").is_some_and(|it| it.contains("Open MPI"));
        let flags: &[&str] = if is_open_mpi {
            &["--oversubscribe", "--bind-to", "none"]
        } else {
            &[]
        };
        Ok(Self { flags })
    }

    /// Returns the flags with which `mpirun` starts this number of processes, even if the machine
    /// has fewer CPUs.
    pub fn flags(&self, processes: u32) -> Vec<String> {
        let flags = self.flags.iter().map(|it| (*it).to_owned());
        flags
            .chain(["-np".to_owned(), processes.to_string()])
            .collect()
    }

    /// Compiles the skeleton in `folder`.
    ///
    /// # Errors
    ///
    /// Returns an error if make fails, after make has printed the reason.
    pub fn build(&self, folder: &Path) -> Result<CompiledSkeleton, ValidateFailure> {
        let status = Command::new("make")
            .args(["--silent", "-C"])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .map_err(|error| ValidateFailure::new(1, format!("cannot start make: {error}")))?;
        if !status.success() {
            let problem = format!("make could not build {}", folder.display());
            return Err(ValidateFailure::new(1, problem));
        }
        Ok(CompiledSkeleton {
            mpi: self.clone(),
            program: folder.join("skeleton"),
        })
    }

    /// Compiles a C program with a single source file, with optimization.
    ///
    /// # Errors
    ///
    /// Returns an error if mpicc fails, after mpicc has printed the reason.
    pub fn compile(&self, source: &Path, program: &Path) -> Result<(), ValidateFailure> {
        let mut command = Command::new("mpicc");
        command.args(["-O2", "-o"]).arg(program).arg(source);
        let status = command
            .stdin(Stdio::null())
            .status()
            .map_err(|error| not_started(&command, &error))?;
        succeeded(&command, status)
    }

    /// Runs a program with `processes` processes, and returns its output.
    ///
    /// # Errors
    ///
    /// Returns an error if the program can't be started, fails, or exceeds the time limit.
    pub fn output(
        &self,
        program: &Path,
        arguments: &[String],
        processes: u32,
        timeout: Duration,
    ) -> Result<Vec<u8>, ValidateFailure> {
        let mut command = Command::new("mpirun");
        command
            .args(self.flags(processes))
            .arg(program)
            .args(arguments);
        limited::run(&mut command, timeout)
    }
}

/// Returns the version that a program prints; `None` if it isn't installed.
fn version(program: &str) -> Option<String> {
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledSkeleton {
    mpi: Mpi,
    program: PathBuf,
}

impl CompiledSkeleton {
    /// Runs the skeleton with the system, parameters and seed of a prediction. Prices of operations
    /// come from the file `machine`.
    ///
    /// # Errors
    ///
    /// Returns an error if the skeleton can't be started, fails, exceeds the time limit, or prints
    /// no result.
    pub fn run(
        &self,
        as_in: &RunResult<'_>,
        machine: Option<&Path>,
        manner: Manner,
    ) -> Result<Measurement, ValidateFailure> {
        let system = as_in.system;
        let mut command = Command::new("mpirun");
        command
            .args(self.mpi.flags(system.processes))
            .arg(&self.program)
            .arg(format!("--nodes={}", system.nodes))
            .arg(format!("--cpus-per-node={}", system.cpus_per_node))
            .arg(format!("--threads={}", system.threads))
            .arg(format!("--seed={}", as_in.seed))
            .arg(format!("--costs={}", manner.costs.name()))
            .arg(format!("--scale={}", manner.scale));
        let nodes: Vec<String> = as_in
            .processes
            .iter()
            .map(|it| it.nid.to_string())
            .collect();
        if !nodes.is_empty() {
            command.arg(format!("--mapping={}", nodes.join(",")));
        }
        if let Some(machine) = machine {
            command.arg("--machine").arg(machine);
        }
        for (name, value) in as_in.parameters.iter() {
            let value = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            command.arg("--set").arg(format!("{name}={value}"));
        }
        let printed = limited::run(&mut command, manner.timeout)?;
        read_result(&printed, "the skeleton's output")
    }
}
