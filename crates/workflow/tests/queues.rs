//! Tests the queues of sites: waits computed by hand, logs, and what is rejected.

use std::sync::Arc;

use prophet_workflow::schedulers::by_name;
use prophet_workflow::{
    Draft, Group, Job, Policy, Queue, QueueWait, Task, TaskCost, Workflow, WorkflowMachine,
    simulate, swf,
};

use crate::random::predict;

/// Returns a line of a log: number, submission, run time, processors, requested time.
fn line(number: u32, [submit_s, run_s, cores, requested_s]: [i64; 4]) -> String {
    format!(
        "{number} {submit_s} 0 {run_s} {cores} -1 -1 {cores} {requested_s} -1 1 3 1 -1 1 -1 -1 -1\n"
    )
}

fn log(jobs: &[[i64; 4]]) -> Arc<[Job]> {
    let text: String = (1..).zip(jobs).map(|(it, job)| line(it, *job)).collect();
    let log = swf::parse(&text, 0.0).expect("it is a log");
    log.jobs.into_iter().map(|it| it.0).collect()
}

/// Returns independent tasks, given their submission, cores and seconds.
pub(crate) fn tasks(tasks: &[(f64, u32, f64)]) -> Workflow {
    let mut draft = Draft::new("tasks");
    for (number, &(release_s, cores, seconds)) in tasks.iter().enumerate() {
        let mut task = Task::new(TaskCost::Seconds(seconds));
        (task.cores, task.release_s) = (cores, release_s);
        draft.task(&number.to_string(), task);
    }
    draft.finish().expect("it is right")
}

fn cluster(cores: u32, jobs: Arc<[Job]>, policy: Policy) -> WorkflowMachine {
    let group = Group::new("node", cores / 2, 2);
    let mut machine = WorkflowMachine::new(vec![group]).expect("it is right");
    (machine.queues[0].jobs, machine.queues[0].policy) = (jobs, policy);
    machine
}

pub(crate) fn starts_s(workflow: &Workflow, machine: &WorkflowMachine, name: &str) -> Vec<f64> {
    let prediction = predict(workflow, machine, name);
    workflow
        .ids()
        .map(|it| prediction.run(it).start_s)
        .collect()
}

#[test]
fn a_task_waits_for_the_jobs_before_it() {
    // There are four cores. Job 1 runs until 10, job 2 runs until 20, and job 3 arrives after the
    // task.
    let jobs = log(&[[0, 10, 4, 10], [1, 10, 4, 10], [3, 10, 4, 10]]);
    let machine = cluster(4, jobs, Policy::Fcfs);
    let workflow = tasks(&[(2.0, 1, 5.0)]);
    for name in [
        "fcfs",
        "easy",
        "conservative",
        "data-aware",
        "heft",
        "min-min",
    ] {
        assert_eq!(starts_s(&workflow, &machine, name), [20.0], "{name}");
    }
    // Job 3 gets the task's cores after the task has ended.
    let prediction = predict(&workflow, &machine, "fcfs");
    let starts: Vec<f64> = prediction.jobs().iter().map(|it| it.start_s).collect();
    assert_eq!(starts, [0.0, 10.0, 25.0]);
}

#[test]
fn easy_lets_a_task_jump_that_delays_no_job() {
    // Job 1 occupies two of four cores until 10. Job 2 needs all four.
    let jobs = || log(&[[0, 10, 2, 10], [1, 10, 4, 10]]);
    let (short, long) = (tasks(&[(2.0, 1, 8.0)]), tasks(&[(2.0, 1, 9.0)]));
    let fcfs = cluster(4, jobs(), Policy::Fcfs);
    assert_eq!(starts_s(&short, &fcfs, "fcfs"), [20.0]);
    let easy = cluster(4, jobs(), Policy::Easy);
    assert_eq!(starts_s(&short, &easy, "fcfs"), [2.0]);
    assert_eq!(starts_s(&long, &easy, "fcfs"), [20.0]);
}

#[test]
fn jobs_jump_each_other_by_easy_alone() {
    // Job 3 is short and fits next to job 1. Job 2 needs all cores.
    let jobs = || log(&[[0, 10, 2, 10], [1, 10, 4, 10], [2, 8, 2, 8]]);
    let workflow = tasks(&[(100.0, 1, 1.0)]);
    let starts = |policy| {
        let prediction = predict(&workflow, &cluster(4, jobs(), policy), "fcfs");
        let mut starts: Vec<_> = { prediction.jobs().iter() }
            .map(|it| (it.job, it.start_s))
            .collect();
        starts.sort_by_key(|it| it.0);
        starts
    };
    assert_eq!(starts(Policy::Fcfs), [(0, 0.0), (1, 10.0), (2, 20.0)]);
    assert_eq!(starts(Policy::Easy), [(0, 0.0), (1, 10.0), (2, 2.0)]);
}

