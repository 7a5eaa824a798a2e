//! Checks workflows when a draft is finished.

use prophet_text::Problem;

use super::{Adjacency, Draft, LONGEST_S, MOST_RETRIES, NOBODY, Names, TaskCost, TaskId, Workflow};
use crate::quoted;

const SHOWN: usize = 8;
const MOST_OPERATIONS: f64 = 1e24;

impl Draft {
    /// Checks the draft, and returns it as a workflow.
    ///
    /// # Errors
    ///
    /// Returns up to a hundred errors: missing or negative numbers, duplicate ids, files that no
    /// task writes or that two tasks write, and cycles.
    pub fn finish(mut self) -> Result<Workflow, Vec<Problem>> {
        let mut problems = numbers(&self);
        names(&self, &mut problems);
        let writers = writers(&self, &mut problems);
        if !problems.is_empty() {
            problems.truncate(100);
            return Err(problems);
        }
        let mut waits = std::mem::take(&mut self.waits);
        let written = |&(task, file): &(u32, u32)| {
            let writer = writers[file as usize];
            (writer != NOBODY).then_some((task, writer))
        };
        waits.extend(self.reads.iter().filter_map(written));
        let tasks = self.tasks.len();
        let parents = Adjacency::new(tasks, waits);
        let children = Adjacency::new(tasks, parents.reversed());
        let order = order(&self, &parents, &children).map_err(|it| vec![it])?;
        self.tasks.shrink_to_fit();
        self.sizes_bytes.shrink_to_fit();
        self.task_names.shrink();
        self.file_names.shrink();
        self.programs.shrink();
        self.types.shrink();
        Ok(Workflow {
            name: self.name,
            inputs: Adjacency::new(tasks, self.reads),
            outputs: Adjacency::new(tasks, self.writes),
            may_fail: self.tasks.iter().any(|it| it.failure_probability > 0.0),
            tasks: self.tasks,
            task_names: self.task_names,
            sizes_bytes: self.sizes_bytes,
            file_names: self.file_names,
            writers,
            parents,
            children,
            order,
            table: self.table,
            columns: self.columns,
            programs: self.programs,
            types: self.types,
        })
    }
}

fn task_place(draft: &Draft, task: usize) -> String {
    format!("task {}", quoted(draft.task_names.get(task)))
}

fn file_place(draft: &Draft, file: usize) -> String {
    format!("file {}", quoted(draft.file_names.get(file)))
}

fn is_time(seconds: f64) -> bool {
    (0.0..=LONGEST_S).contains(&seconds)
}

fn is_work(operations: f64) -> bool {
    (0.0..=MOST_OPERATIONS).contains(&operations)
}

/// Returns an error for each number that is negative, too large or not finite.
fn numbers(draft: &Draft) -> Vec<Problem> {
    if draft.is_too_large {
        let what = "the workflow has too many tasks or files, or rows of different lengths";
        let help = "Split the workflow, and use the same number of columns in each row of costs.";
        return vec![Problem::with_help(what, help)];
    }
    let mut problems = Vec::new();
    for (number, task) in draft.tasks.iter().enumerate() {
        let row_count = draft.table.len().checked_div(draft.columns).unwrap_or(0);
        let cost = match task.cost {
            TaskCost::Seconds(seconds) => is_time(seconds).then_some(()).ok_or(seconds),
            TaskCost::Work(operations) => is_work(operations).then_some(()).ok_or(operations),
            TaskCost::Row(row) if (row as usize) < row_count => Ok(()),
            TaskCost::Row(_) => Err(f64::NAN),
        };
        let mut wrong = |what: String, help: &str| {
            problems.push(Problem::with_help(what, help).in_part(task_place(draft, number)));
        };
        if let Err(cost) = cost {
            let help = "Set the cost of the task to a value from 0 to 1e12 s, or up to 1e24 \
                        operations.";
            wrong(format!("the cost is {cost:?}"), help);
        }
        if task.cores == 0 {
            let help = "Use one core or more.";
            wrong("the task has no cores".to_owned(), help);
        }
        if !(0.0..=1.0).contains(&task.failure_probability) {
            let help = "Use a probability from 0 to 1.";
            let probability = task.failure_probability;
            wrong(format!("the failure probability is {probability}"), help);
        }
        if task.retries > MOST_RETRIES {
            let help = "Reduce the retries of the task.";
            let retries = task.retries;
            let what = format!("the task has {retries} retries, more than {MOST_RETRIES}");
            wrong(what, help);
        }
        for (time_s, what) in [
            (Some(task.release_s), "submission"),
            (task.requested_s, "request"),
        ] {
            if let Some(time_s) = time_s.filter(|it| !is_time(*it)) {
                let help = "Use a time of 0 s or more.";
                wrong(format!("the time of its {what} is {time_s} s"), help);
            }
        }
    }
    if draft.table.iter().any(|it| !is_time(*it)) {
        let what = "a cell in the table of costs is negative or not a number";
        problems.push(Problem::with_help(what, "Make every cell 0 s or more."));
    }
    problems
}

