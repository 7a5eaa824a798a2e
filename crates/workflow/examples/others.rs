//! Predicts the makespan of each of a workflow's executions twice, to compare the two: with task
//! times from laws fitted to the other executions, and with its own task times.
//!
//! `cargo run --release --example others -- INSTANCE.json …`

#![expect(clippy::print_stdout, reason = "it prints its findings")]

use prophet_workflow::costs::Laws;
use prophet_workflow::schedulers::{AsRecorded, Fcfs};
use prophet_workflow::wfformat::{Document, Instance};
use prophet_workflow::{Scheduler, simulate};

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let read = |path: &String| {
        let text = std::fs::read_to_string(path).expect("it can be read");
        Document::parse(&text).expect("it is a document")
    };
    let documents: Vec<Document> = paths.iter().map(read).collect();
    let mut errors = Vec::new();
    for (number, document) in documents.iter().enumerate() {
        let mut others = documents.clone();
        others.remove(number);
        let mut lawful = document.clone();
        let laws = Laws::fit(&others).expect("there are laws");
        if let Err(problems) = laws.apply(&mut lawful) {
            println!("{}: {}", paths[number], problems[0]);
            continue;
        }
        let [own_s, law_s] = [document, &lawful].map(makespan_s);
        let error = 100.0 * (law_s / own_s - 1.0);
        println!(
            "{}: {own_s:.1} s, {law_s:.1} s, {error:+.1} %",
            paths[number]
        );
        errors.push(error.abs());
    }
    #[allow(clippy::cast_precision_loss, reason = "they are few")]
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    println!("mean error: {mean:.1} % of {}", errors.len());
}

fn makespan_s(document: &Document) -> f64 {
    let instance: Instance = document.instance().expect("it is right");
    let recorded = instance.recorded.as_ref().expect("it is recorded");
    let machine = recorded.machine.as_ref().expect("machines are recorded");
    let mut scheduler: Box<dyn Scheduler> = match instance.recorded_hosts() {
        Some(hosts) => Box::new(AsRecorded::new(hosts)),
        None => Box::<Fcfs>::default(),
    };
    let prediction = simulate(&instance.workflow, machine, &mut *scheduler);
    prediction.expect("it runs").makespan_s()
}
