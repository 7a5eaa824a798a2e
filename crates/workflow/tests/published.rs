//! Tests published examples whose schedules are known.

use prophet_workflow::schedulers::{Plan, Planner};
use prophet_workflow::{Draft, Group, HostId, Task, Workflow, WorkflowMachine};

use crate::queues;
use crate::random::{link, predict};

/// Returns a graph on three processors, from rows with the costs of its tasks, and its edges with
/// the time between two tasks.
fn graph(text: &str) -> (Workflow, WorkflowMachine) {
    let mut draft = Draft::new("ten tasks");
    let (costs, edges) = text.split_once("\n\n").expect("there are two parts");
    let mut ids = Vec::new();
    for (line, number) in costs.lines().zip(1..) {
        let row = line.split(' ').map(|it| it.parse().expect("it is a cost"));
        let cost = draft.row(&row.collect::<Vec<f64>>());
        ids.push(draft.task(&format!("T-{number}"), Task::new(cost)));
    }
    for line in edges.lines() {
        let mut numbers = line
            .split(' ')
            .map(|it| it.parse::<usize>().expect("it is a number"));
        let [from, to, time] = [(); 3].map(|()| numbers.next().expect("there are three"));
        let file = draft.file(&format!("{from}-{to}"), time as u64);
        draft.writes(ids[from - 1], file);
        draft.reads(ids[to - 1], file);
    }
    let group = |column| Group {
        column,
        ..Group::new(&format!("P{}", column + 1), 1, 1)
    };
    let mut machine = WorkflowMachine::new((0..3).map(group).collect()).expect("it is right");
    machine.within = Some(link(1.0, 0.0));
    (draft.finish().expect("it is right"), machine)
}

/// Returns figure 3 and the table of Topcuoglu, Hariri and Wu (2002).
pub(crate) fn topcuoglu() -> (Workflow, WorkflowMachine) {
    graph(include_str!("data/topcuoglu-2002.txt"))
}

/// Returns the sample graph of Arabnejad and Barbosa (2014).
pub(crate) fn arabnejad() -> (Workflow, WorkflowMachine) {
    graph(include_str!("data/arabnejad-2014.txt"))
}

fn makespan_s((workflow, machine): &(Workflow, WorkflowMachine), name: &str) -> f64 {
    predict(workflow, machine, name).makespan_s()
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
    let Plan {
        hosts, starts_s, ..
    } = Planner::Peft.plan(&workflow, &machine).expect("it can");
    let starts = [0.0, 29.0, 51.0, 22.0, 35.0, 29.0, 83.0, 54.0, 81.0, 106.0];
    assert_eq!(starts_s, starts);
    let expected = [0, 0, 0, 0, 2, 1, 0, 1, 2, 1].map(HostId);
    assert_eq!(hosts, expected);
}

/// A job on a space-shared machine: arrival, cores, time.
type Job = (f64, u32, f64);

/// Returns the starts of jobs on a single host with ten cores.
fn starts_s(jobs: &[Job], name: &str) -> Vec<f64> {
    let machine = WorkflowMachine::new(vec![Group::new("host", 1, 10)]).expect("it is right");
    queues::starts_s(&queues::tasks(jobs), &machine, name)
}

/// Reproduces what section 2 of Mu'alem and Feitelson (2001) explains about both kinds of
/// backfilling.
#[test]
fn easy_delays_the_second_job_in_the_queue_and_conservative_backfilling_does_not() {
    // Job 2 waits for job 1. Job 4 is short and ends before that, so both kinds of backfilling let
    // it jump the queue.
    let jobs = [
        (0.0, 6, 10.0),
        (1.0, 8, 10.0),
        (2.0, 10, 5.0),
        (3.0, 4, 7.0),
    ];
    assert_eq!(starts_s(&jobs, "fcfs"), [0.0, 10.0, 20.0, 25.0]);
    assert_eq!(starts_s(&jobs, "easy"), [0.0, 10.0, 20.0, 3.0]);
    assert_eq!(starts_s(&jobs, "conservative"), [0.0, 10.0, 20.0, 3.0]);
    // Job 4 takes 2 cores that job 2 doesn't need, for so long that job 3 is late. EASY promised
    // nothing to job 3.
    let jobs = [
        (0.0, 6, 10.0),
        (1.0, 8, 10.0),
        (2.0, 10, 5.0),
        (3.0, 2, 30.0),
    ];
    assert_eq!(starts_s(&jobs, "easy"), [0.0, 10.0, 33.0, 3.0]);
    assert_eq!(starts_s(&jobs, "conservative"), [0.0, 10.0, 20.0, 25.0]);
    // Job 4 would delay job 2, which is first in the queue, so neither kind lets it jump the queue.
    let jobs = [
        (0.0, 6, 10.0),
        (1.0, 8, 10.0),
        (2.0, 10, 5.0),
        (3.0, 4, 8.0),
    ];
    assert_eq!(starts_s(&jobs, "easy"), [0.0, 10.0, 20.0, 25.0]);
    assert_eq!(starts_s(&jobs, "conservative"), [0.0, 10.0, 20.0, 25.0]);
}
