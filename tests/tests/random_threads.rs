//! Tests random programs with threads as whole models: the native programs must end at the same
//! time as a walk through them.
//!
//! Each action costs a whole number of seconds that depends on who executes it, and adds a number
//! to H that is unique to the execution. The last action costs H, so the end time shows which
//! actions ran, how often and by whom. There are enough CPUs.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use prophet_tests::drawing::Drawing;
use prophet_tests::interpreted;
use prophet_tests::programs::Programs;
use prophet_tests::random::Random;
use prophet_tests::sums;
use serde_json::Value;

const MODELS: usize = 8;
/// Models per program. The compiler needs 60 MB for each model.
const TOGETHER: usize = 10;
const DEPTH: usize = 3;

const SCHEDULES: [&str; 3] = ["static", "dynamic", "guided"];

/// Iterations that threads share: how many, the index of the schedule, the chunk, and the mark.
type Shared = (usize, usize, Option<usize>, usize);

/// A part of a program. Marks are the numbers of its actions.
#[derive(Debug)]
enum Part {
    Act(usize),
    Row(Vec<Part>),
    /// Branches, and whether the fork and join are only implied, as in UML.
    Fork(Vec<Part>, bool),
    /// A loop with a number of iterations.
    Loop(usize, Box<Part>),
    /// A team with a number of threads.
    Team(usize, Box<Part>),
    Do(usize, Shared),
    /// Sections for a number of threads, and whether a fork is drawn.
    Sections(usize, Vec<Part>, bool),
    /// A loop that is only executed by the threads of a team.
    SharedDo(Shared),
    Critical(usize),
    Single(Box<Part>),
    Master(Box<Part>),
    Barrier,
}

/// Makes parts of programs, and numbers their actions.
struct Maker {
    random: Random,
    marks: usize,
    teams: usize,
}

impl Maker {
    fn mark(&mut self) -> usize {
        self.marks += 1;
        self.marks
    }

    fn shared(&mut self) -> Shared {
        let chunk = self.random.below(3);
        let count = self.random.below(12);
        (
            count,
            self.random.below(3),
            (chunk > 0).then_some(chunk),
            self.mark(),
        )
    }

    fn row(&mut self, depth: usize, in_team: bool) -> Part {
        let length = 1 + self.random.below(3);
        Part::Row((0..length).map(|_| self.part(depth, in_team)).collect())
    }

    fn rows(&mut self, depth: usize) -> Vec<Part> {
        let count = 2 + self.random.below(2);
        (0..count).map(|_| self.row(depth, false)).collect()
    }

    fn team(&mut self, threads: usize, depth: usize) -> Part {
        self.teams += 1;
        let rows = (0..2).map(|_| self.row(depth, true)).collect();
        self.teams -= 1;
        Part::Team(threads, Box::new(Part::Row(rows)))
    }

    fn part(&mut self, depth: usize, in_team: bool) -> Part {
        if depth == 0 {
            return Part::Act(self.mark());
        }
        let inner = depth - 1;
        let threads = 1 + self.random.below(3);
        let kind = if in_team && self.random.below(2) == 0 {
            7 + self.random.below(5)
        } else {
            self.random.below(7)
        };
        match kind {
            1 | 2 => Part::Fork(self.rows(inner), self.random.below(2) == 0),
            3 => Part::Loop(1 + self.random.below(2), Box::new(self.row(inner, false))),
            4 => self.team(threads, inner),
            5 => Part::Do(threads, self.shared()),
            6 => Part::Sections(threads, self.rows(inner), self.random.below(2) == 0),
            7 => Part::SharedDo(self.shared()),
            // In nested teams, all threads would compete for the same lock.
            8 if self.teams == 1 => Part::Critical(self.mark()),
            0 | 8 => Part::Act(self.mark()),
            9 => Part::Single(Box::new(self.row(inner, false))),
            10 => Part::Master(Box::new(self.row(inner, false))),
            _ => Part::Barrier,
        }
    }
}

/// A time in seconds, and how many times the thread has already been served at that time. Threads
/// that have been served less often come first.
type Time = (usize, usize);

/// Returns the time of a thread after it is served.
fn given(time: Time) -> Time {
    (time.0, time.1 + 1)
}

fn after(time: Time, cost: usize) -> Time {
    (time.0 + cost, 0)
}

/// Returns the cost of a mark for a thread or an iteration with this number.
fn cost(mark: usize, number: usize) -> usize {
    1 + mark * (number + 3) % 7
}

/// A walk over a program, with the sum H.
#[derive(Default)]
struct Walk {
    sum: usize,
}