fn names(draft: &Draft, problems: &mut Vec<Problem>) {
    duplicates(&draft.task_names, "task", problems);
    duplicates(&draft.file_names, "file", problems);
}

fn duplicates(names: &Names, kind: &str, problems: &mut Vec<Problem>) {
    let sorted = names.sorted();
    for pair in sorted.windows(2) {
        let [first, second] = [names.get(pair[0] as usize), names.get(pair[1] as usize)];
        if first == second {
            let place = format!("{kind} {}", quoted(first));
            let what = format!("duplicate id: {kind}s {} and {}", pair[0] + 1, pair[1] + 1);
            problems.push(
                Problem::with_help(what, "Choose a different id for each of them.").in_part(place),
            );
        }
    }
}

/// Returns the writer of each file. Files without a writer must be inputs.
fn writers(draft: &Draft, problems: &mut Vec<Problem>) -> Vec<u32> {
    let mut writers = vec![NOBODY; draft.sizes_bytes.len()];
    for &(task, file) in &draft.writes {
        let writer = &mut writers[file as usize];
        if *writer != NOBODY && *writer != task {
            let names = [*writer, task].map(|it| quoted(draft.task_names.get(it as usize)));
            let what = format!("tasks {} and {} both write the file", names[0], names[1]);
            let help = "Let only one task write the file.";
            problems.push(Problem::with_help(what, help).in_part(file_place(draft, file as usize)));
        }
        *writer = task;
    }
    for (file, writer) in writers.iter().enumerate() {
        if *writer == NOBODY && !draft.given[file] {
            let what = "no task writes the file, and it is not an input of the workflow";
            let help = "Let a task write the file, or make it an input.";
            problems.push(Problem::with_help(what, help).in_part(file_place(draft, file)));
        }
        if *writer != NOBODY && draft.given[file] {
            let what = "a task writes the file, but it is an input of the workflow";
            let help = "Choose another id for the output, or remove the file from the inputs.";
            problems.push(Problem::with_help(what, help).in_part(file_place(draft, file)));
        }
    }
    writers
}

/// Returns the tasks in an order in which parents come first, or an error that describes a cycle.
fn order(draft: &Draft, parents: &Adjacency, children: &Adjacency) -> Result<Vec<TaskId>, Problem> {
    let count = draft.tasks.len();
    let mut left: Vec<u32> = (0..count)
        .map(|it| u32::try_from(parents.of(it).len()).unwrap_or(NOBODY))
        .collect();
    let mut order: Vec<TaskId> = (0..)
        .zip(&left)
        .filter(|it| *it.1 == 0)
        .map(|it| TaskId(it.0))
        .collect();
    order.reserve_exact(count - order.len());
    let mut next = 0;
    while let Some(&task) = order.get(next) {
        next += 1;
        for &child in children.of(task.index()) {
            left[child as usize] -= 1;
            if left[child as usize] == 0 {
                order.push(TaskId(child));
            }
        }
    }
    if order.len() == count {
        return Ok(order);
    }
    Err(cycle(draft, parents, &left))
}

/// Returns the error for a cycle, which is found by going from parent to parent.
fn cycle(draft: &Draft, parents: &Adjacency, left: &[u32]) -> Problem {
    let is_left = |it: &&u32| left[**it as usize] > 0;
    let mut seen_at = vec![usize::MAX; left.len()];
    let mut path = Vec::new();
    let mut at = left.iter().position(|it| *it > 0).unwrap_or(0);
    while seen_at[at] == usize::MAX {
        seen_at[at] = path.len();
        path.push(at);
        at = parents
            .of(at)
            .iter()
            .find(is_left)
            .map_or(at, |it| *it as usize);
    }
    let mut cycle = path.split_off(seen_at[at]);
    cycle.reverse();
    let names = cycle.iter().take(SHOWN);
    let mut names: Vec<String> = names.map(|it| quoted(draft.task_names.get(*it))).collect();
    if cycle.len() > SHOWN {
        names.push(format!("{} more", cycle.len() - SHOWN));
    }
    let what = format!(
        "tasks wait for each other in a cycle: {}",
        names.join(" → ")
    );
    let help = "Remove one of the dependencies in the cycle.";
    Problem::with_help(what, help).in_part(task_place(draft, cycle[0]))
}
