//! Variables of a process, as somebody sees them who watches the run.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use prophet_runtime::{RunHandle, Value};

use crate::frame::word_int;
use crate::op::Scalar;
use crate::place::{Place, place_of};

/// Values of an array that are reported at most.
const VALUES_MAX: u32 = 100;

/// A moment of a process: the element that begins after a number of its marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The process.
    pub process: u32,
    /// Number of the process's earlier marks in the trace.
    pub number: u64,
}

/// A variable and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name in the model.
    pub name: String,
    /// Part of the program that it belongs to.
    pub scope: Scope,
    /// Value; of an array the first 100.
    pub values: Vec<Value>,
    /// Length of an array.
    pub length: Option<u32>,
}

/// Part of a program that a variable belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The diagram that is executed, or one around it.
    Diagram,
    /// The process.
    Process,
    /// The run: it is a parameter.
    Run,
}

/// A point of the code at which a run can be looked at.
#[derive(Debug)]
pub(crate) struct Point {
    /// Id of the element that begins here.
    pub(crate) element: i64,
    pub(crate) visible: Vec<Visible>,
}

/// A variable that can be seen at a point.
#[derive(Debug, Clone)]
pub(crate) struct Visible {
    pub(crate) name: String,
    pub(crate) scope: Scope,
    pub(crate) of: Scalar,
    pub(crate) place: Place,
    pub(crate) length: Option<u32>,
}

impl Visible {
    /// The variable in the memory of a process, as the frame at `base` sees it.
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

/// Wait for a moment, which ends the run.
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

    /// True if this is the moment, when a process comes to a point.
    pub(crate) fn is_now(&self, pid: i64) -> bool {
        pid == i64::from(self.moment.process)
            && self.passed.fetch_add(1, Ordering::Relaxed) == self.moment.number
    }

    /// Keeps the variables that can be seen, and ends the run.
    pub(crate) fn keep<'v>(
        &self,
        visible: impl Iterator<Item = &'v Visible>,
        words: &[u64],
        base: u32,
    ) {
        let variables = visible.map(|it| it.read(words, base)).collect();
        // The moment comes once.
        let _ = self.seen.set(variables);
        self.run.stop();
    }
}