impl Walk {
    fn act(&mut self, mark: usize, number: usize) -> usize {
        self.sum += mark * (number + 1);
        cost(mark, number)
    }

    /// Runs a part in one thread, starting at `now`. Returns the end time.
    fn alone(&mut self, part: &Part, tid: usize, now: Time) -> Time {
        let mut team = [(tid, now)];
        self.team(part, &mut team);
        team[0].1
    }

    /// Runs a part in a team. The threads' numbers and times are given.
    fn team(&mut self, part: &Part, team: &mut [(usize, Time)]) {
        match part {
            Part::Act(mark) => {
                for (tid, now) in team {
                    *now = after(*now, self.act(*mark, *tid));
                }
            }
            Part::Row(parts) => parts.iter().for_each(|part| self.team(part, team)),
            Part::Loop(turns, part) => (0..*turns).for_each(|_| self.team(part, team)),
            Part::SharedDo(shared) => {
                self.share(*shared, team);
                meet(team);
            }
            Part::Barrier => meet(team),
            Part::Critical(mark) => {
                let mut order: Vec<usize> = (0..team.len()).collect();
                // Locks are assigned last.
                order.sort_by_key(|&at| (team[at].1.0, team[at].0));
                let mut free_at = (0, 0);
                for at in order {
                    let (tid, now) = team[at];
                    free_at = after(free_at.max(now), self.act(*mark, tid));
                    team[at].1 = free_at;
                }
            }
            Part::Single(part) => {
                let first = first(team);
                team[first].1 = self.alone(part, team[first].0, given(team[first].1));
                meet(team);
            }
            Part::Master(part) => team[0].1 = self.alone(part, team[0].0, team[0].1),
            Part::Fork(..) | Part::Team(..) | Part::Do(..) | Part::Sections(..) => {
                for (_, now) in team {
                    *now = self.region(part, *now);
                }
            }
        }
    }

    /// Runs a region that is executed by one thread. Returns its end time.
    fn region(&mut self, part: &Part, now: Time) -> Time {
        let team = |threads: usize| (0..threads).map(|tid| (tid, now)).collect::<Vec<_>>();
        let mut team = match part {
            Part::Fork(branches, _) => team(branches.len()),
            Part::Team(threads, _) | Part::Do(threads, _) | Part::Sections(threads, ..) => {
                team(*threads)
            }
            _ => Vec::new(),
        };
        match part {
            Part::Fork(branches, _) => {
                for ((tid, now), branch) in team.iter_mut().zip(branches) {
                    *now = self.alone(branch, *tid, *now);
                }
            }
            Part::Team(_, part) => self.team(part, &mut team),
            Part::Do(_, shared) => self.share(*shared, &mut team),
            Part::Sections(_, parts, _) => {
                for part in parts {
                    let next = first(&team);
                    let mut now = team[next].1;
                    if team.len() > 1 {
                        now = given(now);
                    }
                    team[next].1 = self.alone(part, team[next].0, now);
                }
            }
            _ => {}
        }
        team.into_iter().map(|(_, now)| now).max().unwrap_or(now)
    }

    fn share(&mut self, shared: Shared, team: &mut [(usize, Time)]) {
        let (count, schedule, chunk, mark) = shared;
        let threads = team.len();
        let mut done = 0;
        let mut turn = 0;
        while done < count {
            let rest = count - done;
            // Without a chunk, each thread gets a block of iterations in a static schedule.
            let (thread, size) = match (SCHEDULES[schedule], chunk) {
                ("static", None) => (turn, count / threads + usize::from(turn < count % threads)),
                ("static", Some(chunk)) => (turn % threads, chunk),
                ("dynamic", chunk) => (first(team), chunk.unwrap_or(1)),
                (_, chunk) => (first(team), rest.div_ceil(threads).max(chunk.unwrap_or(1))),
            };
            for number in done..done + size.min(rest) {
                team[thread].1 = after(team[thread].1, self.act(mark, number));
            }
            done += size.min(rest);
            turn += 1;
        }
    }
}

fn first(team: &[(usize, Time)]) -> usize {
    let threads = 0..team.len();
    threads
        .min_by_key(|&at| (team[at].1, team[at].0))
        .unwrap_or(0)
}

fn meet(team: &mut [(usize, Time)]) {
    let last = team.iter().map(|(_, now)| *now).max().unwrap_or_default();
    for (_, now) in team {
        *now = last;
    }
}

struct Drawer {
    drawing: Drawing,
    nodes: usize,
}

impl Drawer {
    fn name(&mut self, word: &str) -> String {
        self.nodes += 1;
        format!("{word}{}", self.nodes)
    }