#[test]
fn jobs_before_the_workflow_are_on_the_machine_when_it_starts() {
    let text = line(1, [0, 100, 4, 100]) + &line(2, [80, 30, 4, 30]);
    let log = swf::parse(&text, 90.0).expect("it is a log");
    let jobs = log.jobs.into_iter().map(|it| it.0).collect();
    let machine = cluster(4, jobs, Policy::Fcfs);
    assert_eq!(starts_s(&tasks(&[(0.0, 1, 1.0)]), &machine, "fcfs"), [40.0]);
}

/// Returns the mean wait in an M/M/c queue in service times, by Erlang's formula.
fn erlang_wait(servers: u32, load: f64) -> f64 {
    let offered = load * f64::from(servers);
    let (mut term, mut sum) = (1.0, 0.0);
    for number in 1..=servers {
        sum += term;
        term *= offered / f64::from(number);
    }
    let waits = term / (1.0 - load);
    waits / (sum + waits) / (f64::from(servers) * (1.0 - load))
}

#[test]
fn waits_are_those_of_m_m_c() {
    use prophet_sim::variates::Generator;
    let (cores, load, count) = (4, 0.8, 200_000);
    let mut random = Generator::named(7, "jobs");
    let mut at_s = 0.0;
    let (mut jobs, mut mine) = (Vec::new(), Vec::new());
    for number in 0..count {
        at_s += random
            .exponential(1.0 / (load * f64::from(cores)))
            .expect("a mean");
        let run_s = random.exponential(1.0).expect("a mean");
        // Every tenth is a task. Poisson arrivals all see the same waits.
        if number % 10 == 0 {
            mine.push((at_s, 1, run_s));
        } else {
            jobs.push(Job {
                submit_s: at_s,
                cores: 1,
                run_s,
                requested_s: run_s,
            });
        }
    }
    let workflow = tasks(&mine);
    let machine = cluster(cores, jobs.into(), Policy::Fcfs);
    let prediction = predict(&workflow, &machine, "fcfs");
    let waits = workflow
        .ids()
        .map(|it| prediction.run(it))
        .map(|it| it.start_s - it.ready_s);
    let mean_s = waits.sum::<f64>() / f64::from(count / 10);
    let expected_s = erlang_wait(4, load);
    assert!(
        (mean_s / expected_s - 1.0).abs() < 0.05,
        "{mean_s} {expected_s}"
    );
}

#[test]
fn a_task_starts_at_the_site_that_lets_it_pass_first() {
    let mut groups = vec![Group::new("fast", 1, 1), Group::new("slow", 1, 1)];
    (groups[0].speed, groups[1].site) = (2.0, 1);
    let mut machine = WorkflowMachine::new(groups).expect("it is right");
    machine.queues[0].wait = QueueWait::Seconds(10.0);
    machine.queues[1].wait = QueueWait::Seconds(3.0);
    let workflow = tasks(&[(0.0, 1, 20.0), (0.0, 1, 20.0)]);
    for name in ["fcfs", "data-aware", "easy"] {
        assert_eq!(starts_s(&workflow, &machine, name), [3.0, 10.0], "{name}");
    }
    // Planned tasks wait only for their host's site. The plan doesn't know the queues.
    assert_eq!(starts_s(&workflow, &machine, "heft"), [10.0, 20.0]);
}

#[test]
fn waits_are_sampled_for_each_task_from_the_seed() {
    let mut machine = cluster(2000, Arc::default(), Policy::Fcfs);
    machine.queues[0].wait = QueueWait::Exponential { mean_s: 5.0 };
    let workflow = tasks(&vec![(0.0, 1, 1.0); 2000]);
    let mean_s =
        |machine: &WorkflowMachine| starts_s(&workflow, machine, "fcfs").iter().sum::<f64>() / 2e3;
    let first_s = mean_s(&machine);
    assert!((first_s - 5.0).abs() < 0.5, "{first_s}");
    assert_eq!(mean_s(&machine), first_s);
    machine.seed = 2;
    assert_ne!(mean_s(&machine), first_s);
}

