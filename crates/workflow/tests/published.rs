//! Published examples, whose schedules are known.

use prophet_workflow::schedulers::{Plan, Planner, by_name};
use prophet_workflow::{Cost, Draft, Group, HostId, Link, Machine, Task, Workflow, simulate};

/// A graph of ten tasks on three processors, with costs, and edges with the time between two.
fn graph(costs: [[f64; 3]; 10], edges: &[(usize, usize, u64)]) -> (Workflow, Machine) {
    let mut draft = Draft::new("ten tasks");
    let mut ids = Vec::new();
    for (number, row) in costs.iter().enumerate() {
        let cost = draft.row(row);
        ids.push(draft.task(&format!("T-{}", number + 1), Task::new(cost)));
    }
    for &(from, to, time) in edges {
        let file = draft.file(&format!("{from}-{to}"), time);
        draft.writes(ids[from - 1], file);
        draft.reads(ids[to - 1], file);
    }
    let group = |column| Group {
        column,
        ..Group::new(&format!("P{}", column + 1), 1, 1)
    };
    let mut machine = Machine::new((0..3).map(group).collect()).expect("it is right");
    machine.within = Some(Link {
        bytes_per_s: 1.0,
        latency_s: 0.0,
        is_shared: false,
    });
    (draft.finish().expect("it is right"), machine)
}

/// Figure 3 and table of Topcuoglu, Hariri and Wu (2002).
pub(crate) fn topcuoglu() -> (Workflow, Machine) {
    let costs = [
        [14.0, 16.0, 9.0],
        [13.0, 19.0, 18.0],
        [11.0, 13.0, 19.0],
        [13.0, 8.0, 17.0],
        [12.0, 13.0, 10.0],
        [13.0, 16.0, 9.0],
        [7.0, 15.0, 11.0],
        [5.0, 11.0, 14.0],
        [18.0, 12.0, 20.0],
        [21.0, 7.0, 16.0],
    ];
    let edges = [
        (1, 2, 18),
        (1, 3, 12),
        (1, 4, 9),
        (1, 5, 11),
        (1, 6, 14),
        (2, 8, 19),
        (2, 9, 16),
        (3, 7, 23),
        (4, 8, 27),
        (4, 9, 23),
        (5, 9, 13),
        (6, 8, 15),
        (7, 10, 17),
        (8, 10, 11),
        (9, 10, 13),
    ];
    graph(costs, &edges)
}

/// The sample graph of Arabnejad and Barbosa (2014).
pub(crate) fn arabnejad() -> (Workflow, Machine) {
    let costs = [
        [22.0, 21.0, 36.0],
        [22.0, 18.0, 18.0],
        [32.0, 27.0, 43.0],
        [7.0, 10.0, 4.0],
        [29.0, 27.0, 35.0],
        [26.0, 17.0, 24.0],
        [14.0, 25.0, 30.0],
        [29.0, 23.0, 36.0],
        [15.0, 21.0, 8.0],
        [13.0, 16.0, 33.0],
    ];
    let edges = [
        (1, 2, 17),
        (1, 3, 31),
        (1, 4, 29),
        (1, 5, 13),
        (1, 6, 7),
        (2, 8, 3),
        (2, 9, 30),
        (3, 7, 16),
        (4, 8, 11),
        (4, 9, 7),
        (5, 9, 57),
        (6, 8, 5),
        (7, 10, 9),
        (8, 10, 42),
        (9, 10, 7),
    ];
    graph(costs, &edges)
}

fn makespan_s((workflow, machine): &(Workflow, Machine), name: &str) -> f64 {
    let mut scheduler = by_name(name).expect("there is one");
    let prediction = simulate(workflow, machine, &mut *scheduler).expect("it runs");
    prediction.makespan_s()
}

#[test]
fn heft_and_cpop_of_topcuoglu_2002() {
    assert_eq!(makespan_s(&topcuoglu(), "heft"), 80.0);
    assert_eq!(makespan_s(&topcuoglu(), "cpop"), 86.0);
}

#[test]
fn peft_of_arabnejad_2014() {
    assert_eq!(makespan_s(&arabnejad(), "peft"), 122.0);
    assert_eq!(makespan_s(&arabnejad(), "heft"), 133.0);
    let (workflow, machine) = arabnejad();
    let Plan { hosts, starts_s } = Planner::Peft.plan(&workflow, &machine).expect("it can");
    let starts = [0.0, 29.0, 51.0, 22.0, 35.0, 29.0, 83.0, 54.0, 81.0, 106.0];
    assert_eq!(starts_s, starts);
    let expected = [0, 0, 0, 0, 2, 1, 0, 1, 2, 1].map(HostId);
    assert_eq!(hosts, expected);
}

/// A job of a machine that is shared in space: when it comes, its cores, its time.
type Job = (f64, u32, f64);

/// Starts of jobs on one host of ten cores.
fn starts_s(jobs: &[Job], name: &str) -> Vec<f64> {
    let mut draft = Draft::new("jobs");
    for (number, &(release_s, cores, seconds)) in jobs.iter().enumerate() {
        let mut task = Task::new(Cost::Seconds(seconds));
        task.cores = cores;
        task.release_s = release_s;
        draft.task(&format!("job {}", number + 1), task);
    }
    let workflow = draft.finish().expect("it is right");
    let machine = Machine::new(vec![Group::new("host", 1, 10)]).expect("it is right");
    let mut scheduler = by_name(name).expect("there is one");
    let prediction = simulate(&workflow, &machine, &mut *scheduler).expect("it runs");
    workflow
        .ids()
        .map(|it| prediction.run(it).start_s)
        .collect()
}

/// Describes what Mu'alem and Feitelson (2001) explain of both kinds of backfilling in section 2.
#[test]
fn easy_delays_the_second_job_in_the_queue_and_conservative_backfilling_does_not() {
    // Job 2 waits for job 1. Job 4 is short and ends before that: all backfilling lets it jump.
    let jobs = [
        (0.0, 6, 10.0),
        (1.0, 8, 10.0),
        (2.0, 10, 5.0),
        (3.0, 4, 7.0),
    ];
    assert_eq!(starts_s(&jobs, "fcfs"), [0.0, 10.0, 20.0, 25.0]);
    assert_eq!(starts_s(&jobs, "easy"), [0.0, 10.0, 20.0, 3.0]);
    assert_eq!(starts_s(&jobs, "conservative"), [0.0, 10.0, 20.0, 3.0]);
    // Job 4 takes 2 cores that job 2 does not need, for so long that job 3 is late: EASY has
    // promised nothing to job 3.
    let jobs = [
        (0.0, 6, 10.0),
        (1.0, 8, 10.0),
        (2.0, 10, 5.0),
        (3.0, 2, 30.0),
    ];
    assert_eq!(starts_s(&jobs, "easy"), [0.0, 10.0, 33.0, 3.0]);
    assert_eq!(starts_s(&jobs, "conservative"), [0.0, 10.0, 20.0, 25.0]);
    // Job 4 would delay job 2, the first in the queue: nobody lets it jump.
    let jobs = [
        (0.0, 6, 10.0),
        (1.0, 8, 10.0),
        (2.0, 10, 5.0),
        (3.0, 4, 8.0),
    ];
    assert_eq!(starts_s(&jobs, "easy"), [0.0, 10.0, 20.0, 25.0]);
    assert_eq!(starts_s(&jobs, "conservative"), [0.0, 10.0, 20.0, 25.0]);
}
