use prophet_testing::assert_cases;
use prophet_text::columns;
use proptest::prelude::*;

use super::*;
use crate::elements::ActionPlus;
use crate::language::model::Parameter;
use crate::results::outcome::{AcceleratorOutcome, ElementOutcome, Evaluation, ProcessOutcome};
use crate::simulation::Simulation;

const SAMPLE: Model = Model::new("SampleModel", &[], 7);

const LAPW0: Model = Model::new(
    "Lapw0",
    &[
        Parameter::new("NAT", Value::Int(32)),
        Parameter::new("SCALE", Value::Real(1.0)),
        Parameter::new("CHECKED", Value::Bool(false)),
    ],
    2,
);

fn element(name: &str, id: i64, kind: &'static str, count: u32, times: [f64; 2]) -> ElementOutcome {
    let [total_s, max_s] = times;
    ElementOutcome {
        name: name.to_owned(),
        id,
        kind: kind.into(),
        count: u64::from(count),
        total_s,
        mean_s: total_s / f64::from(count),
        max_s,
        share: 0.0,
    }
}

fn process(pid: u32, nid: u32, [compute_s, communication_s, wait_s]: [f64; 3]) -> ProcessOutcome {
    let end_s = compute_s + communication_s + wait_s;
    ProcessOutcome {
        pid,
        nid,
        end_s,
        compute_s,
        communication_s,
        wait_s,
        hold_s: 0.0,
    }
}

/// Computes the elements' shares, as if none were executed by several threads.
fn with_shares(mut outcome: Outcome) -> Outcome {
    let all_s: f64 = outcome.processes.iter().map(|it| it.end_s).sum();
    for element in &mut outcome.elements {
        element.share = element.total_s / all_s;
    }
    outcome
}

fn evaluation() -> Evaluation {
    Evaluation {
        engine: "event".into(),
        threads: 1,
        evaluated: "native".into(),
        wall_s: 0.000_123_4,
        cpu_s: 0.0001,
        events: 1234,
        messages: 24,
        peak_memory_bytes: 3_512_320,
        ..Evaluation::default()
    }
}

/// The sample from the paper, on four CPUs.
fn sample() -> (System, Outcome) {
    let ends = [32.0, 16.0, 10.0, 8.0];
    let outcome = Outcome {
        predicted_time_s: 194.184_431_847_133_76,
        processes: (0..4)
            .zip(ends)
            .map(|(pid, own)| process(pid, 0, [162.184_431_847_133_76, own, 0.0]))
            .collect(),
        elements: vec![
            element(
                "A1",
                351_571_381,
                "action+",
                4,
                [154.140_127_388_535, 38.535_031_847_133_76],
            ),
            element("SA", 77, "activity+", 4, [514.0, 144.0]),
            element("SA1", 1_863_688_672, "action+", 4, [448.0, 112.0]),
            element("SA2", 1_031_993_818, "allreduce", 4, [66.0, 32.0]),
            element("A4", 1_239_919_776, "action+", 4, [46.5976, 11.6494]),
        ],
        evaluation: evaluation(),
        ..Outcome::default()
    };
    (System::new(1, 4, 4, 1), with_shares(outcome))
}

fn table(model: &Model, system: &System, outcome: &Outcome) -> String {
    let report = Report {
        model,
        system,
        outcome,
        all_processes: false,
    };
    let mut text = Vec::new();
    report.write_table(&mut text, false).unwrap();
    String::from_utf8(text).unwrap()
}

fn json(model: &Model, system: &System, outcome: &Outcome, all_processes: bool) -> String {
    let mut text = Vec::new();
    Report {
        model,
        system,
        outcome,
        all_processes,
    }
    .write_json(&mut text)
    .unwrap();
    String::from_utf8(text).unwrap()
}

/// Forty elements on a thousand processes.
fn large() -> (System, Outcome) {
    let mut system = System::new(256, 4, 1024, 2);
    system.network = "loggp:L=2us,o=1us,g=0,G=1ns".parse().unwrap();
    system.parameters = vec![Value::Int(64), Value::Real(1e-6), Value::Bool(true)];
    let outcome = Outcome {
        predicted_time_s: 12.3e-6,
        processes: (0..1024)
            .map(|pid| process(pid, pid / 4, [1e-5, 2e-6, 3e-7]))
            .collect(),
        elements: (1..=40_u32)
            .map(|n| {
                let name = format!("Define_Total_Potential_VTOT_{n}");
                element(
                    &name,
                    i64::from(n),
                    "action+",
                    1024,
                    [f64::from(n % 30) * 1e-4, 1e-6],
                )
            })
            .collect(),
        evaluation: evaluation(),
        ..Outcome::default()
    };
    (system, with_shares(outcome))
}

