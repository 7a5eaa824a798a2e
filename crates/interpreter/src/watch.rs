//! Reads the variables of a process for someone who observes the run.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use prophet_runtime::{RunHandle, Value};

use crate::frame::word_int;
use crate::op::Scalar;
use crate::place::{Place, place_of};

const VALUES_MAX: u32 = 100;

/// A moment in the run of a process: the start of the element that follows a number of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Number of the process.
    pub process: u32,
    /// Number of marks of this process that come earlier in the trace.
    pub number: u64,
}

/// A variable and its value at some moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name in the model.
    pub name: String,
    /// The part of the program that declares the variable.
    pub scope: Scope,
    /// The value, or the first 100 values of an array.
    pub values: Vec<Value>,
    /// Length of the array; `None` if the variable isn't an array.
    pub length: Option<u32>,
}

/// The part of a program that declares a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The current diagram, or a diagram around it.
    Diagram,
    Process,
    /// The run, because the variable is a parameter.
    Run,
}

/// A point in the code at which a run can be observed.
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
    /// Reads the variable from the memory of a process; its address is relative to the frame at
    /// `base`.
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

/// Waits for a moment, at which the run ends.
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

    /// Returns `true` if the moment has come when a process reaches a point.
    pub(crate) fn is_now(&self, pid: i64) -> bool {
        pid == i64::from(self.moment.process)
            && self.passed.fetch_add(1, Ordering::Relaxed) == self.moment.number
    }

    /// Saves the variables that are visible, and ends the run.
    pub(crate) fn keep<'v>(
        &self,
        visible: impl Iterator<Item = &'v Visible>,
        words: &[u64],
        base: u32,
    ) {
        let variables = visible.map(|it| it.read(words, base)).collect();
        // The moment occurs once.
        let _ = self.seen.set(variables);
        self.run.stop();
    }
}