#[test]
fn a_log_is_read_by_the_standard() {
    let text = "; Version: 2.2\n; MaxProcs: 128\n\n\
        1 5 3 60 -1 -1 -1 16 -1 -1 1 3 1 -1 1 -1 -1 -1\n\
        2 4 -1 -1 8 -1 -1 8 600 -1 5 3 1 -1 1 -1 -1 -1\n\
        3 2 0 10.5 4 -1 -1 8 600 -1 1 3 1 -1 1 -1 -1 -1\n";
    let log = swf::parse(text, 1.0).expect("it is a log");
    assert_eq!((log.processors, log.skipped), (Some(128), 1));
    let job = |submit_s, cores, run_s, requested_s| Job {
        submit_s,
        cores,
        run_s,
        requested_s,
    };
    // Requested processors and the run time replace unknown values.
    let expected = [(job(1.0, 4, 10.5, 600.0), 6), (job(4.0, 16, 60.0, 60.0), 4)];
    assert_eq!(log.jobs, expected);
}

#[test]
fn what_is_no_log_is_refused_with_its_line() {
    let check = |text: &str, expected: &str| {
        let problem = swf::parse(text, 0.0).expect_err("it is wrong");
        assert_eq!(problem.to_string(), expected);
    };
    let help = "help: Write the 18 numbers of the Standard Workload Format for each job.";
    check(
        "; a\n1 2 3\n",
        &format!("line 2: expected 18 numbers in a job, found 3\n{help}"),
    );
    check(
        "1 two\n",
        &format!("line 1: expected a number, found `two`\n{help}"),
    );
    check(
        "1 inf\n",
        &format!("line 1: expected a number, found `inf`\n{help}"),
    );
    let half = line(1, [0, 1, 1, 1]).replace(" 1 -1 -1 1 ", " 1.5 -1 -1 1 ");
    check(
        &half,
        &format!("line 1: 1.5 is not a number of processors\n{help}"),
    );
}

#[test]
fn jobs_of_the_engine_pass_before_and_after_the_tasks() {
    let mut machine = cluster(4, Arc::default(), Policy::Fcfs);
    machine.queues[0] = Queue::pegasus("5.0");
    let mut draft = Draft::new("chain");
    let first = draft.task("first", Task::new(TaskCost::Seconds(100.0)));
    let second = draft.task("second", Task::new(TaskCost::Seconds(12.0)));
    draft.waits(second, first);
    let workflow = draft.finish().expect("it is right");
    let prediction = predict(&workflow, &machine, "fcfs");
    // The jobs start at 20 s and 40 s. A task ends at 160 s, which lets the next one start at 180
    // s.
    assert_eq!(
        [first, second].map(|it| prediction.run(it).start_s),
        [60.0, 180.0]
    );
    // The last task ends at 192 s, and the jobs after it start at 200 s and 220 s.
    assert_eq!(prediction.makespan_s(), 220.0);
}

#[test]
fn an_engine_submits_tasks_one_after_another() {
    let mut machine = cluster(4, Arc::default(), Policy::Fcfs);
    machine.queues[0].submit_interval_s = 2.0;
    let workflow = tasks(&[(0.0, 1, 1.0); 3]);
    assert_eq!(starts_s(&workflow, &machine, "fcfs"), [0.0, 2.0, 4.0]);
}

#[test]
fn queues_that_cannot_be_are_refused() {
    let workflow = tasks(&[(0.0, 1, 1.0)]);
    let check = |queue: Queue, expected: &str| {
        let mut machine = cluster(4, Arc::default(), Policy::Fcfs);
        machine.queues[0] = queue;
        let mut scheduler = by_name("fcfs").expect("there is one");
        let problem = simulate(&workflow, &machine, &mut *scheduler).expect_err("it is wrong");
        assert_eq!(problem.to_string(), expected);
    };
    let wrong = "a bandwidth, time or price of the machine is negative, 0 or not a number\n\
                 help: Use bandwidths above 0, and times and prices of 0 or more.";
    let waits = [
        QueueWait::Seconds(-1.0),
        QueueWait::Exponential { mean_s: f64::NAN },
        QueueWait::Uniform {
            low_s: 2.0,
            high_s: 1.0,
        },
        QueueWait::Lognormal {
            mu: 1.0,
            sigma: -1.0,
        },
        QueueWait::Weibull {
            shape: 0.0,
            scale_s: 1.0,
        },
    ];
    for wait in waits {
        check(
            Queue {
                wait,
                ..Queue::default()
            },
            wrong,
        );
    }
    let endless = Queue {
        engine_jobs: [u32::MAX, 0],
        ..Queue::default()
    };
    check(endless, wrong);
    let large = Queue {
        jobs: log(&[[0, 1, 5, 1]]),
        ..Queue::default()
    };
    check(
        large,
        "site `site 1`: a job of another user needs 5 cores, but the site has 4\n\
         help: Add hosts to the site, or use another log.",
    );
}