    /// Draws an action. `number` is the variable with the number of the thread or iteration that
    /// executes it.
    fn action(&mut self, mark: usize, number: &str, stereotype: &str) -> String {
        let name = self.name("A");
        let code = format!("H = H + {mark} * ({number} + 1);");
        let mut tags = format!("cost=\"1 + {mark} * ({number} + 3) % 7\"");
        if stereotype == "critical" {
            let _ = write!(tags, " name=\"lock {mark}\"");
        }
        self.drawing.action(&name, &code, stereotype, &tags);
        name
    }

    fn region(&mut self, stereotype: &str, tags: &str, content: impl FnOnce(&mut Self)) -> String {
        let name = self.name("R");
        self.drawing.begin_node(&name, stereotype, tags);
        content(self);
        self.drawing.end_node();
        name
    }

    fn shared(&mut self, threads: Option<usize>, shared: Shared) -> String {
        let (count, schedule, chunk, mark) = shared;
        let schedule = SCHEDULES[schedule];
        let mut tags = format!("iterations=\"{count}\" variable=\"i\" schedule=\"{schedule}\"");
        for (tag, value) in [("chunk", chunk), ("threads", threads)] {
            if let Some(value) = value {
                let _ = write!(tags, " {tag}=\"{value}\"");
            }
        }
        self.region("paralleldo", &tags, |it| {
            it.action(mark, "i", "action");
        })
    }

    /// Draws branches. If there are a fork and a join, the branches are between them.
    fn branches(&mut self, branches: &[Part], fork: Option<&str>, join: Option<&str>) {
        for branch in branches {
            let (entry, exit) = self.part(branch);
            if let Some(fork) = fork {
                self.drawing.edge(fork, &entry, "");
            }
            if let Some(join) = join {
                self.drawing.edge(&exit, join, "");
            }
        }
    }

    /// Draws a part. Returns its first and last nodes.
    fn part(&mut self, part: &Part) -> (String, String) {
        let name = match part {
            Part::Row(parts) => {
                let mut ends: Option<(String, String)> = None;
                for part in parts {
                    let (entry, exit) = self.part(part);
                    let begin = match ends {
                        Some((begin, last)) => {
                            self.drawing.edge(&last, &entry, "");
                            begin
                        }
                        None => entry,
                    };
                    ends = Some((begin, exit));
                }
                return ends.expect("rows are not empty");
            }
            Part::Fork(branches, implied) => {
                let kinds = match implied {
                    true => ["OpaqueAction", "OpaqueAction"],
                    false => ["ForkNode", "JoinNode"],
                };
                let (fork, join) = (self.name("F"), self.name("J"));
                self.drawing.node(kinds[0], &fork);
                self.drawing.node(kinds[1], &join);
                self.branches(branches, Some(&fork), Some(&join));
                return (fork, join);
            }
            Part::Act(mark) => self.action(*mark, "tid", "action"),
            Part::Critical(mark) => {
                let stereotype = ["atomic", "critical"][mark % 2];
                self.action(*mark, "tid", stereotype)
            }
            Part::Loop(turns, part) => {
                let tags = format!("iterations=\"{turns}\"");
                self.region("loop", &tags, |it| drop(it.part(part)))
            }
            Part::Team(threads, part) => {
                let tags = format!("threads=\"{threads}\"");
                self.region("parallel", &tags, |it| drop(it.part(part)))
            }
            Part::Do(threads, shared) => self.shared(Some(*threads), *shared),
            Part::SharedDo(shared) => self.shared(None, *shared),
            Part::Sections(threads, parts, drawn) => {
                let tags = format!("threads=\"{threads}\"");
                let fork = drawn.then(|| self.name("F"));
                self.region("parallelsections", &tags, |it| {
                    if let Some(fork) = &fork {
                        it.drawing.node("ForkNode", fork);
                    }
                    it.branches(parts, fork.as_deref(), None);
                })
            }
            Part::Single(part) => self.region("single", "", |it| drop(it.part(part))),
            Part::Master(part) => self.region("master", "", |it| drop(it.part(part))),
            Part::Barrier => {
                let name = self.name("B");
                self.drawing.action(&name, "", "ompbarrier", "");
                name
            }
        };
        (name.clone(), name)
    }
}

fn draw(name: &str, part: &Part) -> String {
    let mut drawer = Drawer {
        drawing: Drawing::new(name),
        nodes: 0,
    };
    drawer.drawing.variable("H", "long", "0");
    drawer.drawing.node("InitialNode", "Start");
    let (entry, exit) = drawer.part(part);
    drawer.drawing.edge("Start", &entry, "");
    drawer.drawing.action("Sum", "", "action", "cost=\"H\"");
    drawer.drawing.edge(&exit, "Sum", "");
    drawer.drawing.xmi()
}

