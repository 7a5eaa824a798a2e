//! Defines traces for callers.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use prophet_files::Output;
use prophet_machine::fabric::Fabric;
use prophet_machine::network::Network;
use prophet_machine::protocol::Nic;
use prophet_machine::system::System;
use prophet_machine::value::Value;
use prophet_trace::{
    ElementTotals, Header, Interfaces, Links, ReadError, Results, TraceReader,
    TracedNetwork as Used,
};

use super::file::File;
use super::{TraceFilter, Tracer};
use crate::kernel::Kernel;
use crate::language::model::Model;
use crate::language::opcode::Opcode;
use crate::results::outcome::{JSON_PROCESSES_MAX, Outcome};

/// A trace for [`Simulation::run_traced`](crate::Simulation::run_traced) to write: its file, and
/// which part of the run it contains.
///
/// The file is an Arrow table, which `prophet_trace::TraceReader` and many other tools can read. If
/// it can't be written, the outcome of the run is still the same, and [`Self::written`] reports the
/// error.
///
/// ```
/// use prophet_runtime::{ActionPlus, Model, Simulation, System, Trace};
///
/// const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
/// const MODEL: Model = Model::new("Work", &[], 1);
/// let folder = std::env::temp_dir().join("prophet-trace-example");
/// std::fs::create_dir_all(&folder)?;
/// let mut trace = Trace::new(folder.join("work.arrow"));
/// let simulation = Simulation::new(&MODEL, System::default());
/// simulation.run_traced(async |ctx| WORK.execute(ctx, 1.5).await, &mut trace)?;
/// assert_eq!(trace.written().ok(), Some(1));
/// std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    is_scratch: bool,
    /// The complete file, once it has been written.
    file: Option<prophet_files::File>,
    filter: TraceFilter,
    /// Maximum number of records. Any after that are dropped.
    most: u64,
    records: u64,
    left_out: Option<LeftOut>,
    error: Option<TraceError>,
}

/// The part of a run that a trace omitted because of [`Trace::at_most`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// The simulated time at which the omitted part begins, in seconds.
    pub from_s: f64,
    /// Number of records that were omitted.
    pub records: u64,
}

/// Why a trace couldn't be written.
#[derive(Debug)]
pub struct TraceError {
    /// The path of the trace, or `None` for a temporary one.
    path: Option<PathBuf>,
    error: io::Error,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = &self.error;
        match &self.path {
            Some(path) => write!(f, "cannot write the trace `{}`: {error}", path.display()),
            None => write!(f, "cannot write its trace: {error}"),
        }
    }
}

impl Error for TraceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

impl Trace {
    /// Creates a trace of the whole run. It replaces the file at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            is_scratch: false,
            file: None,
            filter: TraceFilter::default(),
            most: u64::MAX,
            records: 0,
            left_out: None,
            error: None,
        }
    }

    /// Creates a temporary trace on the same disk as `path`, but without a file name. To read it,
    /// call [`Self::read`].
    pub fn scratch(path: impl Into<PathBuf>) -> Self {
        Self {
            is_scratch: true,
            ..Self::new(path)
        }
    }

    /// Limits the trace to the records that `filter` keeps.
    #[must_use]
    pub fn with_filter(self, filter: TraceFilter) -> Self {
        Self { filter, ..self }
    }

    /// Limits the number of records. In the event engine, the trace ends when it has this many
    /// records, or a few thousand more. Activities that have begun by then are recorded until they
    /// end.
    #[must_use]
    pub fn at_most(self, records: u64) -> Self {
        Self {
            most: records,
            ..self
        }
    }

    /// Returns the part of the run that the trace omitted because of [`Self::at_most`], or `None`
    /// if the trace is complete.
    pub fn left_out(&self) -> Option<LeftOut> {
        self.left_out
    }

    /// Returns the path of the trace.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of records that the run wrote.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace couldn't be written. The file then keeps its old content.
    pub fn written(&self) -> Result<u64, &TraceError> {
        self.error.as_ref().map_or(Ok(self.records), Err)
    }

    /// Begins the trace of a run. It replaces the trace of a run that was given up.
    pub(crate) fn start(
        &mut self,
        model: &Model,
        system: &System,
        values: &[Value],
    ) -> Option<Tracer> {
        let filter = (!self.filter.is_empty()).then(|| self.filter.to_string());
        let header = header(model, system, values, filter);
        // Another engine may repeat the run, and no file must contain both traces.
        let output = if self.is_scratch {
            Output::scratch(&self.path)
        } else {
            Output::spooled(&self.path)
        };
        match output.and_then(|output| File::create(output, &self.path, header)) {
            Ok(file) => {
                let filter = self.filter.clone();
                Some(Tracer::new(system, filter, self.most, Some(file)))
            }
            Err(error) => {
                self.fail(error);
                None
            }
        }
    }

    /// Ends the trace of a run, with its outcome if it has one.
    pub(crate) fn end(
        &mut self,
        tracer: &Tracer,
        kernel: &Kernel<'_>,
        opcodes: &[Opcode],
        outcome: Option<&Outcome>,
    ) {
        let Some(file) = &tracer.file else {
            // The trace couldn't be started, which has been recorded.
            return;
        };
        self.records = tracer.count();
        let (from_s, records) = tracer.filter.left_out();
        self.left_out = (records > 0).then_some(LeftOut { from_s, records });
        let results = Results {
            operations: tracer.used_operations(opcodes),
            ..results(kernel, outcome)
        };
        let fabric = kernel.system.fabric.as_deref();
        match tracer
            .finish(file, results, fabric)
            .and_then(Output::commit)
        {
            Ok(file) => self.file = Some(file),
            Err(error) => self.fail(error),
        }
    }

    /// Opens the trace for reading after it has been written. It needs no file name.
    ///
    /// # Errors
    ///
    /// Returns an error if no trace was written, or if it can't be read.
    pub fn read(&self) -> Result<TraceReader, ReadError> {
        let file = self.file.as_ref().ok_or(ReadError::Truncated)?;
        TraceReader::new(file.try_clone()?)
    }

    fn fail(&mut self, error: io::Error) {
        let path = Some(self.path.clone()).filter(|_| !self.is_scratch);
        self.error = Some(TraceError { path, error });
    }
}

