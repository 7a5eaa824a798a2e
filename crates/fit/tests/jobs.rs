//! Tests Slurm jobs in all formats of `sacct`, and requests for later jobs.

#![allow(clippy::cast_precision_loss, reason = "counts are small")]

use std::fmt::Write as _;

use prophet_fit::measurements::{Choice, Series, parse};
use prophet_testing::Home;
use prophet_testing::laws::Random;
use serde_json::{Value, json};

use crate::command::home;

const TASKS: u64 = 32;
const NODES: [u64; 5] = [1, 2, 4, 8, 16];
/// Number of nodes in later jobs: between the measured ones, and twice the largest one.
const LATER: [u64; 2] = [12, 32];
const DRAWS: u64 = 6;

/// Draws from an approximately standard normal distribution.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}

/// A law for the hours, and one for the GiB per task, by number of nodes and without noise.
#[derive(Clone, Copy)]
struct Law {
    hours: fn(f64) -> f64,
    memory: fn(f64) -> f64,
    /// Standard deviation of the logarithm of times, and of memory.
    noise: [f64; 2],
}

const LAWS: [Law; 4] = [
    Law {
        hours: |nodes| 0.5 + 9.0 / nodes,
        memory: |nodes| 0.7 + 3.0 / nodes,
        noise: [0.08, 0.03],
    },
    Law {
        hours: |nodes| 6.0 + 0.5 * nodes.log2(),
        memory: |_| 2.0,
        noise: [0.05, 0.06],
    },
    Law {
        hours: |nodes| 20.0 / nodes.sqrt(),
        memory: |nodes| 1.0 + 0.05 * nodes,
        noise: [0.15, 0.05],
    },
    Law {
        hours: |nodes| 3.0 + 0.1 * nodes,
        memory: |nodes| 6.0 / nodes.sqrt(),
        noise: [0.1, 0.1],
    },
];

struct Attempt {
    id: u64,
    nodes: u64,
    state: &'static str,
    seconds: u64,
    kibibytes: u64,
}

impl Attempt {
    fn new(random: &mut Random, law: Law, id: u64, nodes: u64) -> Self {
        let [time, memory] = law.noise.map(|it| (it * normal(random)).exp());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let whole = |it: f64| it.round() as u64;
        Self {
            id,
            nodes,
            state: "COMPLETED",
            seconds: whole(3600.0 * time * (law.hours)(nodes as f64)),
            kibibytes: whole(1_048_576.0 * memory * (law.memory)(nodes as f64)),
        }
    }

    fn elapsed(&self) -> String {
        let (days, rest) = (self.seconds / 86400, self.seconds % 86400);
        let rest = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
        if days > 0 {
            format!("{days}-{rest}")
        } else {
            rest
        }
    }

    fn rows(&self) -> [[String; 8]; 4] {
        let Self { id, nodes, .. } = self;
        let (state, elapsed) = (self.state.to_owned(), self.elapsed());
        let (cpus, small) = (nodes * TASKS, format!("{}K", self.kibibytes / 3));
        let most = format!("{}K", self.kibibytes);
        let row = |step: &str, name: &str, tasks: String, memory: &str| {
            let step = format!("{id}{step}");
            let (nodes, cpus) = (nodes.to_string(), cpus.to_string());
            let (state, elapsed) = (state.clone(), elapsed.clone());
            [
                step,
                name.into(),
                state,
                nodes,
                tasks,
                cpus,
                elapsed,
                memory.into(),
            ]
        };
        [
            row("", "solve", String::new(), ""),
            row(".batch", "batch", "1".into(), &small),
            row(".extern", "extern", nodes.to_string(), "0"),
            row(".0", "solver", (TASKS * nodes).to_string(), &most),
        ]
    }

    fn json(&self) -> Value {
        let step = |tasks: u64, kibibytes: u64| {
            json!({"tasks": {"count": tasks}, "tres": {"requested": {"max": [
                {"type": "cpu", "count": 1}, {"type": "mem", "count": 1024 * kibibytes}]}}})
        };
        let cpus = self.nodes * TASKS;
        json!({
            "job_id": self.id, "name": "solve", "state": {"current": [self.state]},
            "time": {"elapsed": self.seconds}, "allocation_nodes": self.nodes,
            "required": {"CPUs": cpus},
            "steps": [step(1, self.kibibytes / 3), step(cpus, self.kibibytes)],
        })
    }
}

/// Returns `count` jobs, some of which fail, time out, or are requeued.
fn jobs(random: &mut Random, law: Law, count: usize, nodes: &[u64]) -> Vec<Attempt> {
    let mut jobs = Vec::new();
    for index in 0..count {
        let (id, nodes) = (1000 + index as u64, nodes[index % nodes.len()]);
        let mut job = Attempt::new(random, law, id, nodes);
        match random.below(20) {
            0 => job.state = "FAILED",
            1 => job.state = "TIMEOUT",
            2 => job.state = "CANCELLED by 1000",
            3 => jobs.push(Attempt {
                state: ["REQUEUED", "COMPLETED"][random.below(2)],
                seconds: job.seconds / 2,
                kibibytes: job.kibibytes / 2,
                ..job
            }),
            4 => job.state = "OUT_OF_MEMORY",
            _ => {}
        }
        if job.state != "COMPLETED" {
            job.seconds /= 3;
        }
        jobs.push(job);
    }
    jobs
}

const HEADER: [&str; 8] = [
    "JobID", "JobName", "State", "NNodes", "NTasks", "NCPUS", "Elapsed", "MaxRSS",
];

