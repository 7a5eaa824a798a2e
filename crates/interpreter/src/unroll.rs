//! Unrolls workflows: lists each execution of a task with the tasks and files that it waits for.
//!
//! A workflow runs as a single process, and regions execute their parts one after another. What a
//! part waits for follows from its token, no matter when the part runs. The token contains the
//! tasks that ended last before the part, and the files that exist.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;

use prophet_text::plain::between_quotes;

/// Maximum number of tasks in a workflow, and maximum number of parts in its regions.
const TASKS_MAX: usize = 4_000_000;
/// Maximum total number of dependencies of tasks, on other tasks and on files.
const LINKS_MAX: usize = 40_000_000;

/// Numbers of tasks or files, in ascending order.
pub type Numbers = Arc<[u32]>;

/// A workflow as a list of the tasks that it executes.
#[derive(Debug, Default)]
pub struct Unrolled {
    /// Tasks, in the order in which they were executed.
    pub tasks: Vec<TaskRun>,
    /// The files that tasks read or write.
    pub files: Vec<FileRun>,
}

/// An execution of a task.
#[derive(Debug)]
pub struct TaskRun {
    /// Name of the task, after the names of the activities around it. If several executions have
    /// the same name, a number follows.
    pub name: String,
    /// Id of the task in the model.
    pub id: i64,
    /// Cost in seconds. Meaningless if `model` predicts the cost.
    pub cost_s: f64,
    /// The model that predicts the task's cost, and the number of processes for that model.
    pub model: Option<(String, u32)>,
    /// Number of cores that the task occupies.
    pub cores: u32,
    /// Memory that the task occupies, in bytes.
    pub memory_bytes: u64,
    /// Numbers of the tasks to wait for.
    pub waits: Numbers,
    /// For each file that the task reads by name, the numbers of the files.
    pub inputs: Vec<Numbers>,
    /// Numbers of the files that the task writes.
    pub outputs: Vec<u32>,
    /// Probability that an attempt to run the task fails.
    pub failure_probability: f64,
    /// Maximum number of attempts after the first one.
    pub retries: u32,
    /// Name of the program that the task runs.
    pub program: Option<Arc<str>>,
}

/// A file. It is either written by a task, exactly once, or an input of the workflow.
#[derive(Debug)]
pub struct FileRun {
    /// Name of the file in the model. If several files have the same name, a number follows.
    pub name: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Whether the file is an input of the workflow, so that no task writes it.
    pub is_input: bool,
}