impl Tracer {
    fn finish(
        &self,
        file: &File,
        mut results: Results,
        fabric: Option<&Fabric>,
    ) -> io::Result<Output> {
        file.add(self.chunk.take(), f64::INFINITY);
        let fabric = fabric.filter(|_| self.filter.takes_network());
        let (traffic, network) = self.take_traffic();
        if fabric.is_some() || !traffic.is_empty() {
            file.add_traffic(traffic);
        }
        if let Some(fabric) = fabric {
            results.network = Some(Used {
                packet_bytes: fabric.packet_bytes(),
                ..network
            });
        }
        file.finish(results)
    }
}

fn header(model: &Model, system: &System, values: &[Value], filter: Option<String>) -> Header {
    let mut header = Header {
        model: model.name.to_owned(),
        machine: system.machine(),
        seed: system.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        filter,
        links: (system.nodes > 1 && system.fabric.is_none()).then(|| links(system)),
        ..Header::default()
    };
    header.system = serde_json::json!({
        "nodes": system.nodes,
        "cpus_per_node": system.cpus_per_node,
        "processes": system.processes,
        "threads": system.threads,
    });
    for (parameter, value) in model.parameters.iter().zip(values) {
        // Values are numbers or truth values.
        let value = serde_json::to_value(value).unwrap_or_default();
        header.parameters.insert(parameter.name.to_owned(), value);
    }
    for (name, setting) in [
        ("network", system.network_text()),
        ("intranode", system.intranode.to_string()),
        ("discipline", system.discipline.to_string()),
        ("wait_policy", system.wait_policy.to_string()),
    ] {
        header.settings.insert(name.to_owned(), setting.into());
    }
    if !model.opcodes.is_empty() {
        header.settings.insert("cpu".to_owned(), "clc".into());
    }
    header
}

/// Returns what messages between nodes cost, as [`Network::send`] charges it.
fn links(system: &System) -> Links {
    let eager_bytes = Some(system.protocol.eager_bytes).filter(|limit| *limit < u64::MAX);
    match system.network {
        Network::Hockney {
            latency_s,
            bytes_per_s,
        } => Links {
            interfaces: None,
            latency_s,
            overhead_s: 0.0,
            gap_s: 0.0,
            byte_s: 1.0 / bytes_per_s,
            eager_bytes,
        },
        Network::LogGp {
            l_s,
            o_s,
            g_s,
            gap_per_byte_s,
        } => Links {
            interfaces: Some(match system.protocol.nic {
                Nic::Rank => Interfaces::Process,
                Nic::Node | Nic::Affinity => Interfaces::Node,
            }),
            latency_s: l_s,
            overhead_s: o_s,
            gap_s: g_s,
            byte_s: gap_per_byte_s,
            eager_bytes,
        },
    }
}

fn results(kernel: &Kernel<'_>, outcome: Option<&Outcome>) -> Results {
    let ends_s: Vec<f64> = match outcome {
        Some(outcome) => outcome.processes.iter().map(|it| it.end_s).collect(),
        None => { 0..kernel.system.processes }
            .map(|pid| kernel.now_of(pid))
            .collect(),
    };
    let elements = kernel.elements.met(ends_s.iter().sum());
    let elements = elements.into_iter().map(|(index, element)| ElementTotals {
        index,
        name: element.name,
        id: element.id,
        kind: element.kind.into_owned(),
        count: element.count,
        total_s: element.total_s,
        // The element was begun but not ended.
        mean_s: if element.count > 0 {
            element.mean_s
        } else {
            0.0
        },
        max_s: element.max_s,
        share: element.share,
    });
    let elements = elements.collect();
    let Some(outcome) = outcome else {
        return Results {
            predicted_time_s: ends_s.into_iter().fold(0.0, f64::max),
            elements,
            ..Results::default()
        };
    };
    let listed = outcome.processes.len() <= JSON_PROCESSES_MAX;
    let processes = listed.then(|| outcome.processes.clone());
    Results {
        predicted_time_s: outcome.predicted_time_s,
        complete: !outcome.partial,
        elements,
        processes: processes.unwrap_or_default(),
        ..Results::default()
    }
}
