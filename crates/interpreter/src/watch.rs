//! Reads the variables of a process when somebody observes the run.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use prophet_runtime::{RunHandle, Value};

use crate::frame::word_int;
use crate::op::Scalar;
use crate::place::{Place, place_of};

const VALUES_MAX: u32 = 100;

/// A moment in the run of a process, when it reaches a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Number of the process.
    pub process: u32,
    /// Number of this process's marks that come before the moment in the trace.
    pub number: u64,
}

/// A variable, with its value at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name in the model.
    pub name: String,
    /// What declares the variable.
    pub scope: Scope,
    /// The value of a scalar, or the first 100 values of an array.
    pub values: Vec<Value>,
    /// Length of an array; `None` for a scalar.
    pub length: Option<u32>,
}

/// What declares a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The current diagram, or a diagram around it.
    Diagram,
    Process,
    /// The run, which sets the variable as a parameter.
    Run,
}

/// A point in the code where a run can be observed.
#[derive(Debug)]
pub(crate) struct Point {
    pub(crate) element: i64,
    pub(crate) visible: Vec<Visible>,
}

#[derive(Debug, Clone)]
pub(crate) struct Visible {
    pub(crate) name: String,
    pub(crate) scope: Scope,
    pub(crate) of: Scalar,
    pub(crate) place: Place,
    pub(crate) length: Option<u32>,
}

impl Visible {
    /// Reads the variable from the memory of a process. `base` is the address of the current frame.
    fn read(&self, words: &[u64], base: u32) -> Variable {
        let first = place_of(words, base, self.place);
        let count = self.length.unwrap_or(1).min(VALUES_MAX);
        let words = words.iter().skip(first).take(count as usize);
        let value = |word: &u64| match self.of {
            Scalar::Int => Value::Int(word_int(*word).0),
            Scalar::Real => Value::Real(f64::from_bits(*word)),
            Scalar::Bool => Value::Bool(*word != 0),
        };
        Variable {
            name: self.name.clone(),
            scope: self.scope,
            values: words.map(value).collect(),
            length: self.length,
        }
    }
}

/// Waits for a moment, and then ends the run.
#[derive(Debug)]
pub(crate) struct Watch {
    moment: Moment,
    passed: AtomicU64,
    run: RunHandle,
    pub(crate) seen: OnceLock<Vec<Variable>>,
}

impl Watch {
    pub(crate) fn new(moment: Moment, run: RunHandle) -> Self {
        Self {
            moment,
            passed: AtomicU64::new(0),
            run,
            seen: OnceLock::new(),
        }
    }

    /// Returns `true` if the moment has come. Call it whenever a process reaches a point.
    pub(crate) fn is_now(&self, pid: i64) -> bool {
        pid == i64::from(self.moment.process)
            && self.passed.fetch_add(1, Ordering::Relaxed) == self.moment.number
    }

    /// Saves the visible variables, and ends the run.
    pub(crate) fn keep<'v>(
        &self,
        visible: impl Iterator<Item = &'v Visible>,
        words: &[u64],
        base: u32,
    ) {
        let variables = visible.map(|it| it.read(words, base)).collect();
        // It is set only once, because the moment occurs only once.
        let _ = self.seen.set(variables);
        self.run.stop();
    }
}