/// The table of processes with elements that hold.
fn holding() -> String {
    let holding = |pid, hold_s| {
        let mut process = process(pid, 3, [1.0, 0.5, 0.25]);
        process.hold_s = hold_s;
        process.end_s += hold_s;
        process
    };
    let outcome = Outcome {
        predicted_time_s: 3.5,
        processes: vec![holding(0, 1.75), holding(1, 0.0)],
        elements: vec![element("Save", 1, "checkpoint", 1, [1.75, 1.75])],
        ..sample().1
    };
    table(&SAMPLE, &System::new(1, 4, 2, 1), &with_shares(outcome))
}

fn nothing() -> String {
    let nothing = Outcome {
        evaluation: Evaluation {
            why_not_local: Some("node 0 has 4 processes on 2 CPUs".to_owned()),
            peak_memory_bytes: 0,
            ..evaluation()
        },
        ..Outcome::default()
    };
    table(&SAMPLE, &System::default(), &nothing)
}

/// Returns the table and the JSON for a single process.
fn of_one_process(model: &Model, partial: bool) -> String {
    let system = System::new(1, 1, 1, 1);
    let outcome = Outcome {
        predicted_time_s: 12.5,
        partial,
        processes: vec![process(0, 0, [12.5, 0.0, 0.0])],
        evaluation: evaluation(),
        ..Outcome::default()
    };
    table(model, &system, &outcome) + &json(model, &system, &outcome, true)
}

/// Returns the JSON for a machine and a model with parameters.
fn parameters_in_json() -> String {
    let mut system = System::new(2, 1, 2, 1);
    system.network = "loggp:L=2us,o=1us,g=0,G=1ns".parse().unwrap();
    system.parameters = vec![Value::Int(-3), Value::Real(0.1), Value::Bool(true)];
    json(&LAPW0, &system, &Outcome::default(), false)
}

/// Returns the JSON for the sample, with only one process and one element.
fn sample_in_json() -> String {
    let (system, mut outcome) = sample();
    outcome.processes.truncate(1);
    outcome.elements.truncate(1);
    json(&SAMPLE, &system, &outcome, false)
}

#[test]
fn outcomes_are_written() {
    assert_cases("tests/cases/results.txt", |case| match case.input {
        "sample" => table(&SAMPLE, &sample().0, &sample().1),
        "large" => table(&LAPW0, &large().0, &large().1),
        "holding" => holding(),
        "nothing" => nothing(),
        "partial" => of_one_process(&LAPW0, true),
        "assumed costs" => {
            let costs = "assumed: 3 actions without a cost take 1 s each";
            of_one_process(&SAMPLE.costs(costs), false)
        }
        "parameters" => parameters_in_json(),
        _ => sample_in_json(),
    });
}

/// With accelerators, CPUs mostly wait, so their efficiency says little about the program.
#[test]
fn efficiency_beside_accelerators_is_that_of_the_cpus() {
    let (system, mut outcome) = sample();
    assert!(table(&SAMPLE, &system, &outcome).contains("\nEfficiency      "));
    outcome.accelerators = vec![AcceleratorOutcome {
        name: "H100".to_owned(),
        devices: 2,
        copy_engines: 1,
        kernels_s: outcome.predicted_time_s,
        copies_s: 0.0,
        memory_bytes: 0,
    }];
    let shown = table(&SAMPLE, &system, &outcome);
    let facts = "\nAccelerators    2 x H100: kernels 50.0%, copies 0.0%\nCPU efficiency  ";
    assert!(shown.contains(facts), "{shown}");
}