#[derive(Debug)]
pub(crate) struct TaskValues<'c> {
    pub(crate) element: u32,
    pub(crate) id: i64,
    pub(crate) name: &'c str,
    pub(crate) cost_s: f64,
    pub(crate) cores: Option<i64>,
    pub(crate) memory: Option<i64>,
    pub(crate) inputs: Vec<(&'c str, Option<f64>)>,
    pub(crate) outputs: Vec<(&'c str, Option<f64>)>,
    pub(crate) model: Option<(&'c str, Option<i64>)>,
    pub(crate) failure_probability: Option<f64>,
    pub(crate) retries: Option<i64>,
    pub(crate) program: Option<&'c str>,
}

#[derive(Debug, Clone)]
pub(crate) struct Refused {
    pub(crate) why: String,
    /// The element that was executed last, or was going to be executed.
    pub(crate) element: Option<u32>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refused {}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    last: Numbers,
    files: Arc<NamedFiles>,
}

/// Existing files, by the number of their name. A sorted list saves memory, because there can be a
/// million parts with a few names each.
#[derive(Debug, Clone, Default)]
struct NamedFiles(Vec<(u32, Numbers)>);

impl NamedFiles {
    fn place(&self, name: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&name, |it| it.0)
    }

    fn get(&self, name: u32) -> Option<&Numbers> {
        self.place(name).ok().map(|it| &self.0[it].1)
    }

    fn set(&mut self, name: u32, files: Numbers) {
        match self.place(name) {
            Ok(place) => self.0[place].1 = files,
            Err(place) => {
                // Most tokens don't need any further names.
                self.0.reserve_exact(1);
                self.0.insert(place, (name, files));
            }
        }
    }
}

impl Default for Token {
    fn default() -> Self {
        Self {
            last: Arc::new([]),
            files: Arc::default(),
        }
    }
}

/// Tokens on the flows of a region with parts that wait for each other.
#[derive(Debug)]
struct Flowing {
    targets: Vec<u32>,
    tokens: Vec<VecDeque<Token>>,
    /// The flows that the current part has passed a token to.
    passed: Vec<u32>,
}

#[derive(Debug, Default)]
pub(crate) struct Unrolling {
    token: Token,
    around: Vec<&'static str>,
    flowing: Vec<Flowing>,
    /// Number of tasks and files with each name, to number duplicates.
    counts: BTreeMap<String, u32>,
    names: BTreeMap<String, u32>,
    given: BTreeMap<(u32, u64), u32>,
    /// The files that each file replaces.
    replaced: Vec<Numbers>,
    programs: BTreeSet<Arc<str>>,
    element: Option<u32>,
    links: usize,
    parts: usize,
    unrolled: Unrolled,
    refused: Option<Refused>,
}

impl Unrolling {
    pub(crate) fn end(self) -> Result<Unrolled, Refused> {
        match self.refused {
            Some(refused) => Err(refused),
            None => Ok(self.unrolled),
        }
    }

    fn refuse<T>(&mut self, why: String) -> Result<T, Refused> {
        let refused = Refused {
            why,
            element: self.element,
        };
        self.refused = Some(refused.clone());
        Err(refused)
    }

    pub(crate) fn enter(&mut self, name: &'static str) {
        self.around.push(name);
    }

    pub(crate) fn leave(&mut self) {
        self.around.pop();
    }

    /// Adds an execution of a task. The task waits for the token's last tasks, and replaces them.
    pub(crate) fn add(&mut self, given: &TaskValues<'_>) -> Result<(), Refused> {
        self.element = Some(given.element);
        let number = self.unrolled.tasks.len();
        if number >= TASKS_MAX {
            return self.refuse(format!(
                "task {} exceeds the limit of {TASKS_MAX} tasks in a workflow; does a loop around \
                 it end?",
                quoted(given.name)
            ));
        }
        let name = self.name_of(given.name);
        let task = match self.task(name, given) {
            Ok(task) => task,
            Err(why) => return self.refuse(why),
        };
        let links = task.inputs.iter().map(|it| it.len()).sum::<usize>();
        self.links += links + task.waits.len() + task.outputs.len();
        if self.links > LINKS_MAX {
            return self.refuse(format!(
                "the tasks have more than {LINKS_MAX} dependencies at {}; if many tasks depend \
                 on many others, put a task in between",
                quoted(&task.name)
            ));
        }
        self.unrolled.tasks.push(task);
        self.token.last = Arc::new([u32::try_from(number).unwrap_or(u32::MAX)]);
        Ok(())
    }

    /// Returns the name of a task, after the names around it. Adds a number if the name has been
    /// used before.
    fn name_of(&mut self, own: &str) -> String {
        let mut name = String::new();
        for around in &self.around {
            name.push_str(around);
            name.push('/');
        }
        name.push_str(own);
        numbered(&mut self.counts, name)
    }

    fn task(&mut self, name: String, given: &TaskValues<'_>) -> Result<TaskRun, String> {
        let wrong = |what: &str| format!("task {}: {what}", quoted(&name));
        let model = match given.model {
            Some((model, processes)) => {
                let processes = processes.or(given.cores).unwrap_or(1);
                match u32::try_from(processes) {
                    Ok(processes) if processes > 0 => Some((model.to_owned(), processes)),
                    _ => return Err(wrong(&format!("its number of processes is {processes}"))),
                }
            }
            None => None,
        };
        // Each process of the model needs its own core.
        let processes = model.as_ref().map_or(1, |it| i64::from(it.1));
        let cores = given.cores.unwrap_or(processes);
        let Some(cores) = u32::try_from(cores).ok().filter(|it| *it > 0) else {
            return Err(wrong(&format!("its number of cores is {cores}")));
        };
        let memory = given.memory.unwrap_or(0);
        let Ok(memory_bytes) = u64::try_from(memory) else {
            return Err(wrong(&format!("its memory is {memory} bytes")));
        };
        let (failure_probability, retries) = attempts(given).map_err(|it| wrong(&it))?;
        let waits = self.token.last.clone();
        let mut inputs = Vec::with_capacity(given.inputs.len());
        for &(file, size) in &given.inputs {
            let read = self.read(file, size);
            inputs.push(read.map_err(|why| wrong(&why))?);
        }
        let mut outputs = Vec::with_capacity(given.outputs.len());
        for &(file, size) in &given.outputs {
            let written = self.write(file, size.unwrap_or(0.0));
            outputs.push(written.map_err(|why| wrong(&why))?);
        }
        Ok(TaskRun {
            name,
            id: given.id,
            cost_s: given.cost_s,
            model,
            cores,
            memory_bytes,
            waits,
            inputs,
            outputs,
            failure_probability,
            retries,
            program: given.program.map(|it| self.program(it)),
        })
    }

    /// Returns the name of a program. All tasks that run the program share the text.
    fn program(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.programs.get(name) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.programs.insert(name.clone());
        name
    }

    /// Returns the existing files with a name. If there are none, adds an input of the workflow.
    fn read(&mut self, file: &str, size: Option<f64>) -> Result<Numbers, String> {
        let name = self.number(file);
        if let Some(there) = self.token.files.get(name) {
            return Ok(there.clone());
        }
        let Some(size) = size else {
            return Err(format!(
                "the file {} is neither written by an earlier task nor an input with a size",
                quoted(file)
            ));
        };
        let size_bytes = bytes(file, size)?;
        let number = if let Some(&number) = self.given.get(&(name, size_bytes)) {
            number
        } else {
            let number = self.file(file, size_bytes, true, Arc::new([]));
            self.given.insert((name, size_bytes), number);
            number
        };
        Ok(Arc::new([number]))
    }

    /// Adds a file. It replaces existing files with the same name.
    fn write(&mut self, file: &str, size: f64) -> Result<u32, String> {
        let size_bytes = bytes(file, size)?;
        let name = self.number(file);
        let before = self.token.files.get(name).cloned();
        let number = self.file(file, size_bytes, false, before.unwrap_or_default());
        Arc::make_mut(&mut self.token.files).set(name, Arc::new([number]));
        Ok(number)
    }

    fn file(&mut self, name: &str, size_bytes: u64, is_input: bool, replaced: Numbers) -> u32 {
        // A file can have the same name as a task, so this keeps their counts apart.
        let name = numbered(&mut self.counts, format!("{name}\0"));
        self.unrolled.files.push(FileRun {
            name: name.replace('\0', ""),
            size_bytes,
            is_input,
        });
        self.replaced.push(replaced);
        u32::try_from(self.replaced.len() - 1).unwrap_or(u32::MAX)
    }

    fn number(&mut self, file: &str) -> u32 {
        if let Some(&number) = self.names.get(file) {
            return number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.insert(file.to_owned(), number);
        number
    }

    /// Returns the token that the parts of a region start with.
    pub(crate) fn token(&self) -> Token {
        self.token.clone()
    }

    /// Starts a part of a region with this token.
    pub(crate) fn begin(&mut self, token: Token) -> Result<(), Refused> {
        self.parts += 1;
        if self.parts > TASKS_MAX {
            return self.refuse(format!(
                "regions execute their parts more than {TASKS_MAX} times, which is the limit for \
                 workflows"
            ));
        }
        self.token = token;
        Ok(())
    }

    /// Continues after a region, with the tasks and files of all its parts.
    pub(crate) fn join(&mut self, start: &Token, ends: &[Token]) {
        self.token = self.united(start, ends);
    }

    /// Joins several tokens. What none of them has changed since `start` stays as it was.
    fn united(&self, start: &Token, tokens: &[Token]) -> Token {
        let moved = tokens
            .iter()
            .filter(|it| !Arc::ptr_eq(&it.last, &start.last));
        let last: BTreeSet<u32> = moved.flat_map(|it| it.last.iter().copied()).collect();
        let mut sets: BTreeMap<u32, Vec<&Numbers>> = BTreeMap::new();
        let changed = tokens
            .iter()
            .filter(|it| !Arc::ptr_eq(&it.files, &start.files));
        for (name, files) in changed.flat_map(|it| &it.files.0) {
            let sets = sets.entry(*name).or_default();
            let is_same = |it: &&Numbers| Arc::ptr_eq(it, files);
            if !sets.last().is_some_and(is_same) {
                sets.push(files);
            }
        }
        let mut files = (*start.files).clone();
        for (name, sets) in sets {
            files.set(name, self.living(&sets));
        }
        Token {
            last: if last.is_empty() {
                start.last.clone()
            } else {
                last.into_iter().collect()
            },
            files: Arc::new(files),
        }
    }

    /// Merges sets of files. Leaves out files that a file in another set replaces.
    fn living(&self, sets: &[&Numbers]) -> Numbers {
        if let [only] = sets {
            return (*only).clone();
        }
        let all: BTreeSet<u32> = sets.iter().flat_map(|it| it.iter().copied()).collect();
        let least = all.first().copied().unwrap_or_default();
        // A file that was written later has a higher number.
        let mut replaced = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<u32> = all.iter().copied().collect();
        while let Some(file) = open.pop() {
            let before = &self.replaced[file as usize];
            if before.last().is_none_or(|it| *it < least) || !seen.insert(before.as_ptr()) {
                continue;
            }
            for &file in before.iter().filter(|it| **it >= least) {
                if replaced.insert(file) {
                    open.push(file);
                }
            }
        }
        all.difference(&replaced).copied().collect()
    }

    /// Enters a region with flows that lead to these parts.
    pub(crate) fn open_flows(&mut self, targets: &[u32]) {
        self.flowing.push(Flowing {
            targets: targets.to_vec(),
            tokens: vec![VecDeque::new(); targets.len()],
            passed: Vec::new(),
        });
    }

    /// Puts a copy of the token on each of these flows of the innermost region.
    pub(crate) fn pass(&mut self, flows: &[u32]) {
        let Some(flowing) = self.flowing.last_mut() else {
            return;
        };
        for &flow in flows {
            if let Some(tokens) = flowing.tokens.get_mut(flow as usize) {
                tokens.push_back(self.token.clone());
                flowing.passed.push(flow);
            }
        }
    }

    /// Returns the parts that can start after the current part has ended, with their tokens; `None`
    /// if the current part has passed no tokens.
    pub(crate) fn passed(&mut self, start: &Token) -> Option<Vec<(u32, Token)>> {
        let flowing = self.flowing.last_mut()?;
        let passed = std::mem::take(&mut flowing.passed);
        if passed.is_empty() {
            return None;
        }
        let mut begun = Vec::new();
        for flow in passed {
            let flowing = self.flowing.last_mut()?;
            let part = flowing.targets[flow as usize];
            let to_part = |it: &usize| flowing.targets[*it] == part;
            let sources: Vec<usize> = (0..flowing.targets.len()).filter(to_part).collect();
            if sources.iter().any(|it| flowing.tokens[*it].is_empty()) {
                continue;
            }
            let tokens = sources.iter();
            let tokens: Vec<Token> = tokens
                .filter_map(|it| flowing.tokens[*it].pop_front())
                .collect();
            begun.push((part, self.united(start, &tokens)));
        }
        Some(begun)
    }

    /// Leaves a region with flows, and returns the tokens that are left on them.
    pub(crate) fn close_flows(&mut self) -> Vec<Token> {
        let flowing = self.flowing.pop();
        let tokens = flowing.into_iter().flat_map(|it| it.tokens);
        tokens.flatten().collect()
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", between_quotes(name))
}

/// Adds a number to a name if it has been used before.
fn numbered(counts: &mut BTreeMap<String, u32>, name: String) -> String {
    if let Some(count) = counts.get_mut(&name) {
        *count += 1;
        return format!("{name}#{count}");
    }
    counts.insert(name.clone(), 1);
    name
}

/// Returns the probability that an attempt at a task fails, and the number of retries. Fails if
/// either is out of range.
fn attempts(given: &TaskValues<'_>) -> Result<(f64, u32), String> {
    let probability = given.failure_probability.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&probability) {
        return Err(format!("its failure_probability is {probability}"));
    }
    let retries = given.retries.unwrap_or(0);
    match u32::try_from(retries) {
        Ok(retries) => Ok((probability, retries)),
        Err(_) => Err(format!("its number of retries is {retries}")),
    }
}

fn bytes(file: &str, size: f64) -> Result<u64, String> {
    // 2^53. Up to this number, every whole number can be represented exactly as a real.
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    if !(0.0..=LARGEST).contains(&size) {
        return Err(format!(
            "the size of the file {} is {size} bytes",
            quoted(file)
        ));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is checked"
    )]
    Ok(size.round() as u64)
}
