//! Represents the overlapping tasks of ranks. A task starts when the tasks before it are done and
//! its unit is free.
//!
//! | module | is |
//! |---|---|
//! | `partners` | matching calls of several ranks |

mod partners;

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use prophet_text::Problem;

use crate::event::{Group, RankEvent, Work};
use crate::graph::{Graph, Moment};
pub(crate) use partners::{Unpaired, pair};

pub(crate) const TASKS_MAX: usize = 1 << 26;

#[derive(Debug)]
pub(crate) struct TaskTrace {
    pub(crate) path: PathBuf,
    pub(crate) ranks: Vec<Tasks>,
    /// Number of groups of ranks that have their own collectives.
    pub(crate) groups: u32,
    /// Notes about the trace for users.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Tasks {
    pub(crate) graph: Graph<Task>,
    pub(crate) units: Vec<Unit>,
}

/// A part of a rank in which tasks take turns, such as a thread or a GPU stream.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) name: String,
    /// Maximum number of tasks that run on the unit at the same time.
    pub(crate) places: u32,
}

#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) doing: TaskAction,
    pub(crate) unit: u32,
    /// Seconds between the end of the preceding tasks and the start of this one.
    pub(crate) delay_s: f64,
    /// Name of the task in its file, for messages.
    pub(crate) name: u64,
}

#[derive(Debug)]
pub(crate) enum TaskAction {
    /// A moment that tasks wait for. Unless it has a delay, it doesn't occupy a unit.
    Nothing,
    Compute(Work),
    Kernel(Work),
    /// A copy to, from or within an accelerator, in seconds.
    Copy(f64),
    Call(Box<TaskCall>),
}

#[derive(Debug)]
pub(crate) struct TaskCall {
    /// The call, if its size and partners are known.
    pub(crate) event: Option<RankEvent>,
    pub(crate) seconds: Option<f64>,
}

impl Tasks {
    pub(crate) fn unit(&mut self, name: impl Into<String>, places: u32) -> u32 {
        let name = name.into();
        self.units.push(Unit { name, places });
        u32::try_from(self.units.len() - 1).unwrap_or(u32::MAX)
    }

    /// Sorts the dependencies. Returns an error message if tasks wait for each other in a cycle.
    pub(crate) fn finish(&mut self) -> Result<(), String> {
        self.graph.finish();
        let mut order = self.graph.order();
        if order.len() == self.graph.operations.len() {
            return Ok(());
        }
        order.sort_unstable();
        let is_stuck = |it: &u32| order.binary_search(it).is_err();
        let stuck = (0..self.graph.len()).filter(is_stuck);
        let stuck: Vec<u64> = stuck.map(|it| self.task(it).name).collect();
        let names: Vec<String> = stuck.iter().take(4).map(u64::to_string).collect();
        let (count, names) = (stuck.len(), names.join(", "));
        Err(format!("{count} nodes wait for each other: {names}"))
    }

    pub(crate) fn task(&self, number: u32) -> &Task {
        &self.graph.operations[number as usize]
    }

    /// Returns the tasks as events if each task waits for the one before it.
    pub(crate) fn events(&self) -> Result<VecDeque<RankEvent>, String> {
        let order = self.graph.order();
        for pair in order.windows(2) {
            if !{ self.graph.waiting_for(pair[0], Moment::End) }.any(|it| it == pair[1]) {
                let [first, second] = [pair[0], pair[1]].map(|it| self.task(it).name);
                return Err(format!(
                    "tasks overlap, starting with {first} and {second}: a folded model does one \
                     thing at a time, but `run` can replay the trace"
                ));
            }
        }
        let events = order.iter().flat_map(|it| self.task(*it).events());
        Ok(events.collect())
    }
}

impl Task {
    /// Returns `true` if the task takes no time on a unit.
    pub(crate) fn is_moment(&self) -> bool {
        matches!(self.doing, TaskAction::Nothing) && self.delay_s == 0.0
    }

    /// Returns the task as events of a rank that does one thing at a time.
    fn events(&self) -> impl Iterator<Item = RankEvent> {
        let (work, event) = match &self.doing {
            TaskAction::Nothing => (Work::default(), None),
            TaskAction::Compute(work) | TaskAction::Kernel(work) => (*work, None),
            TaskAction::Copy(seconds) => (Work::seconds(*seconds), None),
            TaskAction::Call(call) => match &call.event {
                Some(event) => (Work::default(), Some(event.clone())),
                None => (Work::seconds(call.seconds.unwrap_or(0.0)), None),
            },
        };
        let work = work.plus(Work::seconds(self.delay_s));
        let compute = (work != Work::default()).then_some(RankEvent::Compute(work));
        compute.into_iter().chain(event)
    }
}

impl TaskTrace {
    pub(crate) fn ranks(&self) -> u32 {
        u32::try_from(self.ranks.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn file(&self) -> String {
        self.path.display().to_string()
    }

    /// Returns the maximum number of tasks that a rank runs at the same time.
    pub(crate) fn places(&self) -> u32 {
        let of = |tasks: &Tasks| tasks.units.iter().map(|it| it.places).sum();
        self.ranks.iter().map(of).max().unwrap_or(1)
    }

    /// Returns a rank's events if its tasks don't overlap.
    pub(crate) fn events(&self, rank: u32) -> Result<VecDeque<RankEvent>, Problem> {
        let events = self.ranks[rank as usize].events();
        events.map_err(|why| Problem::of(&self.path, format!("rank {rank}: {why}")))
    }
}

/// Numbered groups of ranks, by their members.
#[derive(Debug, Default)]
pub(crate) struct Groups(BTreeMap<Vec<u32>, Arc<Group>>);

impl Groups {
    /// Returns the group of these ranks; `None` if they are all ranks in order.
    pub(crate) fn of(&mut self, members: Vec<u32>, ranks: u32) -> Option<Arc<Group>> {
        if members.iter().copied().eq(0..ranks) {
            return None;
        }
        let number = self.count();
        let group = self.0.entry(members).or_insert_with_key(|members| {
            let members = members.clone();
            Arc::new(Group { number, members })
        });
        Some(Arc::clone(group))
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}