fn parsable(jobs: &[Attempt], end: &str) -> String {
    let mut text = format!("{}{end}\n", HEADER.join("|"));
    for row in jobs.iter().flat_map(Attempt::rows) {
        writeln!(text, "{}{end}", row.join("|")).expect("text can always grow");
    }
    text
}

fn table(jobs: &[Attempt]) -> String {
    let mut text = String::new();
    let mut line = |cells: [&str; 8]| {
        let cells = cells.map(|it| match it.len() {
            0..=10 => format!("{it:>10}"),
            _ => format!("{}+", &it[..9]),
        });
        writeln!(text, "{} ", cells.join(" ")).expect("text can always grow");
    };
    line(HEADER);
    line(["----------"; 8]);
    for row in jobs.iter().flat_map(Attempt::rows) {
        line([0, 1, 2, 3, 4, 5, 6, 7].map(|it| row[it].as_str()));
    }
    text
}

fn document(jobs: &[Attempt]) -> String {
    let jobs: Vec<Value> = jobs.iter().map(Attempt::json).collect();
    json!({"meta": {"plugin": {}}, "jobs": jobs}).to_string()
}

fn read(text: &str) -> Vec<Series> {
    parse("jobs", text.as_bytes(), &Choice::default()).expect("it is read")
}

#[test]
fn all_forms_of_sacct_say_the_same() {
    for seed in 0..4 {
        let jobs = jobs(&mut Random(seed), LAWS[0], 200, &NODES);
        let found = read(&parsable(&jobs, ""));
        assert_eq!(found, read(&parsable(&jobs, "|")));
        assert_eq!(found, read(&table(&jobs)));
        assert_eq!(found, read(&document(&jobs)));
        let values: Vec<usize> = { found.iter() }
            .map(|it| it.points.iter().map(|it| it.values.len()).sum())
            .collect();
        let completed = jobs.iter().filter(|it| it.state == "COMPLETED").count();
        assert!(values[0] <= completed && values[0] > 140, "{values:?}");
        assert_eq!(values[0], values[1]);
        assert_eq!(found[0].parameters, ["nodes"]);
        let left = &found[0].notes[0];
        for state in [
            "FAILED",
            "TIMEOUT",
            "CANCELLED",
            "OUT_OF_MEMORY",
            "an earlier attempt",
        ] {
            assert!(left.contains(state), "{left}");
        }
    }
}

#[test]
fn requests_are_written_or_refused() {
    home().assert_transcripts("tests/cases/requests.txt");
}

/// Returns the seconds and the bytes per node in the lines of a request.
fn requested(home: &Home, words: &str) -> (f64, f64) {
    let text = home.printed(words);
    let option = |name: &str| {
        let mut values = text.lines().filter_map(|it| it.strip_prefix("#SBATCH --"));
        let value = values.find_map(|it| it.strip_prefix(name));
        value
            .unwrap_or_else(|| panic!("{name} in {text}"))
            .to_owned()
    };
    let number = |text: &str| text.parse::<f64>().expect("it is a number");
    let time = option("time=");
    let (days, rest) = time.split_once('-').unwrap_or(("0", &time));
    let seconds = rest.split(':').fold(0.0, |sum, it| 60.0 * sum + number(it));
    let memory = option("mem=");
    let (amount, unit) = memory.split_at(memory.len() - 1);
    let unit = 2_f64.powi(if unit == "G" { 30 } else { 20 });
    (seconds + 86400.0 * number(days), unit * number(amount))
}

/// Returns the shares of later jobs that stay within the requested time, the requested memory, and
/// both.
fn kept(count: usize, ran: &[u64], later: &[u64]) -> [f64; 3] {
    let home = home();
    let mut kept = [0.0; 3];
    let mut all = 0.0;
    for (index, law) in LAWS.into_iter().enumerate() {
        for draw in 0..DRAWS {
            let mut random = Random(100 * index as u64 + draw);
            home.write(
                "jobs.txt",
                parsable(&jobs(&mut random, law, count, ran), ""),
            );
            for nodes in later {
                let (time, memory) =
                    requested(&home, &format!("jobs.txt --request --at nodes={nodes}"));
                for _ in 0..200 {
                    let job = Attempt::new(&mut random, law, 1, *nodes);
                    let keeps_time = job.seconds as f64 <= time;
                    let keeps_memory = (1024 * TASKS * job.kibibytes) as f64 <= memory;
                    for (sum, keeps) in
                        kept.iter_mut()
                            .zip([keeps_time, keeps_memory, keeps_time && keeps_memory])
                    {
                        *sum += f64::from(u8::from(keeps));
                    }
                    all += 1.0;
                }
            }
        }
    }
    kept.map(|it| it / all)
}

/// Checks that the share of later jobs within their requests is close to 95 %.
#[track_caller]
fn assert_kept(count: usize, ran: &[u64], later: &[u64], least: f64) {
    let [time, memory, both] = kept(count, ran, later);
    eprintln!(
        "after {count} jobs on {ran:?} nodes, of later ones on {later:?}, {time:.3} keep the \
         time, {memory:.3} the memory, {both:.3} both"
    );
    for share in [time, memory] {
        assert!((least..=0.995).contains(&share), "{share}");
    }
}

#[test]
fn later_jobs_keep_their_requests() {
    assert_kept(200, &NODES, &LATER, 0.93);
}

#[test]
fn requests_by_few_jobs_are_kept_too() {
    assert_kept(20, &NODES, &LATER, 0.9);
}

#[test]
fn requests_of_the_same_size_are_kept_too() {
    assert_kept(60, &[4], &[4], 0.93);
}