#[test]
fn colors_change_no_text() {
    let (system, outcome) = sample();
    let report = Report {
        model: &SAMPLE,
        system: &system,
        outcome: &outcome,
        all_processes: false,
    };
    let mut text = Vec::new();
    report.write_table(&mut text, true).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    assert_eq!(first, "\u{1b}[1mPredicted time  194.184 s\u{1b}[0m");
    let compute = "\u{1b}[32m#################\u{1b}[0m";
    assert!(rest.contains(compute), "{rest}");
    let mut plain = text;
    for code in [0, 1, 31, 32, 33, 36] {
        plain = plain.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(plain, table(&SAMPLE, &system, &outcome));
}

/// The parameters' names are in alphabetical order, because that is the order in which they are
/// read.
#[test]
fn a_result_that_a_run_wrote_reads_back() {
    const WORK: ActionPlus = ActionPlus::new(0, "\"Work\"\n", -7);
    const MODEL: Model = Model::new(
        "Mödel",
        &[
            Parameter::new("A", Value::Real(0.0)),
            Parameter::new("B", Value::Int(0)),
            Parameter::new("C", Value::Bool(false)),
        ],
        1,
    );
    let mut system = System::new(2, 1, 2, 1);
    system.seed = u64::MAX;
    system.parameters = vec![Value::Real(5e-324), Value::Int(i64::MIN), Value::Bool(true)];
    let run = Simulation::new(&MODEL, system.clone()).run(async |ctx| {
        let cost_s = if ctx.pid() == 0 { 1.0 / 3.0 } else { 0.1 };
        WORK.execute(ctx, cost_s).await?;
        WORK.execute(ctx, cost_s).await
    });
    let mut outcome = run.unwrap();
    outcome.evaluation.why_not_local = None;
    for partial in [false, true] {
        outcome.partial = partial;
        let text = json(&MODEL, &system, &outcome, false);
        let result = RunResult::from_json(text.as_bytes()).unwrap();
        assert_eq!((&*result.model, result.seed), (MODEL.name, u64::MAX));
        assert_eq!(
            result.predicted_time_s.to_bits(),
            outcome.predicted_time_s.to_bits()
        );
        assert_eq!(result.partial, partial);
        assert_eq!(result.evaluation, outcome.evaluation);
        assert_eq!(result.efficiency, outcome.efficiency());
        assert_eq!(&*result.processes, &*outcome.processes);
        assert_eq!(&*result.elements, &*outcome.elements);
        let again = serde_json::to_string_pretty(&result).unwrap();
        assert_eq!(again + "\n", text);
    }
}

#[test]
fn json_leaves_out_more_than_ten_thousand_processes() {
    let outcome_of = |count| Outcome {
        processes: (0..count)
            .map(|pid| process(pid, 0, [1.0, 0.0, 0.0]))
            .collect(),
        ..sample().1
    };
    let system = System::default();
    let has = |count, all| json(&SAMPLE, &system, &outcome_of(count), all).contains("\"pid\": 9,");
    assert!(has(10_000, false));
    assert!(!has(10_001, false));
    assert!(has(10_001, true));
    assert!(!json(&SAMPLE, &system, &outcome_of(10_001), false).contains("\"processes\": ["));
}

proptest! {
    #[test]
    fn floats_in_json_come_back_to_the_last_bit(time in 0.0..f64::MAX) {
        let (system, mut outcome) = sample();
        outcome.predicted_time_s = time;
        let text = json(&SAMPLE, &system, &outcome, false);
        let key = "\"predicted_time_s\": ";
        let shown = text.lines().find_map(|line| line.trim().strip_prefix(key));
        prop_assert_eq!(shown.unwrap().trim_end_matches(',').parse(), Ok(time));
    }

    /// Whatever the names and numbers, no line is wider than 80 columns.
    #[test]
    fn tables_fit_eighty_columns(
        name in "\\PC{0,60}|[a-z\n\t]{0,9}",
        times in proptest::collection::vec(any::<f64>().prop_map(f64::abs), 4),
        counts in (any::<u64>(), any::<u32>()),
        (share, hold_s) in (any::<f64>(), prop_oneof![Just(0.0), 0.0..f64::MAX]),
        sizes in (1..u32::MAX, 1..u32::MAX, 1..100_u32, 1..u32::MAX),
        kind in prop_oneof![Just("action+"), Just("reducescatter"), Just("parallelsections")],
    ) {
        let mut system = System::new(sizes.0, sizes.1, sizes.2, sizes.3);
        system.mapping = vec![u32::MAX; 100];
        let element = ElementOutcome {
            name,
            id: 0,
            kind: kind.into(),
            count: counts.0,
            total_s: times[0],
            mean_s: times[1],
            max_s: times[2],
            share: share.abs(),
        };
        let outcome = Outcome {
            predicted_time_s: times[3],
            processes: vec![
                ProcessOutcome {
                    hold_s,
                    ..process(counts.1, sizes.0, [times[0], times[1], times[2]])
                };
                20
            ],
            elements: vec![element; 3],
            evaluation: Evaluation {
                events: counts.0,
                messages: counts.0,
                peak_memory_bytes: counts.0,
                ..evaluation()
            },
            ..Outcome::default()
        };
        for line in table(&LAPW0, &system, &outcome).lines() {
            prop_assert!(columns(line) <= 80, "{} columns: {line}", columns(line));
        }
    }
}