/// Draws a model in a folder, and walks over it. Returns the file's path and the predicted time in
/// seconds.
fn model(folder: &Path, name: &str, part: &Part) -> (PathBuf, usize) {
    let mut walk = Walk::default();
    let (end, _) = walk.alone(part, 0, (0, 0));
    let path = folder.join(name).with_extension("uml");
    fs::create_dir_all(folder).expect("a folder can be made");
    fs::write(&path, draw(name, part)).expect("a file can be written");
    (path, end + walk.sum)
}

fn models(folder: &Path, seed: u64, count: usize) -> Vec<(PathBuf, usize)> {
    let mut maker = Maker {
        random: Random(seed),
        marks: 0,
        teams: 0,
    };
    let models = (0..count).map(|number| {
        maker.marks = 0;
        let part = Part::Row(vec![maker.part(DEPTH, false), maker.team(3, DEPTH)]);
        model(folder, &format!("random_threads_{number}"), &part)
    });
    models.collect()
}

fn paths(models: &[(PathBuf, usize)]) -> Vec<PathBuf> {
    models.iter().map(|(path, _)| path.clone()).collect()
}

const FLAGS: [&str; 6] = [
    "--cpus-per-node",
    "1000",
    "--processes",
    "1",
    "--format",
    "json",
];

/// Compares the result of a model's program with the walk.
fn compare(programs: &Programs, path: &Path, expected: usize) {
    let output = programs.run(path, &FLAGS);
    let (shown, message) = (path.display(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{shown}: {message}");
    assert_ends(path, &output.stdout, expected);
}

/// Asserts that the end time in a result is the same as in the walk.
fn assert_ends(path: &Path, result: &[u8], expected: usize) {
    let path = path.display();
    let result: Value = serde_json::from_slice(result).expect("it is JSON");
    sums::check(&result, &path.to_string());
    let expected = f64::from(u32::try_from(expected).expect("walks are short"));
    assert_eq!(
        result["predicted_time_s"].as_f64(),
        Some(expected),
        "{path}"
    );
}

/// Compares walks over random models with the interpreter.
fn interpret_many(folder: &str, seed: u64, count: usize) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    for (path, expected) in models(&folder, seed, count) {
        let ran = interpreted::run(&path, "model", &FLAGS);
        assert_eq!(ran.code, 0, "{}: {}", path.display(), ran.stderr);
        assert_ends(&path, ran.stdout.as_bytes(), expected);
    }
}

#[test]
fn a_walk_and_the_interpreter_agree() {
    interpret_many("interpreted_threads", 14, 200);
}

#[test]
#[ignore = "it takes minutes: see SECURITY.md"]
fn a_walk_and_the_interpreter_agree_on_very_many() {
    interpret_many("many_interpreted_threads", 15, 10_000);
}

/// Returns sections of which the first takes no time. Also returns their time, including the sum H.
fn free_section() -> (Part, usize) {
    let empty = Part::Do(1, (0, 0, None, 1));
    let part = Part::Sections(3, vec![empty, Part::Act(2), Part::Act(3)], true);
    // Threads 1 and 2 get the other sections. Thread 0 asks again only after all threads have
    // asked.
    let (second, third) = (cost(2, 1), cost(3, 2));
    (part, second.max(third) + 2 * 2 + 3 * 3)
}

#[test]
fn programs_of_threads_end_as_a_walk_does() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_threads");
    let mut models = models(&folder, 11, MODELS);
    let (part, expected) = free_section();
    let (path, walked) = model(&folder, "free_section", &part);
    assert_eq!(walked, expected);
    models.push((path, expected));
    let programs = Programs::build(&folder, &paths(&models));
    for (path, expected) in &models {
        compare(&programs, path, *expected);
    }
    programs.clippy();
}

/// Compares walks over random models with the interpreter and with compiled programs.
#[cfg(unix)]
fn compare_many(folder: &str, seed: u64, count: usize) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let models = models(&folder, seed, count);
    let programs = Programs::together(&folder, &paths(&models), TOGETHER);
    for (path, expected) in &models {
        compare(&programs, path, *expected);
    }
}

#[cfg(unix)]
#[test]
fn a_walk_the_interpreter_and_native_code_agree() {
    compare_many("some_threads", 12, 10);
}

#[cfg(unix)]
#[test]
#[ignore = "it compiles for minutes: see SECURITY.md"]
fn a_walk_the_interpreter_and_native_code_agree_on_very_many() {
    compare_many("many_threads", 13, 200);
}
